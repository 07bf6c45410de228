import type { Interval } from './bootstrap.ts'

/** Number formats of the report. A missing number is an en dash. */
export const NOTHING = '–'

export const fixed = (value: number | null, digits = 3): string => (value === null ? NOTHING : value.toFixed(digits))

/** Three digits and a sign. An ASCII minus, so that searches find it. */
export const signed = (value: number | null): string =>
  value === null ? NOTHING : `${value >= 0 ? '+' : ''}${value.toFixed(3)}`

/** Share 0 to 1 as a percentage; small ones keep two significant digits. */
export function percent(share: number | null): string {
  if (share === null) return NOTHING
  const value = share * 100
  // 99.5 % must not become 100 %
  const digits = value === 0 || value === 100 || (value >= 10 && value < 99.5) ? 0 : value >= 1 && value < 10 ? 1 : 2
  return `${Number(value.toFixed(digits))} %`
}

/** `value [low, high]` */
export function withInterval({ value, low, high }: Interval, write: (value: number | null) => string = fixed): string {
  if (value === null) return NOTHING
  return low === null || high === null ? `${write(value)} [–]` : `${write(value)} [${write(low)}, ${write(high)}]`
}

/** Thousands separated by commas. */
export const whole = (value: number): string =>
  Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')

/** A reading of any size with about four digits. */
export function reading(value: number): string {
  const size = Math.abs(value)
  if (size >= 1000) return value < 0 ? `-${whole(size)}` : whole(size)
  return String(Number(value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)))
}
