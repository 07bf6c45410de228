import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { isoMicros } from '@ti/core/base/time.ts'
import { idlOf } from '@ti/core/decode/idl.ts'
import { IDL_TABLE } from '@ti/core/decode/idl-table.ts'
import type { UnknownKind } from '@ti/core/decode/unknown.ts'
import type { Metrics } from '../base/metrics.ts'
import type { UnknownSummary } from '../faces/status.ts'
import type { UnknownKeeper } from '../ingest/unknown-file.ts'
import { ageInDays } from './interfaces/news.ts'

/** kinds listed by /readyz and the page: an answer that a monitor asks for every second stays short */
const KINDS_SHOWN = 16

/** The program's name in its interface file, else its address. */
export function labelOf(program: string): string {
  const key = keyFromBase58(program)
  return (key === null ? undefined : idlOf(key)?.label) ?? program
}

const lastTime = (kinds: readonly UnknownKind[]): number => Math.max(0, ...kinds.map((kind) => kind.lastTime))

/** The summary for /readyz and the page. */
export function summaryOf(kinds: readonly UnknownKind[]): UnknownSummary {
  const last = lastTime(kinds)
  return {
    kinds: kinds.length,
    count: kinds.reduce((sum, { count }) => sum + count, 0),
    lastSeen: last === 0 ? null : isoMicros(last),
    shown: kinds.slice(0, KINDS_SHOWN).map(({ program, what, why, name, discriminator, length, count, lastSlot }) => ({
      program: labelOf(program),
      what,
      why,
      name,
      discriminator,
      length,
      count,
      lastSlot,
    })),
  }
}

/**
 * The metric is the time of the last sighting, and not a count, for two reasons: a series that begins with its first count
 * shows no increase, and the alarm ends by itself once an update decodes the kind.
 */
export function addUnknownMetrics(metrics: Metrics, unknown: Pick<UnknownKeeper, 'kinds'>): void {
  metrics.counter(
    'ti_unknown_total',
    'events and instructions of watched programs that no decoder knows, over all starts',
    ['program', 'what', 'why', 'discriminator', 'length'],
    () =>
      unknown.kinds().map(({ program, what, why, discriminator, length, count }) => ({
        labels: { program: labelOf(program), what, why, discriminator, length },
        value: count,
      })),
  )
  metrics.gauge('ti_unknown_kinds', 'kinds of them', [], () => unknown.kinds().length)
  metrics.gauge('ti_unknown_seen_timestamp_seconds', 'block time of the last one, 0 none', [], () =>
    lastTime(unknown.kinds()),
  )
  metrics.gauge(
    'ti_interface_age_seconds',
    'time since the interface of a watched program was last seen to be the newest',
    ['program'],
    () =>
      Object.values(IDL_TABLE).map(({ label, asOf }) => ({
        labels: { program: label },
        value: ageInDays(asOf, Date.now()) * 86_400,
      })),
  )
}
