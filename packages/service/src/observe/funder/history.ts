import { z } from 'zod'
import type { Logger } from '../../base/log.ts'
import type { Outcome } from '../asker.ts'
import type { BudgetedRpc } from '../budgeted-rpc.ts'
import type { Surroundings } from '../clock.ts'
import type { WalletList } from '../lists/wallet-list.ts'
import type { MissingFacts, Report } from '../types.ts'
import { TRANSACTION } from './transfer.ts'

/** Options of the two observers that read a wallet's transactions. */
export interface FundingOptions {
  readonly missing: MissingFacts
  readonly report: Report
  readonly rpc: BudgetedRpc
  /**
   * wallets of exchanges; null until the operator's list was read. No wallet is looked up before that, because the first
   * answer stays and would treat an exchange as a stranger
   */
  readonly exchanges: () => WalletList | null
  readonly logger: Logger
  readonly around: Surroundings
}

const SIGNED = z.object({ signature: z.string(), slot: z.int().min(0), err: z.unknown() })
export type Signed = z.infer<typeof SIGNED>

const CONFIRMED = { commitment: 'confirmed' } as const

/** the most signatures that nodes give at once */
export const HISTORY_PAGE = 1_000
/** oldest transactions read of a wallet or mint */
const OLDEST = 3

/** Confirmed transactions of a wallet or mint as the node has them, asked one request at a time within the budget. */
export function createHistory(rpc: BudgetedRpc) {
  /** `limit` transactions at most, newest first, older than the one named `before` */
  function page(address: string, limit: number, signal: AbortSignal, before?: string) {
    const config = { ...CONFIRMED, limit, ...(before === undefined ? {} : { before }) }
    return rpc.call('getSignaturesForAddress', [address, config], z.array(SIGNED).max(limit), signal)
  }

  return {
    page,
    /** The OLDEST successful ones before `met`, oldest first, within so many pages; or how looking for them ended. */
    async oldest(address: string, pages: number, signal: AbortSignal, met?: string): Promise<Signed[] | Outcome> {
      let kept: Signed[] = []
      let before = met
      for (let n = 0; n < pages; n++) {
        const answer = await page(address, HISTORY_PAGE, signal, before)
        if (!answer.ok) return unanswered(answer.reason)
        const good = answer.value.filter(({ err }) => err === null)
        kept = [...good.reverse(), ...kept].slice(0, OLDEST)
        // a page that is not full is the last one
        if (answer.value.length < HISTORY_PAGE) return kept
        before = answer.value.at(-1)!.signature
      }
      return { end: 'never', as: 'long_history' }
    },
    /** In the node's own form, with its inner instructions. */
    whole(signature: string, signal: AbortSignal) {
      const config = { ...CONFIRMED, encoding: 'json', maxSupportedTransactionVersion: 1 }
      return rpc.call('getTransaction', [signature, config], z.unknown(), signal)
    },
    transaction(signature: string, signal: AbortSignal) {
      const config = { ...CONFIRMED, encoding: 'jsonParsed', maxSupportedTransactionVersion: 1 }
      return rpc.call('getTransaction', [signature, config], TRANSACTION, signal)
    },
  }
}

export const unanswered = (reason: string): Outcome => ({ end: reason === 'busy' ? 'busy' : 'failed', as: reason })
