import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { createAsker, type Outcome } from '../asker.ts'
import type { Pause } from '../attempts.ts'
import type { Observer } from '../types.ts'
import { createHistory, type FundingOptions, type Signed, unanswered } from './history.ts'
import { firstSender } from './transfer.ts'

/** wallets at once, pages of a wallet, and failures until a wallet is given up */
export const AT_ONCE = 2
export const FUNDER_PAGES = 3
export const FAILURES = 5

const FAILED: Pause = { firstMs: 20_000, factor: 4, longestMs: 3_600_000 }

/** Finds who sent wallets their first SOL: from the oldest transactions of a wallet, within a budget of requests. */
export function createFunderObserver({ missing, report, rpc, exchanges, logger, around }: FundingOptions): Observer {
  const history = createHistory(rpc)

  async function firstFunding(wallet: string, oldestFirst: readonly Signed[], signal: AbortSignal) {
    for (const { signature } of oldestFirst) {
      const answer = await history.transaction(signature, signal)
      if (!answer.ok) return unanswered(answer.reason)
      const found = firstSender(answer.value, wallet)
      if (found === null) return { end: 'failed', as: 'malformed' } as const
      // the wallet was mentioned before it had a balance: try the next transaction
      if (found === 'none') continue
      // the node does not have the whole history, or the lamports have no sender
      if (found === 'held') return { end: 'never', as: 'history_cut' } as const
      if (found === 'unnamed') return { end: 'never', as: 'no_sender' } as const
      return { funder: keyFromBase58(found.sender), slot: answer.value.slot, lamports: found.lamports }
    }
    return { end: 'never', as: 'no_sender' } as const
  }

  return createAsker<{ readonly wallet: Key; readonly before: number }>({
    name: 'funder',
    list: (limit) => (exchanges() === null ? [] : missing.walletsWithoutFunder(limit)),
    subject: ({ wallet }) => wallet,
    together: AT_ONCE,
    pauses: { failed: FAILED },
    failuresMax: FAILURES,
    logger,
    around,
    async look({ wallet, before }, signal): Promise<Outcome> {
      const address = keyToBase58(wallet)
      const signed = await history.oldest(address, FUNDER_PAGES, signal)
      if ('end' in signed) return signed
      // a node that lacks the purchase itself, or is behind it, does not have the wallet's beginning either
      if (signed.length === 0 || signed[0]!.slot > before) return { end: 'failed', as: 'no_history' }
      const found = await firstFunding(address, signed, signal)
      if ('end' in found) return found
      if (found.funder === null) return { end: 'failed', as: 'malformed' }
      const exchange = exchanges()?.has(found.funder) === true
      const { funder, slot, lamports } = found
      const fact = { kind: 'funding', wallet, funder, slot, exchange, lamports } as const
      if (!signal.aborted) report([fact], around.clock.seconds())
      return { end: 'reported', as: 'reported' }
    },
  })
}
