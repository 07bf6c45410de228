import type { ChainEvent } from './events.ts'
import type { Fact } from './facts.ts'
import { bool, given, int, key, keys, list, nested, num, orNull, packed, type Sealed, table, when } from './field.ts'

/** Lamports sent to the tip accounts of block engines: the only trace of a bundle on chain. */
const TIP = table('Tip', {
  /** of the first transfer */
  payer: key,
  /** of all of them */
  lamports: int,
  /** instruction of the first one; `inner` -1: the outer instruction itself */
  outer: int,
  inner: int,
})
export interface Tip extends Sealed<typeof TIP> {}

/** A token account that the transaction opened, and who gave it its first lamports. */
const RENT = table('Rent', { payer: key, owner: key, mint: key })
export interface Rent extends Sealed<typeof RENT> {}

/**
 * What a transaction offered and paid beside its trades, comparable across transaction versions. Kept in the log as evidence; of it
 * the engine folds compute unit limit and priority fee.
 */
export const TERMS = table('TransactionTerms', {
  /** index in the block's events of the first that is of this transaction */
  event: given,
  version: packed<'legacy' | 0 | 1>(1, ['legacy', 0, 1]),
  /** lamports in all; -1 where it does not fit a number */
  priorityFee: int,
  /** compute units it asked for, or was given because it asked for none */
  computeUnitLimit: int,
  tip: orNull(4, nested(TIP)),
  /** accounts of the lookup tables it named */
  tables: when(8, keys),
  /** of the mints of its events */
  rents: when(16, list(RENT)),
})
export interface TransactionTerms extends Sealed<typeof TERMS> {}

/** Where in the chain a block is. */
export const BLOCK_HEAD = table('BlockHead', {
  slot: int,
  /** -1 when unknown */
  parent: int,
  /** Unix seconds, may have a fraction; 0 when unknown */
  time: num,
})
export interface BlockHead extends Sealed<typeof BLOCK_HEAD> {}

/** One slot's events in the order of truth. The unit of the log. */
export interface Block extends BlockHead {
  readonly kind: 'block'
  readonly events: readonly ChainEvent[]
  /**
   * of transactions that have events here, ascending; none of those known from logs or given decoded, and absent where there
   * are none at all
   */
  readonly terms?: readonly TransactionTerms[]
}

/** Facts that arrived between chain blocks. */
export const FACTS_HEAD = table('FactsHead', {
  /** Unix seconds at which they were observed */
  time: num,
  /** the operator said so, not the source: the source's cursor does not count them */
  byOperator: bool,
})
export interface FactsHead extends Sealed<typeof FACTS_HEAD> {}
export interface Facts extends FactsHead {
  readonly kind: 'facts'
  readonly facts: readonly Fact[]
}

/** Slots that the source could not deliver in time: [from, to], inclusive. */
export const GAP = table('GapSlots', { from: int, to: int })
export interface GapSlots extends Sealed<typeof GAP> {}
export interface Gap extends GapSlots {
  readonly kind: 'gap'
}

export type LogEntry = Block | Facts | Gap
