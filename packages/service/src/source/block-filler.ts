import type { RawBlock } from '@ti/core/model/raw.ts'

/** Fetches confirmed blocks one by one, for slots that no stream delivered. */
export interface BlockFiller {
  /**
   * `skipped`: the node says that the slot has no block. `unavailable`: not known, not now, or the node is too old. Rejects only
   * when `signal` aborts.
   */
  block(slot: number, signal: AbortSignal): Promise<RawBlock | 'skipped' | 'unavailable'>
  /** the problem that the operator has to fix, in words; null or absent: none */
  readonly problem?: string | null
}
