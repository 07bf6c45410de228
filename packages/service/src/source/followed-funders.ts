import { type Counts, count } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { ChainEvent } from '@ti/core/model/events.ts'
import type { FundingFact } from '@ti/core/model/facts.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { firstPayments } from './first-payments.ts'
import { createPaymentBook, type PaymentBounds, type SeenPayment } from './payment-book.ts'

/** first payments that wait until their wallet trades, 160 bytes each; of those the ones of one sender; and how many of one
 * block are kept, the largest. All exchanges together pay some tens of new wallets a second, a hundred a block are 250: a burst
 * beyond that is a mass payment, and may push out a book in no less than three minutes. An exchange's own book is not bounded by
 * sender. A deployer has no fleet of more wallets; it gets the SOL back, so that filling a book costs fees alone: it may fill its part */
const EXCHANGE_PAYMENTS = { most: 50_000, mostOfOne: 50_000, mostOfBlock: 100 } as const
const DEPLOYER_PAYMENTS = { most: 50_000, mostOfOne: 256, mostOfBlock: 100 } as const

/** Wallets whose payments to new wallets are followed, most important first. */
export interface Funders {
  readonly exchanges: readonly Key[]
  readonly deployers: readonly Key[]
}

export type FollowedFunders = ReturnType<typeof createFollowedFunders>

const BOUNDS = { exchanges: EXCHANGE_PAYMENTS, deployers: DEPLOYER_PAYMENTS }

/**
 * Payments wait in memory until their wallet trades: most wallets that an exchange pays never do, and each fact costs a wallet record
 * and an entry of the log. Two books, so that no deployer can push an exchange's payments out.
 */
export function createFollowedFunders(bounds: Readonly<Record<keyof Funders, PaymentBounds>> = BOUNDS) {
  let exchanges: ReadonlySet<Key> = new Set()
  let all: ReadonlySet<Key> = exchanges
  let before: ReadonlySet<Key> = exchanges
  let version = 0
  const books = { exchanges: createPaymentBook(bounds.exchanges), deployers: createPaymentBook(bounds.deployers) }
  const isFunder = (key: Key): boolean => all.has(key) || before.has(key)
  const isKnown = (wallet: Key): boolean => books.exchanges.has(wallet) || books.deployers.has(wallet)

  function keep(book: keyof typeof books, payments: readonly SeenPayment[], counts: Counts): void {
    if (payments.length === 0) return
    const { forgotten } = books[book]
    const dropped = books[book].add(payments)
    count(counts, 'payments_seen', payments.length)
    if (dropped > 0) count(counts, `payments_dropped:${book}`, dropped)
    const pushedOut = books[book].forgotten - forgotten
    if (pushedOut > 0) count(counts, `payments_forgotten:${book}`, pushedOut)
  }

  function take(wallet: Key): FundingFact | null {
    const ofExchange = books.exchanges.take(wallet)
    const payment = ofExchange ?? books.deployers.take(wallet)
    if (payment === undefined) return null
    const { funder, slot, lamports } = payment
    return { kind: 'funding', wallet, funder, slot, exchange: ofExchange !== undefined, lamports }
  }

  return {
    /** replaces the list before it */
    set(funders: Funders): void {
      const now = new Set([...funders.exchanges, ...funders.deployers])
      const isSame = now.size === all.size && [...now].every((one) => all.has(one))
      // an exchange that has just left is one still
      exchanges = new Set([...exchanges].filter((one) => all.has(one)).concat(funders.exchanges))
      before = all
      all = now
      if (!isSame) version++
    },
    has: (account: Key): boolean => all.has(account),
    /** true if a transaction names a funder of this list or of the one before, whose transactions may still arrive */
    names: ({ keys }: RawTransaction): boolean => (all.size > 0 || before.size > 0) && keys.some(isFunder),
    /** takes a block's transactions that name one: keeps payments to wallets that had nothing */
    observe(transactions: readonly RawTransaction[], slot: number, counts: Counts): void {
      const found = { exchanges: new Map<Key, SeenPayment>(), deployers: new Map<Key, SeenPayment>() }
      for (const tx of transactions) {
        for (const payment of firstPayments(tx, isFunder)) {
          const { wallet, funder } = payment
          // a wallet that was emptied and is paid again had its first payment before
          if (isKnown(wallet) || found.exchanges.has(wallet) || found.deployers.has(wallet)) continue
          found[exchanges.has(funder) ? 'exchanges' : 'deployers'].set(wallet, { ...payment, slot })
        }
      }
      keep('exchanges', [...found.exchanges.values()], counts)
      keep('deployers', [...found.deployers.values()], counts)
    },
    /** the first payments to wallets of these events, as far as they were seen; each is given once */
    fundingsOf(events: readonly ChainEvent[]): FundingFact[] {
      if (books.exchanges.size + books.deployers.size === 0) return []
      const facts: FundingFact[] = []
      for (const event of events) {
        for (const wallet of walletsOf(event)) {
          const fact = take(wallet)
          if (fact !== null) facts.push(fact)
        }
      }
      return facts
    },
    /** exchanges first */
    first: (most: number): Key[] => [...all].slice(0, most),
    /** number of funders, and of changes of the list */
    get size(): number {
      return all.size
    },
    get version(): number {
      return version
    },
  }
}

/** Wallets that enter the state by an event. */
function walletsOf(event: ChainEvent): readonly Key[] {
  if (event.kind === 'trade') return [event.user]
  if (event.kind === 'balance' || event.kind === 'liquidity') return [event.owner]
  return event.kind === 'create' ? [event.user, event.creator] : []
}
