/** Work in pieces that take about the same time, where the speed of the machine, and of code that has not run yet, is not known. */
export interface Pace {
  /** of the next piece */
  units(): number
  /** what a piece of so many units took, in milliseconds */
  took(units: number, ms: number): void
}

interface PaceBounds {
  readonly first: number
  readonly most: number
  /** read after each piece, because it may change */
  readonly targetMs: number
}

/** how many times longer or shorter one piece may be than the one before */
const STEP = 2

export function createPace(bounds: PaceBounds): Pace {
  const { first, most } = bounds
  let next = Math.min(first, most)
  return {
    units: () => next,
    took(units, ms) {
      const { targetMs } = bounds
      // the end of the work was shorter than what was asked for, and tells nothing about that
      if (units < next && ms <= targetMs) return
      const factor = Math.min(STEP, Math.max(1 / STEP, targetMs / Math.max(ms, Number.MIN_VALUE)))
      next = Math.max(1, Math.min(most, Math.floor(units * factor)))
    },
  }
}
