import type { WatchRow } from '../access/sql/schema.ts'
import type { Happening } from './events.ts'

/** The report count of a watch in its current minute. The fields are named like the columns of its row. */
export interface Reported {
  readonly minute: number
  readonly sent: number
  readonly folded: number
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

const SECONDS = 60

/**
 * Limits each watch to `perMinute` reports in a minute of the chain's time. The rest becomes one summary once the chain's time
 * is past that minute. The function is pure: the caller replaces the known counts by `changed`.
 */
export function foldStorms(
  happenings: readonly Happening[],
  before: (watch: string) => Reported,
  open: readonly WatchRow[],
  newest: { readonly slot: number; readonly time: number },
  perMinute: number,
): { readonly passed: Happening[]; readonly changed: ReadonlyMap<string, Reported> } {
  const changed = new Map<string, Writable<Reported>>()
  const passed: Happening[] = []

  /** The count of the minute. It is counted on in place: a block may have thousands of happenings. */
  function enter(watch: WatchRow, minute: number, time: number, slot: number): Writable<Reported> {
    const count = changed.get(watch.id) ?? { ...before(watch.id) }
    changed.set(watch.id, count)
    // Blocks come in order, so an event with an earlier time counts in the current minute.
    if (minute <= count.minute) return count
    if (count.folded > 0) passed.push(summary(watch, count, time, slot))
    return Object.assign(count, { minute, sent: 0, folded: 0 })
  }

  for (const one of happenings) {
    const count = enter(one.watch, Math.floor(one.time / SECONDS), one.time, one.slot)
    if (count.sent < perMinute) {
      count.sent++
      passed.push(one)
    } else count.folded++
  }
  const minute = Math.floor(newest.time / SECONDS)
  for (const watch of open) {
    const { folded, minute: last } = changed.get(watch.id) ?? before(watch.id)
    if (folded > 0 && minute > last) enter(watch, minute, newest.time, newest.slot)
  }
  return { passed, changed }
}

const summary = (watch: WatchRow, { minute, sent, folded }: Reported, time: number, slot: number): Happening => ({
  watch,
  event: 'summary' as const,
  key: `minute ${minute}`,
  token: null,
  wallet: null,
  signature: null,
  slot,
  time,
  why: { reported: sent, more: folded, minute_from: minute * SECONDS },
})
