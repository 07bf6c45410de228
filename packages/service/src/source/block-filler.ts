import type { RawBlock } from '@ti/core/model/raw.ts'

export interface NewestBlock {
  readonly slot: number
  /** base58 */
  readonly blockhash: string
}

/** Fetches confirmed blocks one by one, for slots that no stream delivered. */
export interface BlockFiller {
  /**
   * `skipped`: the node says that the slot has no block. `unavailable`: not known, not now, or the node is too old. Rejects only
   * when `signal` aborts.
   */
  block(slot: number, signal: AbortSignal): Promise<RawBlock | 'skipped' | 'unavailable'>
  /** see Source */
  chain?(signal: AbortSignal): Promise<string | null>
  /** true if an endpoint is on the filler's chain, by its newest finalized block; null: unknown */
  isOnChain?(newest: NewestBlock, signal: AbortSignal): Promise<boolean | null>
  /** the problem that the operator has to fix, in words; null or absent: none */
  readonly problem?: string | null
}
