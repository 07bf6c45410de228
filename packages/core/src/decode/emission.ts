import type { Counts } from '../base/counts.ts'
import { count } from '../base/counts.ts'
import { type Key, type Sig, ZERO_KEY } from '../base/ids.ts'
import type { ChainEvent, CreateEvent, Graduate, PoolEvent, TradeEvent } from '../model/events.ts'
import type { RawInstruction, RawTransaction } from '../model/raw.ts'
import { isPerson, isSigner } from './people.ts'
import { type PoolBook, type PoolFacts, quotedAs } from './pools.ts'
import { exact, type Tag, tagged } from './reader.ts'
import type { UnknownBook } from './unknown.ts'

/**
 * The position of an event payload and the destination of decoded events. One mutable record serves a whole
 * transaction, so the hot path allocates only the events.
 */
export interface Emission {
  readonly tx: RawTransaction
  readonly sig: Sig
  readonly txIndex: number
  /** Payers of the network fee and of a tip; null if unknown or none. */
  readonly payer: Key | null
  readonly tipper: Key | null
  outer: number
  inner: number
  /** The instruction that emitted the event, if known. Its accounts name what the event does not. */
  call: RawInstruction | null
  /** True if the mayhem program is below the emitter in the call stack. */
  mayhem: boolean
  readonly pools: PoolBook
  readonly out: ChainEvent[]
  readonly counts: Counts
  /** Owners of the venue's own token accounts, which are never holders. */
  readonly vaults: Key[]
  /** A swap that its program may emit a second time, in a newer layout. */
  firstSwap: { readonly payload: Buffer; readonly offset: number } | null
  /** Buyers whose tokens were burned in the same instruction: these are no buys. */
  readonly burned: { readonly owner: Key; readonly mint: Key }[]
  /** The reason why the payload, or a part of it, was not read; '' otherwise. */
  refused: string
  /** Collects unknown payloads; null to ignore them. */
  readonly unknown: UnknownBook | null
}

export const UNKNOWN_EVENT = 'unknown_event:'

export function skip(at: Emission, reason: string): void {
  at.refused = reason
  // the walk decides whether the event is ignored on purpose
  if (!reason.startsWith(UNKNOWN_EVENT)) count(at.counts, reason)
}

/** Counts the reason and returns null. */
export function refuse(at: Emission, reason: string): null {
  count(at.counts, reason)
  return null
}

/** Records that the tokens `owner` bought were burned at once. */
export function burn(at: Emission, owner: Key, mint: Key): void {
  if (at.burned.some((one) => one.owner === owner && one.mint === mint)) return
  at.burned.push({ owner, mint })
}

/** `signer` if it is a wallet; `ZERO_KEY` for a program's account, for which its program signs. */
export const walletOf = ({ tx }: Emission, signer: Key): Key => (isPerson(tx, signer) ? signer : ZERO_KEY)

/**
 * True if `key` is known to have signed a creation by `user`. The program does not demand the signature of a creator
 * that pump or LaunchLab names.
 */
export const signedToo = (at: Emission, key: Key, user: Key): boolean => key === user || isSigner(at.tx, key)

/** True for a call of one of these instructions. */
export const isCall = (call: RawInstruction | null, ...tags: readonly Tag[]): call is RawInstruction =>
  call !== null && call.data.length >= 8 && tags.some((one) => tagged(call.data, 0, one))

export function accountOf(at: Emission, call: RawInstruction | null, position: number): Key | null {
  if (call === null || position >= call.accounts.length) return null
  return at.tx.keys[call.accounts[position]!] ?? null
}

/** The user's index among the keys, usually the first; -1 if no lamport balances are known. */
export const lamportIndex = ({ keys, postBalances }: RawTransaction, user: Key): number =>
  postBalances.length === 0 ? -1 : keys[0] === user ? 0 : keys.indexOf(user)

/** Lamports at `index`; -1 if unknown or not exact. */
export function lamportsAt(balances: ArrayLike<number>, index: number): number {
  const lamports = index < 0 ? undefined : balances[index]
  return lamports !== undefined && exact(lamports) ? lamports : -1
}

/** Emits the opening of a pool, at the payload's place. */
export function pushPool(at: Emission, pool: Key, facts: PoolFacts): void {
  const { mint, quote, decimals } = facts
  const { sig, txIndex, outer, inner } = at
  const event: PoolEvent = { kind: 'pool', sig, txIndex, outer, inner, mint, pool, quote, decimals }
  at.out.push(quotedAs(event, facts))
}

/** Emits a graduation into `pool`, by default at the payload's place. */
export function pushMigration(at: Emission, mint: Key, pool: Key, token: Graduate, inner = at.inner): void {
  const { sig, txIndex, outer } = at
  at.out.push({ kind: 'migrate', sig, txIndex, outer, inner, mint, pool, token })
}

/** Emits the end of a curve, at the payload's place. */
export function pushComplete(at: Emission, mint: Key): void {
  const { sig, txIndex, outer, inner } = at
  at.out.push({ kind: 'complete', sig, txIndex, outer, inner, mint })
}

type Created = Omit<CreateEvent, 'kind' | 'sig' | 'txIndex' | 'outer' | 'inner' | 'payer' | 'asset'>

/** The creation at the payload's place, as its program tells it. */
export function createOf(at: Emission, created: Created): CreateEvent {
  const { sig, txIndex, outer, inner, payer } = at
  return { kind: 'create', sig, txIndex, outer, inner, payer, ...created, user: walletOf(at, created.user) }
}

/** What a decoder reads of a trade; the transaction has the rest. */
export type Traded = Omit<
  TradeEvent,
  | ('kind' | 'sig' | 'txIndex' | 'outer' | 'inner' | 'payer' | 'tipper')
  | ('solBefore' | 'solAfter' | 'hop' | 'account' | 'held' | 'asset')
>

/** The trade at the payload's place, as its program tells it; `settleTrades` compares it with the balances. */
export function tradeOf(at: Emission, traded: Traded): TradeEvent {
  const { tx } = at
  const lamports = lamportIndex(tx, traded.user)
  // field by field: a spread costs as much as reading the trade
  return {
    kind: 'trade',
    sig: at.sig,
    txIndex: at.txIndex,
    outer: at.outer,
    inner: at.inner,
    venue: traded.venue,
    mint: traded.mint,
    pool: traded.pool,
    user: traded.user,
    isBuy: traded.isBuy,
    quote: traded.quote,
    quoteAmount: traded.quoteAmount,
    userQuote: traded.userQuote,
    tokenAmount: traded.tokenAmount,
    quoteReserve: traded.quoteReserve,
    baseReserve: traded.baseReserve,
    quoteBefore: traded.quoteBefore,
    realToken: traded.realToken,
    supply: traded.supply,
    decimals: traded.decimals,
    creator: traded.creator,
    mayhem: traded.mayhem,
    payer: at.payer,
    tipper: at.tipper,
    solBefore: lamportsAt(tx.preBalances, lamports),
    solAfter: lamportsAt(tx.postBalances, lamports),
    hop: false,
    account: -1,
    held: 0,
  }
}
