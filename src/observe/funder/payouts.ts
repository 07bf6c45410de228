import { z } from 'zod'
import { keyFromBase58, keyToBase58 } from '../../base/base58.ts'
import type { Key } from '../../base/ids.ts'
import type { Logger } from '../../base/log.ts'
import { LIMITS } from '../../config/limits.ts'
import type { FundingFact } from '../../model/facts.ts'
import { createAsker, type Outcome } from '../asker.ts'
import type { Pause } from '../attempts.ts'
import type { BudgetedRpc } from '../budgeted-rpc.ts'
import type { Surroundings } from '../clock.ts'
import type { WalletList } from '../lists/wallet-list.ts'
import type { Observer, Tell, World } from '../types.ts'
import { firstPayouts, TRANSACTION } from './transfer.ts'

interface PayoutsOptions {
  readonly world: World
  readonly tell: Tell
  readonly rpc: BudgetedRpc
  /** wallets of exchanges; null until the operator's list was read: nobody is looked up before that */
  readonly exchanges: () => WalletList | null
  readonly logger: Logger
  readonly around: Surroundings
}

const FAILED: Pause = { firstMs: 5_000, factor: 2, longestMs: 60_000 }
const CONFIRMED = { commitment: 'confirmed' } as const
const SIGNATURES = z
  .array(z.object({ signature: z.string(), slot: z.int().min(0), err: z.unknown() }))
  .max(LIMITS.payoutSignatures)

/**
 * Whom the deployer of a launch gave SOL before it: one request for its newest transactions and one for each that can be such a
 * payment. Told are wallets that had no lamports before, once a launch.
 */
export function createPayoutsObserver({ world, tell, rpc, exchanges, logger, around }: PayoutsOptions): Observer {
  async function payments(deployer: string, signatures: readonly string[], signal: AbortSignal) {
    const found = new Map<Key, FundingFact>()
    for (const signature of signatures) {
      const config = { ...CONFIRMED, encoding: 'jsonParsed', maxSupportedTransactionVersion: 1 }
      const answer = await rpc.call('getTransaction', [signature, config], TRANSACTION, signal)
      if (!answer.ok) return unanswered(answer.reason)
      const funder = keyFromBase58(deployer)!
      const exchange = exchanges()?.has(funder) === true
      for (const { taker, lamports } of firstPayouts(answer.value, deployer)) {
        const wallet = keyFromBase58(taker)
        if (wallet === null || found.size >= LIMITS.payoutWallets) continue
        // transactions come newest first: the older payment is the first one
        found.set(wallet, { kind: 'funding', wallet, funder, slot: answer.value.slot, exchange, lamports })
      }
    }
    return [...found.values()]
  }

  return createAsker<{ readonly deployer: Key; readonly createdSlot: number }>({
    name: 'payouts',
    list: (limit) => (exchanges() === null ? [] : world.deployersToTrace(limit)),
    subject: ({ deployer, createdSlot }) => `${deployer} ${createdSlot}`,
    together: LIMITS.payoutTogether,
    pauses: { failed: FAILED },
    failuresMax: LIMITS.payoutFailures,
    logger,
    around,
    async look({ deployer, createdSlot }, signal): Promise<Outcome> {
      const address = keyToBase58(deployer)
      const config = { ...CONFIRMED, limit: LIMITS.payoutSignatures }
      const signed = await rpc.call('getSignaturesForAddress', [address, config], SIGNATURES, signal)
      if (!signed.ok) return unanswered(signed.reason)
      const near = signed.value.filter(
        ({ err, slot }) => err === null && slot <= createdSlot && slot > createdSlot - LIMITS.payoutSlots,
      )
      const found = await payments(
        address,
        near.slice(0, LIMITS.payoutTransactions).map(({ signature }) => signature),
        signal,
      )
      if ('end' in found) return found
      if (found.length === 0) return { end: 'never', as: 'none' }
      if (!signal.aborted) tell(found, around.clock.seconds())
      return { end: 'never', as: 'told' }
    },
  })
}

const unanswered = (reason: string): Outcome => ({ end: reason === 'busy' ? 'busy' : 'failed', as: reason })
