import { SLOT_SECONDS } from '../../engine/constants.ts'

/** Numbers as text, in common units. */

/** `23 s`, `4 min`, `2.5 h`, `3 days` */
export function span(slots: number): string {
  const seconds = Math.max(0, slots) * SLOT_SECONDS
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  if (seconds < 129_600) return `${plain(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

/** One decimal below ten, none above. */
export function plain(value: number): string {
  const size = Math.abs(value)
  const digits = size >= 10 || Number.isInteger(value) ? 0 : size >= 0.1 || size === 0 ? 1 : 2
  const text = value.toFixed(digits)
  return Number(text) === 0 ? '0' : text
}

export const pctText = (value: number): string => `${plain(value)} %`

/** `1 launch`, `3 launches` */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** `a`, `a and b`, `a, b and c` */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
