import { every } from '../base/every.ts'
import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { LIMITS } from '../config/limits.ts'
import type { Agreement } from '../log/jetstream/agreement.ts'
import { FOLD_FINGERPRINT } from '../store/fingerprint.ts'

/** The fold that the nodes sharing a log agreed on: two folds give different answers. */
interface AgreedFold {
  /** fingerprint that is agreed on; null: not known yet */
  agreed(): string | null
  close(): void
}

/** Asks every few seconds; while the servers are away, what was agreed last holds. */
export function watchAgreedFold(log: Agreement, logger: Logger, metrics: Metrics): AgreedFold {
  let agreed: string | null = null
  let isAsking = false
  const ask = async (): Promise<void> => {
    if (isAsking) return
    isAsking = true
    try {
      const found = await log.agreed(FOLD_FINGERPRINT)
      if (found !== agreed)
        logger.info({ own: FOLD_FINGERPRINT, agreed: found }, 'fingerprint of the fold that nodes serve')
      agreed = found
    } finally {
      isAsking = false
    }
  }
  // the next round asks again after a failure
  ask().catch(() => {})
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
    agreed: () => agreed,
    close: every({ what: 'the agreed fold', ms: LIMITS.logAgreedMs, run: ask }),
  }
}
