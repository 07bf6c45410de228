import type { AppStatus } from '@ti/core/contract/app.ts'
import { timeOfDay } from '../../ui/clock.ts'
import { counted, duration, SLOT_S } from '../../ui/format.ts'

/** Counts since the sample before, as a rate; the first has no sample before it. */
export const perSecond = (counts: readonly number[], times: readonly number[]): (number | null)[] =>
  counts.map((value, i) => {
    const seconds = i === 0 ? 0 : times[i]! - times[i - 1]!
    return seconds > 0 ? value / seconds : null
  })

/** The state in one sentence. */
export function stateInWords({ ready, reason, lag_slots: lag, uptime_s, tokens_live }: AppStatus): string {
  if (!ready) return `Not ready: ${reason ?? 'the service is starting'}.`
  const late = lag === null ? 'at an unknown distance from the chain' : `${duration(lag * SLOT_S)} behind the chain`
  return `Ready and ${late}. It follows ${counted(tokens_live, 'live token')} and has run for ${duration(uptime_s)}.`
}

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

interface Tick {
  readonly at: number
  /** time of day, in the reader's zone */
  readonly text: string
}

/** seconds of a minute */
const MINUTE_S = 60
/** most labels of the axis */
const TICKS = 4

/** Whole minutes between two times (Unix seconds). */
export function ticksOf(first: number, last: number): Tick[] {
  const step = MINUTE_S * Math.max(1, Math.ceil((last - first) / MINUTE_S / TICKS))
  const from = Math.ceil(first / step) * step
  const count = Math.max(0, Math.floor((last - from) / step) + 1)
  return Array.from({ length: count }, (_, i) => from + i * step).map((at) => ({
    at,
    text: timeOfDay(1000 * at, 1000 * last),
  }))
}

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
