import { within } from '@ti/core/base/within.ts'
import type { Logger } from '../../base/log.ts'
import type { Facilitator, Readiness } from './facilitator.ts'

/** milliseconds between two looks at facilitator, fee payer and seller's account */
export const CHECK_MS = 30_000

/** Checks at intervals whether payments could be settled. */
interface ReadinessWatch {
  readonly now: Readiness
  /** checks if due: each time while payments are refused, else every CHECK_MS; never fails */
  look(): Promise<void>
}

export const STARTING: Readiness = { ready: false, reason: 'payments are starting' }

export function watchReadiness(options: {
  readonly facilitator: Facilitator
  readonly logger: Logger
  readonly now: () => number
  /** milliseconds until a check times out */
  readonly lookMs: number
}): ReadinessWatch {
  const { facilitator, logger, now, lookMs } = options
  let readiness = STARTING
  let lookedMs = Number.NEGATIVE_INFINITY

  function logChange(found: Readiness): void {
    if (found.reason === readiness.reason) return
    if (found.ready) logger.info({ fee_payer: facilitator.feePayer() }, 'payments are taken')
    else logger.error({ reason: found.reason }, 'payments are not accepted; keys still work')
  }

  return {
    get now() {
      return readiness
    },
    async look() {
      if (readiness.ready && now() - lookedMs < CHECK_MS) return
      const late = (): Readiness => ({ ready: false, reason: 'the facilitator or the chain does not answer in time' })
      const found = await within(lookMs, facilitator.check()).catch(late)
      lookedMs = now()
      logChange(found)
      readiness = found
    },
  }
}
