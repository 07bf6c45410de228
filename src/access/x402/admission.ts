import { LIMITS } from '../../config/limits.ts'
import { createLane } from './lane.ts'
import type { Payers } from './payers.ts'
import { mustWait, type NoTurn } from './turns.ts'

/** What is looked at before anything is written for a payment; a refusal is worth nothing to those who paid earlier. */
export interface Admission {
  /** null: go on. Throws where ledger or node do not answer */
  refusal(payer: string, units: number): Promise<Refusal | null>
}

export type Refusal =
  /** the payment is not good */
  | { readonly kind: 'refused'; readonly reason: string }
  /** it may be good another time */
  | ({ readonly kind: 'later' } & Omit<NoTurn, 'ok'>)

export interface AdmissionOptions {
  readonly payers: Payers
  readonly funds: (payer: string) => Promise<bigint | null>
  /** whether failures on chain are paid for by us */
  readonly ownFees: boolean
}

const CROWDED: Refusal = {
  kind: 'later',
  message: 'too many wallets that have not paid here before are being looked at',
  retryAfterS: LIMITS.paymentRetryAfterS,
}

/**
 * Strangers are looked at in a lane of their own: the record, then the balance, which a wallet made up for the occasion
 * does not have. So a flood of those costs one look each, and those who paid before never wait for them.
 */
export function createAdmission({ payers, funds, ownFees }: AdmissionOptions): Admission {
  const strangers = createLane({ atOnce: LIMITS.strangersLooked, waiting: LIMITS.strangersWaiting })

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
