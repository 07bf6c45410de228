import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { createPoller } from '../base/poller.ts'
import type { Agreement } from '../log/jetstream/agreement.ts'
import { FOLD_FINGERPRINT } from '../store/fingerprint.ts'

/** milliseconds between two looks at which fold the nodes of a log serve: after `adopt` they change within as long */
const LOG_AGREED_MS = 2_000

/**
 * The fold that the nodes sharing a log agreed on: two folds give different answers.
 * Asks every few seconds. While the servers are unreachable, the last known fold stays valid.
 */
export function watchAgreedFold(log: Agreement, logger: Logger, metrics: Metrics) {
  let agreed: string | null = null
  async function ask(): Promise<void> {
    const found = await log.agreed(FOLD_FINGERPRINT)
    if (found !== agreed)
      logger.info({ own: FOLD_FINGERPRINT, agreed: found }, 'fingerprint of the fold that nodes serve')
    agreed = found
  }
  const poller = createPoller({ what: 'the agreed fold', everyMs: LOG_AGREED_MS, run: ask })
  poller.wake()
  metrics.gauge(
    'ti_fold_agreed',
    '1 while this node folds as the nodes of its log agreed, 0 while it does not, -1 unknown',
    ['own', 'agreed'],
    () => [
      {
        labels: { own: FOLD_FINGERPRINT, agreed: agreed ?? '' },
        value: agreed === null ? -1 : Number(agreed === FOLD_FINGERPRINT),
      },
    ],
  )
  return {
    /** The fingerprint of the agreed fold, or null while it is unknown. */
    agreed: (): string | null => agreed,
    close: (): void => void poller.stop(),
  }
}
