import type { ChainEvent } from './events.ts'
import type { Fact } from './facts.ts'
import {
  bool,
  given,
  int,
  key,
  keys,
  list,
  nested,
  num,
  orNull,
  packed,
  type Sealed,
  table,
  text,
  when,
} from './field.ts'

/** Lamports sent to tip accounts of block engines: the only trace of a bundle on chain. */
const TIP = table('Tip', {
  /** Payer of the first transfer. */
  payer: key,
  /** Sum of all transfers. */
  lamports: int,
  /** Instruction of the first transfer; `inner` is -1 for the outer instruction itself. */
  outer: int,
  inner: int,
})
export interface Tip extends Sealed<typeof TIP> {}

/** A token account that the transaction opened, and the wallet that gave its first lamports. */
const RENT = table('Rent', { payer: key, owner: key, mint: key })
export interface Rent extends Sealed<typeof RENT> {}

/**
 * A transaction's budget and payments besides its trades, comparable across transaction versions. The log keeps it as
 * evidence; the engine folds only compute unit limit and priority fee.
 */
export const TERMS = table('TransactionTerms', {
  /** Index in the block's events of the transaction's first event. */
  event: given,
  version: packed<'legacy' | 0 | 1>(1, ['legacy', 0, 1]),
  /** Total lamports; -1 if they exceed a safe integer. */
  priorityFee: int,
  /** Compute units requested, or the default if none were. */
  computeUnitLimit: int,
  tip: orNull(4, nested(TIP)),
  /** Accounts of the address lookup tables it uses. */
  tables: when(8, keys),
  /** Accounts for the mints of its events. */
  rents: when(16, list(RENT)),
})
export interface TransactionTerms extends Sealed<typeof TERMS> {}

/** A block's position in the chain. */
export const BLOCK_HEAD = table('BlockHead', {
  slot: int,
  /** -1 if unknown. */
  parent: int,
  /** Unix seconds, possibly fractional; 0 if unknown. */
  time: num,
})
export interface BlockHead extends Sealed<typeof BLOCK_HEAD> {}

/** One slot's events in chain order: the unit of the log. */
export interface Block extends BlockHead {
  readonly kind: 'block'
  readonly events: readonly ChainEvent[]
  /**
   * Terms of the transactions that have events here, ascending. Transactions known only from logs or given decoded have
   * none; absent if empty.
   */
  readonly terms?: readonly TransactionTerms[]
}

/** Facts that arrived between chain blocks. */
export const FACTS_HEAD = table('FactsHead', {
  /** Unix seconds of the observation. */
  time: num,
  /** True if the operator added the facts: the source's cursor does not count them. */
  byOperator: bool,
})
export interface FactsHead extends Sealed<typeof FACTS_HEAD> {}
export interface Facts extends FactsHead {
  readonly kind: 'facts'
  readonly facts: readonly Fact[]
}

/** Slots that the source could not deliver in time, [from, to] inclusive. */
export const GAP = table('GapSlots', { from: int, to: int })
export interface GapSlots extends Sealed<typeof GAP> {}
export interface Gap extends GapSlots {
  readonly kind: 'gap'
}

/** The chain that a log belongs to: a genesis hash, or the name of a simulated market. */
export const CHAIN_NAME = table('ChainName', { name: text })
export interface ChainName extends Sealed<typeof CHAIN_NAME> {}
/** The first entry of a log whose source names its chain. */
export interface Chain extends ChainName {
  readonly kind: 'chain'
}

export type LogEntry = Block | Facts | Gap | Chain
