import type { Interval } from './bootstrap.ts'

/** Number formats of the report. A missing number is an en dash. */
export const NOTHING = '–'

export const fixed = (value: number | null, digits = 2): string => (value === null ? NOTHING : value.toFixed(digits))

/** With a sign. An ASCII minus, so that searches find it. */
export const signed = (value: number | null, digits = 2): string =>
  value === null ? NOTHING : `${value >= 0 ? '+' : ''}${value.toFixed(digits)}`

/** Share 0 to 1 as a percentage; small ones keep two significant digits. */
export function percent(share: number | null): string {
  if (share === null || Number.isNaN(share)) return NOTHING
  const value = share * 100
  // 99.5% must not become 100%
  const digits = value === 0 || value === 100 || (value >= 10 && value < 99.5) ? 0 : value >= 1 && value < 10 ? 1 : 2
  return `${Number(value.toFixed(digits))}%`
}

/** `k of n (share)` */
export const part = (some: number, all: number): string =>
  `${some} of ${all} (${percent(all === 0 ? null : some / all)})`

/** `value [low, high]` */
export function withInterval({ value, low, high }: Interval, write: (value: number | null) => string = fixed): string {
  if (value === null) return NOTHING
  return low === null || high === null ? `${write(value)} [–]` : `${write(value)} [${write(low)}, ${write(high)}]`
}

/** Whole percent of shares, the form of results and rates with intervals. */
export const inPercent = (value: number | null): string => (value === null ? NOTHING : `${Math.round(100 * value)}`)
export const signedPercent = (value: number | null): string =>
  value === null ? NOTHING : `${value > 0 ? '+' : ''}${Math.round(100 * value)}`
