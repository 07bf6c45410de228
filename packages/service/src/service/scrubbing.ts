import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { processTroubles } from '../base/troubles.ts'
import type { Options } from '../config/options.ts'
import type { ScrubSummary } from '../faces/status.ts'
import { lastSetAside } from '../store/damaged-states.ts'
import { startScrubber } from '../store/scrubber.ts'

/** Verifies log and state beside the service. A damaged log is only reported, because no other file has its entries. */
export function startScrubbing(
  { dataDir }: Pick<Options, 'dataDir'>,
  logger: Logger,
  metrics: Metrics,
  onDamagedState: () => void,
) {
  const scrubber = startScrubber(dataDir, {
    onDamagedState(what) {
      logger.error({ what }, 'the state was found damaged')
      onDamagedState()
    },
    onDamagedLog: (damage) => logger.error({ damage }, 'the log is damaged: replace the segment from a checkpoint'),
    onFailed: (error) => processTroubles.note('scrub', error),
  })
  const last = scrubber.last
  const gauge = (name: string, help: string, read: () => number): void => metrics.gauge(name, help, [], read)
  const setAside = lastSetAside(dataDir) / 1_000
  gauge('ti_state_set_aside_timestamp_seconds', 'when a damaged state was last set aside, 0 never', () => setAside)
  gauge('ti_scrub_timestamp_seconds', 'when log and state were last read and checked whole, 0 never', () => {
    return (last()?.endedMs ?? 0) / 1_000
  })
  gauge('ti_scrub_records', 'records of the state that were read then', () => last()?.records ?? 0)
  gauge('ti_scrub_log_bytes', 'bytes of the log that were read then', () => last()?.logBytes ?? 0)
  gauge('ti_scrub_log_faults', 'faults of the log that were found then', () => last()?.damage.length ?? 0)
  return {
    /** The last complete pass, or null before the first one. */
    summary(): ScrubSummary | null {
      const pass = last()
      return pass && { ...pass, ended: new Date(pass.endedMs).toISOString() }
    },
    /** When a damaged state was last set aside, RFC 3339; null for never. */
    setAside: setAside === 0 ? null : new Date(setAside * 1_000).toISOString(),
    close: scrubber.close,
  }
}
