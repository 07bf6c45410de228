import type { WatchRow } from '../access/sql/schema.ts'
import type { Happening } from './events.ts'

/** The report count of a watch in its current minute. The fields are named like the columns of its row. */
export interface Reported {
  readonly minute: number
  readonly sent: number
  readonly folded: number
}

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
  const changed = new Map<string, Reported>()
  const passed: Happening[] = []
  const of = (id: string): Reported => changed.get(id) ?? before(id)

  function enter(watch: WatchRow, minute: number, time: number, slot: number): Reported {
    const known = of(watch.id)
    // Blocks come in order, so an event with an earlier time counts in the current minute.
    if (minute <= known.minute) return known
    if (known.folded > 0) passed.push(summary(watch, known, time, slot))
    return { minute, sent: 0, folded: 0 }
  }

  for (const one of happenings) {
    const { watch, time, slot } = one
    const now = enter(watch, Math.floor(time / SECONDS), time, slot)
    const room = now.sent < perMinute
    if (room) passed.push(one)
    changed.set(watch.id, room ? { ...now, sent: now.sent + 1 } : { ...now, folded: now.folded + 1 })
  }
  const minute = Math.floor(newest.time / SECONDS)
  for (const watch of open) {
    const known = of(watch.id)
    if (known.folded > 0 && minute > known.minute) changed.set(watch.id, enter(watch, minute, newest.time, newest.slot))
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
