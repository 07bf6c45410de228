/** Computes a step line: a value holds until it changes. */

export interface StepPoint {
  readonly at: number
  readonly value: number
}

interface Box {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

interface StepLine {
  /** SVG path; the line ends at the right edge */
  readonly line: string
  /** the same, closed along zero */
  readonly area: string
  readonly zero: number
  /** px of each point */
  readonly points: readonly { readonly x: number; readonly y: number }[]
  /** axis values: least, zero, most */
  readonly levels: readonly { readonly value: number; readonly y: number }[]
}

/** px between two labels of the axis */
const LABEL_PX = 14

/** Draws from the first point to `end`; before the first point the value is zero. */
export function stepLine(given: readonly StepPoint[], end: number, box: Box): StepLine {
  const start = given[0]?.at ?? end
  const span = Math.max(1, end - start)
  const values = given.map(({ value }) => value)
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const range = most - least || 1
  const across = (at: number): number => box.left + ((at - start) / span) * (box.width - box.left - box.right)
  const up = (value: number): number => box.top + ((most - value) / range) * (box.height - box.top - box.bottom)
  const points = given.map(({ at, value }) => ({ x: round(across(at)), y: round(up(value)) }))
  const zero = round(up(0))
  const steps = points.map(({ x, y }) => `H${x}V${y}`).join('')
  const line = points.length === 0 ? '' : `M${points[0]?.x},${zero}${steps}H${round(across(end))}`
  return {
    ...{ line, area: line === '' ? '' : `${line}V${zero}Z`, zero, points },
    levels: [...new Set([most, 0, least])]
      .map((value) => ({ value, y: round(up(value)) }))
      .filter(({ value, y }) => value === 0 || Math.abs(y - zero) >= LABEL_PX),
  }
}

const round = (px: number): number => Math.round(px * 10) / 10
