/** Packs circles without overlap, as close to one point as possible. */

interface Point {
  readonly x: number
  readonly y: number
}

interface Disc extends Point {
  readonly r: number
}

/** tolerance for rounding; circles that touch do not overlap */
const SLACK = 1e-6

/**
 * Places circles in the given order. The outermost circles form a ring; each new circle touches two neighbours of the ring as
 * near to the origin as possible. If it would overlap another circle of the ring, those between leave the ring. The result is a
 * rounded rectangle, `stretch` times as wide as high.
 */
export function packCircles(radii: readonly number[], stretch = 1): Point[] {
  const placed: Disc[] = []
  const next: number[] = []
  const previous: number[] = []
  /**
   * for each circle of the ring, the distance of its touching point with the next; cached, because each new circle compares all
   */
  const away: number[] = []
  const at = (n: number): Disc => placed[n] as Disc
  const after = (n: number): number => next[n] as number
  const before = (n: number): number => previous[n] as number
  const join = (a: number, b: number): void => {
    next[a] = b
    previous[b] = a
    away[a] = touchOf(at(a), at(b), stretch)
  }

  /** Returns the circle of the ring that touches its successor nearest to the origin. */
  function nearest(from: number): number {
    let best = from
    let least = away[from] as number
    for (let n = after(from); n !== from; n = after(n)) {
      const where = away[n] as number
      if (where >= least - SLACK) continue
      best = n
      least = where
    }
    return best
  }

  /** Finds the nearest circle of the ring outside a and b that overlaps, searching both directions in turn. */
  function inTheWay(disc: Disc, a: number, b: number): { readonly of: number; readonly isAhead: boolean } | null {
    let ahead = after(b)
    let behind = before(a)
    let wayAhead = at(b).r
    let wayBehind = at(a).r
    while (ahead !== after(behind)) {
      const isAhead = wayAhead <= wayBehind
      const of = isAhead ? ahead : behind
      const other = at(of)
      if (overlap(disc, other)) return { of, isAhead }
      if (isAhead) {
        wayAhead += other.r
        ahead = after(of)
      } else {
        wayBehind += other.r
        behind = before(of)
      }
    }
    return null
  }

  let start = 0
  for (const [n, r] of radii.entries()) {
    if (n === 0) placed.push({ x: 0, y: 0, r })
    else if (n === 1) placed.push({ x: at(0).r + r, y: 0, r })
    if (n < 2) {
      for (let i = 0; i <= n; i++) join(i, (i + 1) % (n + 1))
      continue
    }
    let [a, b] = [start, after(start)]
    for (;;) {
      const disc = touching(at(a), at(b), r)
      const met = inTheWay(disc, a, b)
      if (met === null) {
        placed.push(disc)
        join(a, n)
        join(n, b)
        start = nearest(a)
        break
      }
      if (met.isAhead) b = met.of
      else a = met.of
      join(a, b)
    }
  }
  return middled(placed)
}

/**
 * Distance of the touching point from the origin, to the fourth power, so that lines of equal distance are nearly rectangular
 * and corners fill up.
 */
function touchOf(a: Disc, b: Disc, stretch: number): number {
  const part = a.r / (a.r + b.r || 1)
  const across = (a.x + (b.x - a.x) * part) / stretch
  const up = a.y + (b.y - a.y) * part
  return across ** 4 + up ** 4
}

/** compares squares, because it runs for each circle of the ring and each new circle */
function overlap(a: Disc, b: Disc): boolean {
  const dx = a.x - b.x
  const dy = a.y - b.y
  const apart = a.r + b.r - SLACK
  return dx * dx + dy * dy < apart * apart
}

/** Returns the circle of radius r that touches a and b, to the right of the way from a to b. */
function touching(a: Disc, b: Disc, r: number): Disc {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const way = Math.hypot(dx, dy)
  if (way === 0) return { x: a.x + a.r + r, y: a.y, r }
  const along = (way * way + (a.r + r) ** 2 - (b.r + r) ** 2) / (2 * way)
  const aside = Math.sqrt(Math.max(0, (a.r + r) ** 2 - along * along))
  return { x: a.x + (along * dx + aside * dy) / way, y: a.y + (along * dy - aside * dx) / way, r }
}

/** Moves the centre of the bounding box to the origin. */
function middled(discs: readonly Disc[]): Point[] {
  const { left, right, top, bottom } = boxOf(discs)
  return discs.map(({ x, y }) => ({ x: x - (left + right) / 2, y: y - (top + bottom) / 2 }))
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Bounding box of circles; a point for none. */
export function boxOf(discs: readonly Disc[]): Box {
  if (discs.length === 0) return { left: 0, right: 0, top: 0, bottom: 0 }
  let [left, right, top, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]
  for (const { x, y, r } of discs) {
    left = Math.min(left, x - r)
    right = Math.max(right, x + r)
    top = Math.min(top, y - r)
    bottom = Math.max(bottom, y + r)
  }
  return { left, right, top, bottom }
}

const STEPS = 60

/** Approximates the smallest enclosing circle: the centre moves towards the farthest circle in ever smaller steps. */
export function circleAround(discs: readonly Disc[]): Disc {
  const { left, right, top, bottom } = boxOf(discs)
  let [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const farthest = (): Disc =>
    discs.reduce((far, disc) => (reach(disc, x, y) > reach(far, x, y) ? disc : far), discs[0] as Disc)
  if (discs.length === 0) return { x, y, r: 0 }
  let best = { x, y, r: reach(farthest(), x, y) }
  for (let step = 2; step < STEPS; step++) {
    const far = farthest()
    x += (far.x - x) / (step * 2)
    y += (far.y - y) / (step * 2)
    const r = reach(farthest(), x, y)
    if (r < best.r) best = { x, y, r }
  }
  return best
}

const reach = ({ x, y, r }: Disc, fromX: number, fromY: number): number => Math.hypot(x - fromX, y - fromY) + r
