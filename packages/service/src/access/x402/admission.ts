import { createSemaphore } from '../../base/semaphore.ts'
import { associatedTokenAccount } from '../../base/token-account.ts'
import { LIMITS } from '../../config/limits.ts'
import { createBatched } from './batched.ts'
import type { Facilitator } from './facilitator.ts'
import { ASSET } from './network.ts'
import type { Payers } from './payers.ts'
import type { TransactionFacts } from './transaction.ts'
import { mustWait, type NoTurn } from './turns.ts'

/** What is checked before anything is written for a payment. A refusal here never affects payers who have paid before. */
interface Admission {
  /** null: continue. Throws if ledger or node do not answer */
  refusal(paying: Paying, units: number): Promise<Refusal | null>
}

export type Refusal =
  /** the payment is not good */
  | { readonly kind: 'refused'; readonly reason: string }
  /** it may be good another time */
  | ({ readonly kind: 'later' } & Omit<NoTurn, 'ok'>)

type Paying = Pick<TransactionFacts, 'payer' | 'source'>

interface AdmissionOptions {
  readonly payers: Payers
  readonly funds: Facilitator['funds']
  /** whether failures on chain are paid for by us */
  readonly ownFees: boolean
}

const CROWDED: Refusal = {
  kind: 'later',
  message: 'too many wallets that have never paid here are being checked',
  retryAfterS: LIMITS.paymentRetryAfterS,
}

/**
 * Of wallets that have never paid the balance is checked first, which a made-up wallet does not have, many in one question to
 * the node. Only those with money are looked up in the ledger, under a semaphore of their own. A flood of made-up wallets
 * costs a few questions a second and no statement, and earlier payers never wait for them.
 */
export function createAdmission({ payers, funds, ownFees }: AdmissionOptions): Admission {
  const fundsOf = createBatched({ ms: LIMITS.strangersTogetherMs, ask: funds })
  const strangers = createSemaphore({ atOnce: LIMITS.strangersLooked, waiting: LIMITS.strangersWaiting })

  async function waits(payer: string): Promise<Refusal | 'fine'> {
    const { waitMs } = await payers.standing(payer)
    return waitMs > 0 && ownFees ? { kind: 'later', ...mustWait(waitMs) } : 'fine'
  }

  return {
    async refusal(paying, units) {
      const { payer, source } = paying
      const isKnown = payers.remembers(payer)
      const has = isKnown ? null : await fundsOf(source)
      if (has !== null && has < BigInt(units)) {
        return { kind: 'refused', reason: `the wallet holds ${has} units, the price is ${units} (insufficient_funds)` }
      }
      const problem = sourceProblem(paying)
      if (problem !== null) return problem
      const found = isKnown ? await waits(payer) : ((await strangers.run(() => waits(payer))) ?? CROWDED)
      return found === 'fine' ? null : found
    },
  }
}

/** A balance belongs to one payer if payments come only from the wallet's associated token account. */
function sourceProblem({ payer, source }: Paying): Refusal | null {
  if (source === associatedTokenAccount(payer, ASSET)) return null
  const reason =
    "the transfer is not from the wallet's associated token account (invalid_exact_svm_payload_source_mismatch)"
  return { kind: 'refused', reason }
}
