/** The one form of numbers, amounts and times: in sentences, tables, pictures and on a terminal. */

const STEPS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Three digits and a letter: 4.2k, 38k, 1.25M. */
export function compact(value: number): string {
  const size = Math.abs(value)
  if (size < 1000) return trimmed(value, size < 10 ? 2 : size < 100 ? 1 : 0)
  if (size >= 1e15) return value.toExponential(1)
  for (const [step, letter] of STEPS) {
    // 999 950 is 1M, not 1000k
    if (size < step * 0.9995) continue
    const scaled = value / step
    const digits = Math.abs(scaled) < 9.995 ? 2 : Math.abs(scaled) < 99.95 ? 1 : 0
    return `${trimmed(scaled, digits)}${letter}`
  }
  return whole(value)
}

function trimmed(value: number, digits: number): string {
  const text = value.toFixed(digits)
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return minus(short === '-0' ? '0' : short)
}

/** 12,345. `Intl` is not used, because creating the first formatter delays the first paint by 20 ms. */
const whole = (value: number): string => value.toFixed(0).replace(/\B(?=(?:\d{3})+$)/g, ',')

const minus = (text: string): string => text.replace('-', '−')

export const count = (value: number): string => minus(whole(value))
/** 1 token, 12 tokens */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** a, b and c */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

export const usd = (value: number): string => (value < 0 ? `−$${compact(-value)}` : `$${compact(value)}`)

/** Two significant digits below 10%, and none that hides a rest: <0.01%, 0.05%, 1.2%, 42%, >99%, 100%. `digits` shows more. */
export function pct(value: number, digits?: number): string {
  const size = Math.abs(value)
  if (digits === undefined && value > 0 && value < 0.005) return '<0.01%'
  if (digits === undefined && value > 99.5 && value < 100) return '>99%'
  return `${trimmed(value, digits ?? (size >= 9.95 ? 0 : size >= 0.1 ? 1 : 2))}%`
}

/** Up to four significant digits: 0.0012, 1.42, 388. */
export function sol(value: number): string {
  const size = Math.abs(value)
  if (size === 0) return '0'
  if (size < 0.0001) return value < 0 ? '−<0.0001' : '<0.0001'
  const digits = size < 0.01 ? 4 : size < 1 ? 3 : size < 100 ? 2 : 0
  return size >= 10_000 ? compact(value) : minus(digits === 0 ? whole(value) : trimmed(value, digits))
}

/** Puts a plus before the text of a positive value. */
export const signed = (value: number, text: string): string => (value > 0 ? `+${text}` : text)

/** One unit, two from an hour on: 42 s, 3 min, 2 h 5 min, 4 d 2 h. */
export function duration(seconds: number): string {
  const size = Math.abs(seconds)
  const sign = seconds < 0 && size >= 0.5 ? '−' : ''
  const minutes = Math.round(size / 60)
  if (size < 90) return `${sign}${Math.round(size)} s`
  if (minutes < 60) return `${sign}${minutes} min`
  if (minutes < 1_440) return `${sign}${both(minutes, 60, 'h', 'min')}`
  return `${sign}${both(Math.round(size / 3_600), 24, 'd', 'h')}`
}

function both(value: number, step: number, large: string, small: string): string {
  const rest = value % step
  return `${Math.floor(value / step)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`
}

/** 12:05:44, the time of day in UTC */
export const clock = (seconds: number): string => new Date(Math.floor(seconds) * 1_000).toISOString().slice(11, 19)

/** Short form for cards: 42s, 3m, 2h, 4d. */
export function age(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < 60) return `${whole}s`
  if (whole < 3_600) return `${Math.floor(whole / 60)}m`
  if (whole < 86_400) return `${Math.floor(whole / 3_600)}h`
  return `${Math.floor(whole / 86_400)}d`
}

export function bytes(value: number): string {
  const steps = ['B', 'kB', 'MB', 'GB', 'TB'] as const
  const power = value < 1 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log10(value) / 3))
  const scaled = value / 1000 ** power
  return `${trimmed(scaled, scaled < 10 && power > 0 ? 1 : 0)} ${steps[power]}`
}

/** `4Xvo…j5vX` */
export const shortAddress = (value: string): string =>
  value.length <= 11 ? value : `${value.slice(0, 4)}…${value.slice(-4)}`
