/** Formats numbers, amounts and times. */

export const NONE = '–'

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
export const counted = (value: number, one: string): string => `${count(value)} ${one}${value === 1 ? '' : 's'}`
export const usd = (value: number): string => (value < 0 ? `−$${compact(-value)}` : `$${compact(value)}`)
export const usdExact = (value: number): string => `$${count(value)}`

export function pct(value: number, digits = value !== 0 && Math.abs(value) < 10 ? 1 : 0): string {
  return `${trimmed(value, digits)}%`
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

export const signedSol = (value: number): string => signed(value, `${sol(value)} SOL`)

export const toneOf = (value: number): 'good' | 'bad' | undefined =>
  value > 0 ? 'good' : value < 0 ? 'bad' : undefined

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const

/** The two largest units: 42 s, 3 min, 2 h 5 min, 4 d 2 h. */
export function duration(seconds: number): string {
  const whole = Math.round(Math.abs(seconds))
  const sign = seconds < 0 && whole > 0 ? '−' : ''
  for (const [i, [size, name]] of UNITS.entries()) {
    if (whole < size) continue
    const next = UNITS[i + 1]
    const rest = next === undefined || name === 'min' ? 0 : Math.floor((whole % size) / next[0])
    return `${sign}${Math.floor(whole / size)} ${name}${rest > 0 && next ? ` ${rest} ${next[1]}` : ''}`
  }
  return '0 s'
}

/** Short form for cards: 42s, 3m, 2h, 4d. */
export function age(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < 60) return `${whole}s`
  if (whole < 3_600) return `${Math.floor(whole / 60)}m`
  if (whole < 86_400) return `${Math.floor(whole / 3_600)}h`
  return `${Math.floor(whole / 86_400)}d`
}

/** approximate seconds per slot */
export const SLOT_S = 0.4

export function bytes(value: number): string {
  const steps = ['B', 'kB', 'MB', 'GB', 'TB'] as const
  const power = value < 1 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log10(value) / 3))
  const scaled = value / 1000 ** power
  return `${trimmed(scaled, scaled < 10 && power > 0 ? 1 : 0)} ${steps[power]}`
}

/** `4Xvo…j5vX` */
export const shortAddress = (value: string): string =>
  value.length <= 11 ? value : `${value.slice(0, 4)}…${value.slice(-4)}`

let moments: Intl.DateTimeFormat | null = null

/** Local date and time to the second. */
export function moment(at: string | number | Date): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return NONE
  // creating a formatter costs a hundred times its use
  moments ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
  return moments.format(date)
}
