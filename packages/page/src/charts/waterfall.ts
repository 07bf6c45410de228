/** How a sum is drawn step by step: pure arithmetic, in percent of the width. */

interface Step {
  /** what this step adds; below 0 it takes away */
  readonly value: number
  /** the most this step could have added, where there is such a thing */
  readonly most?: number
}

export interface Bar {
  /** running total after the step */
  readonly total: number
  /** left edge and width of the step, percent of the scale */
  readonly left: number
  readonly width: number
  /** left edge and width of what the step could have added beyond its value, percent of the scale */
  readonly lostLeft: number
  readonly lostWidth: number
}

interface Waterfall {
  readonly bars: readonly Bar[]
  readonly total: number
  /** percent of the scale at which the total lies */
  readonly end: number
  /** what 100 % stands for */
  readonly scale: number
  /** whole units that get a line, with their places in percent */
  readonly ticks: readonly { readonly value: number; readonly at: number }[]
}

/** at most this many lines behind the bars */
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
