import type { AppStatus } from '@ti/core/contract/app.ts'

export const perSecond = (counts: readonly number[], everyS: number): number[] =>
  counts.map((value) => value / (everyS > 0 ? everyS : 1))

/** `reconnects_total` → `Reconnects total` */
export function wordOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface Summary {
  readonly now: number | null
  readonly lowest: number | null
  readonly highest: number | null
}

/** Summarizes a line for screen readers. */
export function summaryOf(values: readonly (number | null)[]): Summary {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return { now: null, lowest: null, highest: null }
  return { now: values[values.length - 1] ?? null, lowest: Math.min(...known), highest: Math.max(...known) }
}

/** Seconds before now for each value, negative; the last one is 0. */
export const timesOf = (length: number, everyS: number): number[] =>
  Array.from({ length }, (_, i) => (i - length + 1) * everyS)

type Unknown = NonNullable<AppStatus['unknown']>['list'][number]

const WHY: Readonly<Record<string, string>> = {
  unknown: 'not known',
  too_short: 'shorter than any known layout',
  guard: 'a part has an impossible value',
  length: 'length differs from every known layout',
}

/** Describes an event or instruction that no decoder knows. */
export function unknownWords({ program, what, why, name, discriminator, length }: Unknown): string {
  if (discriminator === '') return `${program}: other ${what}s`
  const size = length < 0 ? 'several lengths' : `${length} bytes`
  return `${program} ${name === '' ? `${what} ${discriminator}` : name}, ${size}: ${WHY[why] ?? wordOf(why)}`
}
