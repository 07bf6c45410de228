import type { Key, Sig } from '../base/ids.ts'

/**
 * The one internal shape of raw chain data before decoding: a flattened Yellowstone transaction update. All other
 * inputs (getTransaction and getBlock JSON, log notifications, capture files) are converted into it.
 */
export interface RawInstruction {
  /** Index into `keys`. */
  readonly program: number
  /** Indexes into `keys`. */
  readonly accounts: Uint8Array
  readonly data: Buffer
}

export interface RawInnerGroup {
  /** Index of the outer instruction that called these. */
  readonly outer: number
  readonly instructions: readonly RawInstruction[]
}

export interface RawTokenBalance {
  /** Index into `keys` of the token account. */
  readonly account: number
  readonly mint: Key
  /** Wallet or program address that owns the token account; null in old transactions that do not say. */
  readonly owner: Key | null
  /** Base units; the nearest number above 2^53. */
  readonly amount: number
  readonly decimals: number
}

/** Version of a transaction's message. */
export type TransactionVersion = 'legacy' | 0 | 1

/** Compute budget stated in a version 1 message instead of instructions (SIMD-0385). */
export interface RawConfig {
  /** Total lamports, 0 if not stated; inexact above 2^53. */
  readonly priorityFee: number
  /** Compute units; 0 if not stated, as in the runtime. */
  readonly computeUnitLimit: number
}

export interface RawTransaction {
  readonly signature: Sig
  /** Position within the block, -1 if the source does not give it. */
  readonly index: number
  /** Null if only logs are known. */
  readonly version: TransactionVersion | null
  /** Only for version 1, else null. */
  readonly config: RawConfig | null
  /** Accounts of its address lookup tables, in order; version 0 only. */
  readonly tables: readonly Key[]
  /** True if meta.err is set: logs and inner instructions may look complete, but nothing took effect. */
  readonly failed: boolean
  /** Static keys, then loaded writable, then loaded readonly; empty if only logs are known. */
  readonly keys: readonly Key[]
  /** The number of keys, from the first on, that signed; 0 if unknown. */
  readonly signers: number
  readonly instructions: readonly RawInstruction[]
  /** Null if the source has none (logs only). */
  readonly inner: readonly RawInnerGroup[] | null
  /** Null if the source has none. May be a lazy getter. */
  readonly logs: readonly string[] | null
  /** Lamports by index into `keys`; empty if unknown. */
  readonly preBalances: ArrayLike<number>
  readonly postBalances: ArrayLike<number>
  readonly preTokens: readonly RawTokenBalance[]
  readonly postTokens: readonly RawTokenBalance[]
}

/** One slot as delivered by a source. Slots of a source are strictly increasing. */
export interface RawBlock {
  readonly slot: number
  /** Parent slot; -1 if unknown. */
  readonly parent: number
  /** Unix seconds, possibly fractional; 0 if unknown. */
  readonly time: number
  readonly transactions: readonly RawTransaction[]
}
