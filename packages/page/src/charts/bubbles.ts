import { boxOf, circleAround, packCircles } from './pack.ts'

/** Lays out the bubbles of a map: clusters in the middle, single bubbles around them. */

export interface Bubble {
  readonly id: string
  /** largest size it is ever drawn at; its area shows it */
  readonly size: number
  /** null: outside every cluster */
  readonly cluster: string | null
  /** distance to its corners, in radii of the circle of the same area */
  readonly reach: number
}

export interface Placed {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly r: number
}

export interface BubbleLayout {
  /** px of the picture */
  readonly width: number
  readonly height: number
  /** px of a bubble of size 1; radii grow with the square root of the size */
  readonly unit: number
  readonly bubbles: readonly Placed[]
  readonly clusters: readonly Placed[]
}

/** px */
const LEAST = 3
const GAP = 1.5
const MARGIN = 7
const EDGE = 4
/** largest radius of a bubble of size 1, px, so that a few holders do not become balloons */
const UNIT_MAX = 40
/** approximate share of the picture that packed circles cover */
const COVERED = 0.5
/** smallest size is the largest divided by this */
const RANGE = 400

export const radiusAt = (size: number, unit: number): number => (size > 0 ? Math.max(LEAST, unit * Math.sqrt(size)) : 0)

/** Places all bubbles within the picture, the largest nearest to the centre. */
export function layoutBubbles(bubbles: readonly Bubble[], width: number, heightMost: number): BubbleLayout {
  const least = largestOf(bubbles) / RANGE
  const drawn = bubbles.map((bubble) => ({ ...bubble, size: Math.max(bubble.size, least) }))
  const area = drawn.reduce((sum, { size, reach }) => sum + Math.PI * size * reach * reach, 0)
  const guess = Math.min(UNIT_MAX, Math.sqrt((COVERED * width * heightMost) / Math.max(area, 1e-9)))
  const room = { width: width - 2 * EDGE, height: heightMost - 2 * EDGE }
  // gaps and margins are in px, so packing uses a scale near the final one; the result is then scaled to fit
  const stretches = drawn.length > FEW ? [1] : STRETCHES
  const fits = stretches.map((part) => fitted(pack(drawn, guess, (width / heightMost) * part), room, UNIT_MAX / guess))
  return spread(
    fits.reduce((best, fit) => (fit.scale > best.scale ? fit : best)),
    width,
    guess,
  )
}

/** proportions to try: a few large circles pack narrower or wider than requested */
const STRETCHES = [0.8, 0.95, 1.1, 1.3, 1.6, 2, 2.5]
/** with more bubbles than this, one proportion fits well and each try takes long */
const FEW = 150
/** largest horizontal stretch of the gaps, when space remains at the sides */
const SPREAD_MAX = 1.4

interface Fit {
  readonly packed: Packed
  readonly box: ReturnType<typeof boxOf>
  readonly scale: number
}

function fitted(packed: Packed, room: { readonly width: number; readonly height: number }, scaleMost: number): Fit {
  const box = boxOf(outlinesOf(packed))
  const across = room.width / Math.max(1, box.right - box.left)
  const up = room.height / Math.max(1, box.bottom - box.top)
  return { packed, box, scale: Math.min(scaleMost, across, up) }
}

/** Scales to fit, then spreads over the whole width. A cluster moves as one and stays round. */
function spread({ packed, box, scale }: Fit, width: number, unit: number): BubbleLayout {
  const height = Math.ceil((box.bottom - box.top) * scale) + 2 * EDGE
  const [midX, midY] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
  const ends = (sign: 1 | -1) => outlinesOf(packed).map(({ x, r }) => ({ x: sign * (x - midX) * scale, r: r * scale }))
  const room = width / 2 - EDGE
  // the outermost bubble limits the stretch
  const apart = [...ends(1), ...ends(-1)].reduce(
    (least, { x, r }) => (x > 1 ? Math.min(least, (room - r) / x) : least),
    SPREAD_MAX,
  )
  const put = ({ id, x, y, r }: Placed, centre: number): Placed => ({
    id,
    x: width / 2 + ((centre - midX) * apart + (x - centre)) * scale,
    y: height / 2 + (y - midY) * scale,
    r: r * scale,
  })
  const centres = new Map(packed.clusters.map(({ id, x }) => [id, x]))
  return {
    ...{ width, height, unit: unit * scale },
    bubbles: packed.bubbles.map((bubble) => put(bubble, centres.get(bubble.cluster ?? '') ?? bubble.x)),
    clusters: packed.clusters.map((cluster) => put(cluster, cluster.x)),
  }
}

const largestOf = (bubbles: readonly Bubble[]): number => bubbles.reduce((most, { size }) => Math.max(most, size), 0)

interface PackedBubble extends Placed {
  readonly cluster: string | null
  readonly reach: number
}

/** Circles that must be within the picture: clusters, and single bubbles up to their corners. */
const outlinesOf = ({ clusters, bubbles }: Packed): Pick<Placed, 'x' | 'y' | 'r'>[] => [
  ...clusters,
  ...bubbles.filter(({ cluster }) => cluster === null).map(({ x, y, r, reach }) => ({ x, y, r: r * reach })),
]

interface Packed {
  readonly bubbles: readonly PackedBubble[]
  readonly clusters: readonly Placed[]
}

function pack(bubbles: readonly Bubble[], unit: number, stretch: number): Packed {
  const sorted = [...bubbles].sort((a, b) => b.size - a.size || (a.id < b.id ? -1 : 1))
  const clusters = clustersOf(sorted).map(({ id, members }) => packCluster(id, members, unit))
  const singles = sorted.filter(({ cluster }) => cluster === null)
  const wholes = [...clusters.map(({ r }) => r), ...singles.map((bubble) => roomOf(bubble, unit))]
  const places = packCircles(wholes, stretch)
  const inside = clusters.flatMap(({ id, members }, n) => {
    const at = places[n] ?? { x: 0, y: 0 }
    // the cluster's circle already encloses their corners
    return members.map((member) => ({ ...member, cluster: id, reach: 1, x: member.x + at.x, y: member.y + at.y }))
  })
  const alone = singles.map(({ id, size, reach }, n): PackedBubble => {
    const at = places[clusters.length + n] ?? { x: 0, y: 0 }
    return { id, ...at, r: radiusAt(size, unit), cluster: null, reach }
  })
  return {
    bubbles: [...inside, ...alone],
    clusters: clusters.map(({ id, r }, n) => ({ id, ...(places[n] ?? { x: 0, y: 0 }), r: r - GAP })),
  }
}

const roomOf = ({ size, reach }: Bubble, unit: number): number => radiusAt(size, unit) * reach + GAP

/** Groups bubbles by cluster, the largest cluster first. */
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

/** px around a bubble that a finger needs */
const REACH_LEAST = 9

/** Returns the bubble under a point, or the nearest one within a finger's reach. */
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
