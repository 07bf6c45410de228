import { createSemaphore } from '../../base/semaphore.ts'
import { associatedTokenAccount } from '../../base/token-account.ts'
import { createBatched } from './batched.ts'
import type { Facilitator } from './facilitator.ts'
import type { Payers } from './payers.ts'
import type { TransactionFacts } from './transaction.ts'
import { mustWait, type NoTurn, RETRY_AFTER_S } from './turns.ts'

/** milliseconds that the first payment of a stranger waits for others, so that the node and the ledger are asked about all
 * of them at once: twenty requests a second to either at most, and not felt in a paid call */
export const STRANGERS_TOGETHER_MS = 50
/** strangers with enough money: looked up at once in the ledger, a statement each; waiting for that, some kB each */
const STRANGERS_LOOKED = 8
const STRANGERS_WAITING = 128

/** Checks before anything is written for a payment. A refusal here never affects payers who have paid before. */
interface Admission {
  /** null: continue. Throws if ledger or node does not answer */
  refusal(paying: Paying, units: number): Promise<Refusal | null>
}

export type Refusal =
  /** the payment is invalid */
  | { readonly kind: 'refused'; readonly reason: string }
  /** the payment may be valid later */
  | ({ readonly kind: 'later' } & Omit<NoTurn, 'ok'>)

type Paying = Pick<TransactionFacts, 'payer' | 'source'>

interface AdmissionOptions {
  readonly payers: Payers
  readonly funds: Facilitator['funds']
  /** we pay the fees of failures on chain */
  readonly ownFees: boolean
  /** mint of what is paid with */
  readonly asset: string
}

const CROWDED: Refusal = {
  kind: 'later',
  message: 'too many wallets that have never paid here are being checked',
  retryAfterS: RETRY_AFTER_S,
}

/**
 * Checks the balance of unknown wallets first, in batches, because a made-up wallet has none. Only funded wallets are looked up
 * in the ledger, under a semaphore of their own. A flood of made-up wallets costs a few node calls a second and no statement,
 * and earlier payers never wait for them.
 */
export function createAdmission({ payers, funds, ownFees, asset }: AdmissionOptions): Admission {
  const fundsOf = createBatched({ ms: STRANGERS_TOGETHER_MS, ask: funds })
  const strangers = createSemaphore({ atOnce: STRANGERS_LOOKED, waiting: STRANGERS_WAITING })

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
      const problem = sourceProblem(paying, asset)
      if (problem !== null) return problem
      const found = isKnown ? await waits(payer) : ((await strangers.run(() => waits(payer))) ?? CROWDED)
      return found === 'fine' ? null : found
    },
  }
}

/** Requires the wallet's associated token account, so that a balance belongs to one payer. */
function sourceProblem({ payer, source }: Paying, asset: string): Refusal | null {
  if (source === associatedTokenAccount(payer, asset)) return null
  const reason =
    "the transfer is not from the wallet's associated token account (invalid_exact_svm_payload_source_mismatch)"
  return { kind: 'refused', reason }
}
