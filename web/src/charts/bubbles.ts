import { boxOf, circleAround, packCircles } from './pack.ts'

/** Where the bubbles of a map stand: those of a cluster together, the clusters in the middle, the others around them. */

export interface Bubble {
  readonly id: string
  /** the largest it is ever drawn; its area stands for it */
  readonly size: number
  /** null: it stands for itself */
  readonly cluster: string | null
  /** how far its shape reaches, in radii of the circle of the same area */
  readonly reach: number
}

export interface Placed {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly r: number
}

export interface BubbleLayout {
  /** of the picture, px */
  readonly width: number
  readonly height: number
  /** px of a bubble of size 1; radii grow with the root of the size */
  readonly unit: number
  readonly bubbles: readonly Placed[]
  readonly clusters: readonly Placed[]
}

/** px */
const LEAST = 3
const GAP = 1.5
const MARGIN = 7
const EDGE = 4
/** px of a bubble of size 1, at most: a few holders do not become balloons */
const UNIT_MAX = 30
/** of the picture that packed circles cover, about */
const COVERED = 0.5
/** a bubble this many times smaller than the largest is drawn as large as that */
const RANGE = 400

export const radiusAt = (size: number, unit: number): number => (size > 0 ? Math.max(LEAST, unit * Math.sqrt(size)) : 0)

/** Bubbles in the order given, largest first is closest; all of them within the picture. */
export function layoutBubbles(bubbles: readonly Bubble[], width: number, heightMost: number): BubbleLayout {
  const drawn = bubbles.map((bubble) => ({ ...bubble, size: Math.max(bubble.size, largestOf(bubbles) / RANGE) }))
  const area = drawn.reduce((sum, { size, reach }) => sum + Math.PI * size * reach * reach, 0)
  const guess = Math.min(UNIT_MAX, Math.sqrt((COVERED * width * heightMost) / Math.max(area, 1e-9)))
  // what has its length in px is packed at the scale that will be about right, and what is packed is scaled to fit
  const packed = pack(drawn, guess, (width / heightMost) * 0.95)
  const box = boxOf([...packed.clusters, ...packed.bubbles])
  const scale = Math.min(
    UNIT_MAX / guess,
    (width - 2 * EDGE) / Math.max(1, box.right - box.left),
    (heightMost - 2 * EDGE) / Math.max(1, box.bottom - box.top),
  )
  const unit = guess * scale
  const height = Math.ceil((box.bottom - box.top) * scale) + 2 * EDGE
  const [midX, midY] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
  const put = ({ id, x, y, r }: Placed): Placed => ({
    id,
    x: width / 2 + (x - midX) * scale,
    y: height / 2 + (y - midY) * scale,
    r: r * scale,
  })
  return { width, height, unit, bubbles: packed.bubbles.map(put), clusters: packed.clusters.map(put) }
}

const largestOf = (bubbles: readonly Bubble[]): number => bubbles.reduce((most, { size }) => Math.max(most, size), 0)

interface Packed {
  readonly bubbles: readonly Placed[]
  readonly clusters: readonly Placed[]
}

function pack(bubbles: readonly Bubble[], unit: number, stretch: number): Packed {
  const sorted = [...bubbles].sort((a, b) => b.size - a.size || (a.id < b.id ? -1 : 1))
  const clusters = clustersOf(sorted).map(({ id, members }) => packCluster(id, members, unit))
  const singles = sorted.filter(({ cluster }) => cluster === null)
  const wholes = [...clusters.map(({ r }) => r), ...singles.map((bubble) => roomOf(bubble, unit))]
  const places = packCircles(wholes, stretch)
  const inside = clusters.flatMap(({ members }, n) => {
    const at = places[n] ?? { x: 0, y: 0 }
    return members.map((member) => ({ ...member, x: member.x + at.x, y: member.y + at.y }))
  })
  const alone = singles.map(({ id, size }, n): Placed => {
    const at = places[clusters.length + n] ?? { x: 0, y: 0 }
    return { id, ...at, r: radiusAt(size, unit) }
  })
  return {
    bubbles: [...inside, ...alone],
    clusters: clusters.map(({ id, r }, n) => ({ id, ...(places[n] ?? { x: 0, y: 0 }), r: r - GAP })),
  }
}

const roomOf = ({ size, reach }: Bubble, unit: number): number => radiusAt(size, unit) * reach + GAP

/** Those with most in them first. */
function clustersOf(sorted: readonly Bubble[]): { readonly id: string; readonly members: readonly Bubble[] }[] {
  const found = new Map<string, Bubble[]>()
  for (const bubble of sorted) {
    if (bubble.cluster === null) continue
    const members = found.get(bubble.cluster)
    if (members === undefined) found.set(bubble.cluster, [bubble])
    else members.push(bubble)
  }
  const sum = (members: readonly Bubble[]): number => members.reduce((all, { size }) => all + size, 0)
  return [...found].map(([id, members]) => ({ id, members })).sort((a, b) => sum(b.members) - sum(a.members))
}

function packCluster(id: string, members: readonly Bubble[], unit: number) {
  const rooms = members.map((bubble) => roomOf(bubble, unit))
  const places = packCircles(rooms)
  const around = circleAround(places.map((at, n) => ({ ...at, r: rooms[n] ?? 0 })))
  return {
    id,
    r: around.r + MARGIN,
    members: members.map(
      ({ id, size }, n): Placed => ({
        id,
        x: (places[n]?.x ?? 0) - around.x,
        y: (places[n]?.y ?? 0) - around.y,
        r: radiusAt(size, unit),
      }),
    ),
  }
}

/** A finger needs more than the smallest bubble. */
const REACH_LEAST = 9

/** The bubble under a point, or the nearest one a finger may have meant. */
export function bubbleAt(bubbles: readonly Placed[], x: number, y: number): Placed | null {
  let [found, least] = [null as Placed | null, Number.POSITIVE_INFINITY]
  for (const bubble of bubbles) {
    const away = Math.hypot(bubble.x - x, bubble.y - y)
    if (away > Math.max(bubble.r, REACH_LEAST)) continue
    const outside = away - bubble.r
    if (outside < least) [found, least] = [bubble, outside]
  }
  return found
}
