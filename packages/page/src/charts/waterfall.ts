/** Computes the bars of a waterfall chart, in percent of the width. */

interface Step {
  /** change of the total; negative: a deduction */
  readonly value: number
  /** largest possible value, if there is one */
  readonly most?: number
}

export interface Bar {
  readonly total: number
  /** left edge and width of the bar, percent */
  readonly left: number
  readonly width: number
  /** left edge and width of what the step could have added beyond its value, percent */
  readonly lostLeft: number
  readonly lostWidth: number
}

interface Waterfall {
  readonly bars: readonly Bar[]
  readonly total: number
  /** position of the total, percent */
  readonly end: number
  /** value at 100% */
  readonly scale: number
  /** whole values with a grid line, and their positions in percent */
  readonly ticks: readonly { readonly value: number; readonly at: number }[]
}

/** most grid lines behind the bars */
const TICKS_MAX = 10

export function waterfall(steps: readonly Step[]): Waterfall {
  let total = 0
  let scale = 1
  for (const { value, most } of steps) {
    const start = total
    total += value
    scale = Math.max(scale, total, start + Math.max(value, most ?? 0))
  }
  const at = (value: number): number => (100 * Math.min(Math.max(value, 0), scale)) / scale
  let running = 0
  const bars = steps.map(({ value, most }): Bar => {
    const start = running
    running += value
    const left = at(Math.min(start, running))
    const right = at(Math.max(start, running))
    const lostRight = at(start + Math.max(value, most ?? 0))
    return {
      total: running,
      left,
      width: right - left,
      lostLeft: right,
      lostWidth: value < 0 ? 0 : Math.max(0, lostRight - right),
    }
  })
  const every = Math.max(1, Math.ceil(scale / TICKS_MAX))
  const ticks = []
  for (let value = 0; value <= scale + 1e-9; value += every) ticks.push({ value, at: at(value) })
  return { bars, total, end: at(total), scale, ticks }
}
