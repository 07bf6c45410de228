import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { FundingFact } from '@ti/core/model/facts.ts'
import { createAsker, type Outcome } from '../asker.ts'
import type { Pause } from '../attempts.ts'
import type { Observer } from '../types.ts'
import { createHistory, type FundingOptions, unanswered } from './history.ts'
import { firstPayouts } from './transfer.ts'

/** newest signatures of an answer, slots before the launch that count (a day), transactions read and wallets reported of one
 * deployer, deployers at once, and failures until one is given up */
export const SIGNATURES = 50
export const SLOTS = 216_000
export const TRANSACTIONS = 10
const WALLETS = 32
export const AT_ONCE = 2
export const FAILURES = 3

const FAILED: Pause = { firstMs: 5_000, factor: 2, longestMs: 60_000 }

/**
 * Finds the wallets that a deployer gave SOL before its launch: one request for its newest transactions and one for each that
 * can be such a payment. Wallets that had no lamports before are reported, once a launch.
 */
export function createPayoutsObserver({ missing, report, rpc, exchanges, logger, around }: FundingOptions): Observer {
  const history = createHistory(rpc)

  async function payments(deployer: string, signatures: readonly string[], signal: AbortSignal) {
    const found = new Map<Key, FundingFact>()
    for (const signature of signatures) {
      const answer = await history.transaction(signature, signal)
      if (!answer.ok) return unanswered(answer.reason)
      const funder = keyFromBase58(deployer)!
      const exchange = exchanges()?.has(funder) === true
      for (const { taker, lamports } of firstPayouts(answer.value, deployer)) {
        const wallet = keyFromBase58(taker)
        if (wallet === null || found.size >= WALLETS) continue
        // transactions come newest first: the older payment is the first one
        found.set(wallet, { kind: 'funding', wallet, funder, slot: answer.value.slot, exchange, lamports })
      }
    }
    return [...found.values()]
  }

  return createAsker<{ readonly deployer: Key; readonly createdSlot: number }>({
    name: 'payouts',
    list: (limit) => (exchanges() === null ? [] : missing.deployersToTrace(limit)),
    subject: ({ deployer, createdSlot }) => `${deployer} ${createdSlot}`,
    together: AT_ONCE,
    pauses: { failed: FAILED },
    failuresMax: FAILURES,
    logger,
    around,
    async look({ deployer, createdSlot }, signal): Promise<Outcome> {
      const address = keyToBase58(deployer)
      const signed = await history.page(address, SIGNATURES, signal)
      if (!signed.ok) return unanswered(signed.reason)
      const near = signed.value.filter(
        ({ err, slot }) => err === null && slot <= createdSlot && slot > createdSlot - SLOTS,
      )
      const found = await payments(
        address,
        near.slice(0, TRANSACTIONS).map(({ signature }) => signature),
        signal,
      )
      if ('end' in found) return found
      if (found.length === 0) return { end: 'never', as: 'none' }
      if (!signal.aborted) report(found, around.clock.seconds())
      return { end: 'never', as: 'reported' }
    },
  })
}
