import { z } from 'zod'
import type { SolanaRpc } from '../solana-rpc.ts'

export const DEPOSITS = {
  /** signatures of one page (the most nodes give), pages walked back in one look (the next goes on), oldest signatures of
   * them that are kept */
  page: 1_000,
  pages: 1_000,
  waiting: 10_000,
}

/** A finalized transaction that names the paid wallet. */
export interface SeenTransaction {
  readonly signature: string
  readonly slot: number
  /** block time, Unix seconds */
  readonly time: number
  readonly failed: boolean
}

/** The lamports that the paid wallet received, and every account of the transaction in key order. */
interface Transfer {
  readonly keys: readonly string[]
  /** lamports; zero or less if it received none */
  readonly rise: number
}

/** The last transaction read; everything before it has been read too. */
export type Position = Pick<SeenTransaction, 'signature' | 'time'>

export interface Waiting {
  readonly transactions: readonly SeenTransaction[]
  /** time of the newest transaction, even if it is not in the list; 0 if there is none */
  readonly newestTime: number
}

export type DepositSource = ReturnType<typeof createDepositSource>

const Signatures = z.array(
  z.object({
    signature: z.string().min(64).max(88),
    slot: z.int().min(0),
    err: z.unknown(),
    blockTime: z.number().nullish(),
  }),
)
type Signatures = z.output<typeof Signatures>

const AccountKeys = z.array(z.union([z.string(), z.object({ pubkey: z.string() }).transform(({ pubkey }) => pubkey)]))
const Transaction = z.object({
  transaction: z.object({ message: z.object({ accountKeys: AccountKeys }) }),
  meta: z.object({
    err: z.unknown(),
    // other accounts may hold more than a number represents exactly
    preBalances: z.array(z.number()),
    postBalances: z.array(z.number()),
    loadedAddresses: z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) }).nullish(),
  }),
})

interface DepositSourceOptions {
  readonly rpc: SolanaRpc
  /** base58 */
  readonly payTo: string
  readonly bounds?: Readonly<typeof DEPOSITS>
}

/** generous bound in seconds by which block times may run backwards */
const TIME_SLACK_S = 600

const isError = (err: unknown): boolean => err !== null && err !== undefined

/** Deposits as reported by a node; both functions throw if it does not answer. */
export function createDepositSource({ rpc, payTo, bounds = DEPOSITS }: DepositSourceOptions) {
  async function page(before: string | null, until: string | null): Promise<Signatures> {
    const place = { ...(before === null ? {} : { before }), ...(until === null ? {} : { until }) }
    const options = { commitment: 'finalized', limit: bounds.page, ...place }
    return Signatures.parse(await rpc('getSignaturesForAddress', [payTo, options]))
  }

  /** A walk back that ran out of pages; the next call continues it. */
  interface Walk {
    readonly from: string | null
    readonly before: string | null
    readonly oldest: readonly SeenTransaction[]
    readonly newestTime: number
  }
  let unfinished: Walk | null = null
  /** result of a walk with more transactions than fit, until they are handled */
  let backlog: (Waiting & { readonly from: string | null }) | null = null

  /** Returns the rest of the backlog after `position`; null if the node must be queried. */
  function rest(position: Position | null): Waiting | null {
    if (backlog === null) return null
    const { from, transactions, newestTime } = backlog
    const reached = transactions.findIndex(({ signature }) => signature === position?.signature)
    const known = reached >= 0 || (position?.signature ?? null) === from
    const left = transactions.slice(reached + 1)
    return known && left.length > bounds.page ? { transactions: left, newestTime } : null
  }

  async function walk(position: Position | null, notBefore: number, start: Walk): Promise<Walk | Waiting> {
    // a node without the position's transaction does not stop there, so the time limit does
    const from = Math.max(notBefore, (position?.time ?? 0) - TIME_SLACK_S)
    let oldest = [...start.oldest]
    let { before, newestTime } = start
    const done = (): Waiting => ({ transactions: oldest.reverse(), newestTime })
    for (let pages = 0; pages < bounds.pages; pages++) {
      const found = await page(before, start.from)
      for (const { signature, slot, err, blockTime } of found) {
        const time: number = blockTime ?? oldest.at(-1)?.time ?? from
        if (signature === start.from || time < from) return done()
        newestTime = Math.max(newestTime, time)
        oldest.push({ signature, slot, time, failed: isError(err) })
      }
      if (found.length === 0) return done()
      if (oldest.length > bounds.waiting) oldest = oldest.slice(-bounds.waiting)
      before = found.at(-1)!.signature
    }
    return { ...start, before, oldest, newestTime }
  }

  return {
    /**
     * Transactions after `position`, oldest first; blocks before `notBefore` (Unix seconds) are ignored. If there are more
     * than DEPOSITS.waiting, the oldest of them; the rest follows after those were read. Returns none when there are so
     * many that finding the oldest takes another call.
     */
    async after(position: Position | null, notBefore: number): Promise<Waiting> {
      const left = rest(position)
      if (left !== null) return left
      backlog = null
      const from = position?.signature ?? null
      const goesOn = unfinished !== null && unfinished.from === from
      const start: Walk = goesOn ? unfinished! : { from, before: null, oldest: [], newestTime: 0 }
      // after a failure the next call starts over, because the node may have forgotten the place
      unfinished = null
      const ended = await walk(position, notBefore, start)
      if (!('transactions' in ended)) {
        unfinished = ended
        return { transactions: [], newestTime: 0 }
      }
      const { transactions, newestTime } = ended
      // these are so old that no node will report anything between them
      const young = transactions.findIndex(({ time }) => time >= newestTime - TIME_SLACK_S)
      const old = young < 0 ? transactions : transactions.slice(0, young)
      if (transactions.length >= bounds.waiting) backlog = { transactions: old, newestTime, from }
      return ended
    },

    async read(signature: string): Promise<Transfer> {
      const options = { commitment: 'finalized', encoding: 'json', maxSupportedTransactionVersion: 1 }
      const { transaction, meta } = Transaction.parse(await rpc('getTransaction', [signature, options]))
      const loaded = meta.loadedAddresses ?? { writable: [], readonly: [] }
      const keys = [...transaction.message.accountKeys, ...loaded.writable, ...loaded.readonly]
      const index = keys.indexOf(payTo)
      if (isError(meta.err) || index < 0) return { keys, rise: 0 }
      const rise = meta.postBalances[index]! - meta.preBalances[index]!
      if (!Number.isSafeInteger(rise)) throw new Error('the balances of the paid wallet are missing')
      return { keys, rise }
    },
  }
}
