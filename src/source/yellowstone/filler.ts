import type { RawBlock } from '../../model/raw.ts'

/** Blocks one by one, from elsewhere: for the slots that no stream brought. */
export interface BlockFiller {
  /** `skipped`: the slot has no block. `unavailable`: not known, or not now. Rejects only when `signal` aborts. */
  block(slot: number, signal: AbortSignal): Promise<RawBlock | 'skipped' | 'unavailable'>
  /** what the operator has to fix, in words; null or absent: nothing */
  readonly problem?: string | null
}
