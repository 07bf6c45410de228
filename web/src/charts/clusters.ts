/**
 * Where groups of wallets are drawn: each group is a ring of circles whose areas are their sizes, all on one scale, and
 * the rings stand in rows. Pure and without chance, so that the picture stays still while numbers move a little.
 */

export interface Member {
  readonly id: string
  /** share of supply in percent: the area of the circle */
  readonly size: number
}

interface ClusterInput {
  readonly id: string
  readonly members: readonly Member[]
}

export interface Circle {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly r: number
}

export interface Cluster {
  readonly id: string
  /** centre and outer radius */
  readonly x: number
  readonly y: number
  readonly r: number
  /** below the tallest cluster of its row: names stand on one line */
  readonly foot: number
  readonly circles: readonly Circle[]
}

interface Picture {
  readonly width: number
  readonly height: number
  readonly clusters: readonly Cluster[]
}

interface Measures {
  /** radii of the smallest and of the largest circle, px */
  readonly least: number
  readonly most: number
  /** room between circles of a ring, px */
  readonly gap: number
  /** room around a cluster, and below it for its name, px */
  readonly margin: number
  readonly caption: number
  /** the size of the largest circle where no member has more: small holdings stay small */
  readonly fullSize: number
  /** a cluster is at least so wide, so that its name has room, px */
  readonly widthLeast: number
}

export const MEASURES: Measures = { least: 5, most: 40, gap: 9, margin: 14, caption: 42, fullSize: 2, widthLeast: 140 }

/** steps of the search for a ring's radius */
const SEARCH_STEPS = 40

/** Radius of a circle whose area stands for `size`, `largest` being the largest size of the picture. */
export function radiusOf(size: number, largest: number, { least, most }: Measures = MEASURES): number {
  if (largest <= 0 || size <= 0) return least
  return Math.max(least, most * Math.sqrt(Math.min(1, size / largest)))
}

/** The smallest ring on which circles of these radii stand side by side with a gap. */
export function ringRadius(radii: readonly number[], gap: number): number {
  if (radii.length < 2) return 0
  const chords = radii.map((r, n) => r + (radii[(n + 1) % radii.length] ?? r) + gap)
  if (radii.length === 2) return (chords[0] ?? 0) / 2
  const turn = (ring: number): number =>
    chords.reduce((sum, chord) => sum + 2 * Math.asin(Math.min(1, chord / (2 * ring))), 0)
  let low = Math.max(...chords) / 2
  let high = low + chords.reduce((sum, chord) => sum + chord, 0)
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const middle = (low + high) / 2
    if (turn(middle) > 2 * Math.PI) low = middle
    else high = middle
  }
  return high
}

/** Large and small by turns: two large neighbours would blow up the ring. */
export function alternate<T>(largestFirst: readonly T[]): T[] {
  const mixed: T[] = []
  for (let low = 0, high = largestFirst.length - 1; low <= high; low++, high--) {
    mixed.push(largestFirst[low] as T)
    if (high !== low) mixed.push(largestFirst[high] as T)
  }
  return mixed
}

/** One group around the origin. */
function ringOf({ id, members }: ClusterInput, largest: number, measures: Measures): Cluster {
  const sorted = [...members].sort((a, b) => b.size - a.size || (a.id < b.id ? -1 : 1))
  const order = alternate(sorted)
  const radii = order.map(({ size }) => radiusOf(size, largest, measures))
  const ring = ringRadius(radii, measures.gap)
  let angle = order.length === 2 ? Math.PI : -Math.PI / 2
  const circles = order.map((member, n): Circle => {
    const r = radii[n] ?? measures.least
    const circle = { id: member.id, x: ring * Math.cos(angle), y: ring * Math.sin(angle), r }
    const chord = r + (radii[(n + 1) % radii.length] ?? r) + measures.gap
    angle += ring > 0 ? 2 * Math.asin(Math.min(1, chord / (2 * ring))) : 0
    return circle
  })
  const left = Math.min(...circles.map(({ x, r }) => x - r))
  const right = Math.max(...circles.map(({ x, r }) => x + r))
  const top = Math.min(...circles.map(({ y, r }) => y - r))
  const bottom = Math.max(...circles.map(({ y, r }) => y + r))
  // the box's middle, not the ring's: a large circle weighs to one side
  const moved = circles.map(({ x, y, ...rest }) => ({ ...rest, x: x - (left + right) / 2, y: y - (top + bottom) / 2 }))
  return { id, x: 0, y: 0, r: Math.max(right - left, bottom - top) / 2, foot: 0, circles: moved }
}

/** Rows of clusters from left to right, in the order given, each row centred on its tallest. */
export function layoutClusters(groups: readonly ClusterInput[], width: number, measures = MEASURES): Picture {
  const largest = Math.max(measures.fullSize, ...groups.flatMap(({ members }) => members.map(({ size }) => size)))
  const rings = groups.filter(({ members }) => members.length > 0).map((group) => ringOf(group, largest, measures))
  const boxOf = ({ r }: Cluster): number => Math.max(measures.widthLeast, 2 * (r + measures.margin))
  const rows: Cluster[][] = []
  let room = 0
  for (const ring of rings) {
    const row = rows.at(-1)
    if (row === undefined || room < boxOf(ring)) {
      rows.push([ring])
      room = width - boxOf(ring)
    } else {
      row.push(ring)
      room -= boxOf(ring)
    }
  }
  const widest = Math.max(width, ...rings.map(boxOf))
  let y = 0
  const clusters = rows.flatMap((row) => {
    const tallest = Math.max(...row.map(({ r }) => r))
    const used = row.reduce((sum, ring) => sum + boxOf(ring), 0)
    const spare = (widest - used) / (row.length + 1)
    let x = spare
    const middle = y + measures.margin + tallest
    y = middle + tallest + measures.caption
    return row.map((ring) => {
      const placed = moveTo(ring, x + boxOf(ring) / 2, middle, middle + tallest)
      x += boxOf(ring) + spare
      return placed
    })
  })
  return { width: widest, height: Math.ceil(y), clusters }
}

const moveTo = (ring: Cluster, x: number, y: number, foot: number): Cluster => ({
  ...ring,
  foot,
  x,
  y,
  circles: ring.circles.map((circle) => ({ ...circle, x: circle.x + x, y: circle.y + y })),
})
