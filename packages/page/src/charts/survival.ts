/** Computes the milestone curve: the share of launches that reached each rung, over a logarithmic axis of USD. */

export interface Rung {
  readonly mcap: number
  readonly pct: number
  readonly reached: number
}

interface CurvePoint extends Rung {
  readonly x: number
  readonly y: number
}

interface SurvivalCurve {
  readonly points: readonly CurvePoint[]
  /** a staircase, because nothing is known between two rungs */
  readonly line: string
  readonly area: string
  readonly levels: readonly { readonly pct: number; readonly y: number }[]
}

interface Frame {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const LEVELS = [0, 25, 50, 75, 100] as const

export function survivalCurve(rungs: readonly Rung[], frame: Frame): SurvivalCurve {
  const sorted = rungs.filter(({ mcap }) => mcap > 0).sort((a, b) => a.mcap - b.mcap)
  const right = frame.width - frame.right
  const base = frame.height - frame.bottom
  const y = (pct: number): number => base - (Math.min(100, Math.max(0, pct)) / 100) * (base - frame.top)
  const levels = LEVELS.map((pct) => ({ pct, y: y(pct) }))
  const first = sorted[0]
  const last = sorted.at(-1)
  if (first === undefined || last === undefined) return { points: [], line: '', area: '', levels }
  // every launch has reached 0 USD: the curve begins at 100% one step before the first rung
  const from = Math.log10(first.mcap) - (sorted.length > 1 ? stepOf(sorted) : 1)
  const span = Math.log10(last.mcap) - from
  const x = (mcap: number): number => frame.left + ((Math.log10(mcap) - from) / span) * (right - frame.left)
  const points = sorted.map((rung) => ({ ...rung, x: x(rung.mcap), y: y(rung.pct) }))
  const line = points.reduce(
    (path, point) => `${path}H${fix(point.x)}V${fix(point.y)}`,
    `M${frame.left} ${fix(y(100))}`,
  )
  return { points, line, area: `${line}V${fix(base)}H${frame.left}Z`, levels }
}

/** mean distance of two rungs, in decades */
const stepOf = (sorted: readonly Rung[]): number =>
  (Math.log10(sorted.at(-1)?.mcap ?? 1) - Math.log10(sorted[0]?.mcap ?? 1)) / (sorted.length - 1) || 1

const fix = (value: number): string => String(Math.round(value * 100) / 100)
