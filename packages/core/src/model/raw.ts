import type { Key, Sig } from '../base/ids.ts'

/**
 * The one internal shape of raw chain data, ahead of all decoders: the Yellowstone transaction update, flattened. Every other shape
 * (getTransaction and getBlock JSON, logs notifications, capture files) is converted into it before decoding.
 */
export interface RawInstruction {
  /** index into `keys` */
  readonly program: number
  /** indices into `keys` */
  readonly accounts: Uint8Array
  readonly data: Buffer
}

export interface RawInnerGroup {
  /** index of the outer instruction these ran under */
  readonly outer: number
  readonly instructions: readonly RawInstruction[]
}

export interface RawTokenBalance {
  /** index into `keys` of the token account */
  readonly account: number
  readonly mint: Key
  /** wallet or program address that owns the token account; null in transactions too old to say */
  readonly owner: Key | null
  /** base units; exact up to 2^53 */
  readonly amount: number
  readonly decimals: number
}

/** Version of a transaction's message. */
export type TransactionVersion = 'legacy' | 0 | 1

/** What a version 1 message states about its run instead of compute budget instructions (SIMD-0385). */
export interface RawConfig {
  /** lamports in all; 0 where the message does not say; inexact above 2^53 */
  readonly priorityFee: number
  /** compute units; 0 where the message does not say, as the runtime has it */
  readonly computeUnitLimit: number
}

export interface RawTransaction {
  readonly signature: Sig
  /** position within the block, -1 where the source does not give it */
  readonly index: number
  /** null where only logs are known */
  readonly version: TransactionVersion | null
  /** of version 1 only, else null */
  readonly config: RawConfig | null
  /** accounts of the address lookup tables that it names, in its order; version 0 only */
  readonly tables: readonly Key[]
  /** meta.err is set: logs and inner instructions may look complete, nothing of it happened */
  readonly failed: boolean
  /** static keys, then loaded writable, then loaded readonly; empty where only logs are known */
  readonly keys: readonly Key[]
  readonly instructions: readonly RawInstruction[]
  /** null where the source does not carry them (logs only) */
  readonly inner: readonly RawInnerGroup[] | null
  /** null where the source does not carry them; may be computed lazily by a getter */
  readonly logs: readonly string[] | null
  /** lamports by index into `keys`; empty when unknown */
  readonly preBalances: ArrayLike<number>
  readonly postBalances: ArrayLike<number>
  readonly preTokens: readonly RawTokenBalance[]
  readonly postTokens: readonly RawTokenBalance[]
}

/** What a source yields for one slot. Slots are strictly increasing within a source. */
export interface RawBlock {
  readonly slot: number
  /** parent slot; -1 when unknown */
  readonly parent: number
  /** Unix seconds, may have a fraction; 0 when unknown */
  readonly time: number
  readonly transactions: readonly RawTransaction[]
}
