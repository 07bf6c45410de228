import { keyToBase58 } from '../base/base58.ts'
import type { Counts } from '../base/counts.ts'
import { count } from '../base/counts.ts'
import type { Key, Sig } from '../base/ids.ts'
import type { ChainEvent, Graduate, PoolEvent } from '../model/events.ts'
import type { RawInstruction, RawTransaction } from '../model/raw.ts'
import { type PoolBook, type PoolFacts, quotedAs } from './pools.ts'
import { exact } from './reader.ts'
import type { UnknownBook } from './unknown.ts'

/**
 * Where an event payload was found and where its decoded form goes. One mutable record serves a whole transaction:
 * the hot path makes no garbage beyond the events themselves.
 */
export interface Emission {
  readonly tx: RawTransaction
  readonly sig: Sig
  readonly txIndex: number
  /** who paid the network fee, and who paid a tip account; null when unknown or nobody did */
  readonly payer: Key | null
  readonly tipper: Key | null
  outer: number
  inner: number
  /** the instruction that emitted the event, where instructions are known: its accounts name what the event does not */
  call: RawInstruction | null
  /** the mayhem program is below the emitter in the call stack */
  mayhem: boolean
  readonly pools: PoolBook
  readonly out: ChainEvent[]
  readonly counts: Counts
  /** owners of the venue's own token accounts: never holders */
  readonly vaults: Key[]
  /** a swap that its program may emit a second time, in a newer layout */
  firstSwap: { readonly payload: Buffer; readonly offset: number } | null
  /** buyers whose tokens were burned in the same instruction: never holders either */
  readonly burned: { readonly owner: Key; readonly mint: Key }[]
  /** false when a trade's curve could not be named, so its vault cannot be distinguished from a holder */
  vaultsKnown: boolean
  /** why the payload at hand, or a part of it, was not read; '' while it is */
  refused: string
  /** where what no decoder knows is noted; null: nowhere */
  readonly unknown: UnknownBook | null
}

export const UNKNOWN_EVENT = 'unknown_event:'

export function skip(at: Emission, reason: string): void {
  at.refused = reason
  // the walk knows whether it is left out on purpose
  if (!reason.startsWith(UNKNOWN_EVENT)) count(at.counts, reason)
}

/** Names a count may have before those with a mint in them are put together: mints are many, and anybody can make them. */
const NAMES_MAX = 256

/** Counts by reason, quote and mint, for amounts of tokens that have too many decimals for us. */
export function skipOf(at: Emission, reason: string, quote: Key, mint: Key): void {
  const name = `${reason}:${keyToBase58(quote)}:${keyToBase58(mint)}`
  count(at.counts, at.counts.has(name) || at.counts.size < NAMES_MAX ? name : `${reason}:other`)
}

/** Counts and answers that there is nothing. */
export function refuse(at: Emission, reason: string): null {
  count(at.counts, reason)
  return null
}

/** Notes that what `owner` bought was burned at once. */
export function burn(at: Emission, owner: Key, mint: Key): void {
  if (at.burned.some((one) => one.owner === owner && one.mint === mint)) return
  at.burned.push({ owner, mint })
}

/** The key an instruction names at `position`, or null. */
export function accountOf(at: Emission, call: RawInstruction | null, position: number): Key | null {
  if (call === null || position >= call.accounts.length) return null
  return at.tx.keys[call.accounts[position]!] ?? null
}

/** Where the user stands among the keys; -1 when no lamport balances are known. */
export const lamportIndex = (tx: RawTransaction, user: Key): number =>
  tx.postBalances.length === 0 ? -1 : tx.keys.indexOf(user)

/** Lamports at `index`; -1 when unknown or not exact. */
export function lamportsAt(balances: ArrayLike<number>, index: number): number {
  const lamports = index < 0 ? undefined : balances[index]
  return lamports !== undefined && exact(lamports) ? lamports : -1
}

/** The opening of a pool, at the place of the payload. */
export function pushPool(at: Emission, pool: Key, facts: PoolFacts): void {
  const { mint, quote, decimals } = facts
  const { sig, txIndex, outer, inner } = at
  const event: PoolEvent = { kind: 'pool', sig, txIndex, outer, inner, mint, pool, quote, decimals }
  at.out.push(quotedAs(event, facts))
}

/** A graduation into `pool`; `inner`: its place, by default that of the payload. */
export function pushMigration(at: Emission, mint: Key, pool: Key, token: Graduate, inner = at.inner): void {
  const { sig, txIndex, outer } = at
  at.out.push({ kind: 'migrate', sig, txIndex, outer, inner, mint, pool, token })
}
