import { createSemaphore } from '../../base/semaphore.ts'
import { LIMITS } from '../../config/limits.ts'
import type { Payers } from './payers.ts'
import { mustWait, type NoTurn } from './turns.ts'

/** What is checked before anything is written for a payment. A refusal here never affects payers who have paid before. */
interface Admission {
  /** null: continue. Throws if ledger or node do not answer */
  refusal(payer: string, units: number): Promise<Refusal | null>
}

export type Refusal =
  /** the payment is not good */
  | { readonly kind: 'refused'; readonly reason: string }
  /** it may be good another time */
  | ({ readonly kind: 'later' } & Omit<NoTurn, 'ok'>)

interface AdmissionOptions {
  readonly payers: Payers
  readonly funds: (payer: string) => Promise<bigint | null>
  /** whether failures on chain are paid for by us */
  readonly ownFees: boolean
}

const CROWDED: Refusal = {
  kind: 'later',
  message: 'too many wallets that have never paid here are being checked',
  retryAfterS: LIMITS.paymentRetryAfterS,
}

/**
 * Wallets that have never paid are checked under a semaphore of their own: first the record, then the balance, which a
 * made-up wallet does not have. A flood of them costs one check each, and earlier payers never wait for them.
 */
export function createAdmission({ payers, funds, ownFees }: AdmissionOptions): Admission {
  const strangers = createSemaphore({ atOnce: LIMITS.strangersLooked, waiting: LIMITS.strangersWaiting })

  async function waits(payer: string): Promise<{ readonly known: boolean; readonly refusal: Refusal | null }> {
    const { known, waitMs } = await payers.standing(payer)
    return { known, refusal: waitMs > 0 && ownFees ? { kind: 'later', ...mustWait(waitMs) } : null }
  }

  async function look(payer: string, units: number): Promise<Refusal | 'fine'> {
    const { known, refusal } = await waits(payer)
    if (refusal !== null) return refusal
    if (known) return 'fine'
    const has = await funds(payer)
    if (has === null || has >= BigInt(units)) return 'fine'
    return { kind: 'refused', reason: `the wallet holds ${has} units, the price is ${units} (insufficient_funds)` }
  }

  return {
    async refusal(payer, units) {
      if (payers.remembers(payer)) return (await waits(payer)).refusal
      const found = await strangers.run(() => look(payer, units))
      if (found === null) return CROWDED
      return found === 'fine' ? null : found
    },
  }
}
