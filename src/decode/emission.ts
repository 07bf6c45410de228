import type { Counts } from '../base/counts.ts'
import { count } from '../base/counts.ts'
import type { Key, Sig } from '../base/ids.ts'
import type { RawInstruction, RawTransaction } from '../source/types.ts'
import type { ChainEvent } from './events.ts'
import type { PoolBook } from './pools.ts'
import { exact } from './reader.ts'

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
  tipper: Key | null
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
  /** false when a trade's curve could not be named, so its vault cannot be told from a holder */
  vaultsKnown: boolean
}

export const skip = (at: Emission, reason: string): void => count(at.counts, reason)

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
