import { SLOTS } from '../../engine/constants.ts'

export type Part = 'train' | 'validate' | 'test'

export const PARTS: readonly Part[] = ['train', 'validate', 'test']

/** By time, so that nothing is judged with what came after it. */
export interface Split {
  /** part of each token, null = within an embargo */
  readonly parts: readonly (Part | null)[]
  /** slots at which `validate` and `test` begin */
  readonly boundaries: readonly [number, number]
  readonly embargoSlots: number
  /** whether the embargo had to be shorter than 24 h */
  readonly shortened: boolean
}

const SHARES: readonly [number, number] = [0.6, 0.8]

/** A 24 h embargo may take up to half of the middle part, which needs ten days; shorter logs get a tenth of their span. */
const EMBARGO_SHARE_MAX = 0.1

/**
 * 60/20/20 of the time between the first and the last token's creation. Tokens created within the embargo before a
 * boundary are left out, because their outcomes are decided in the later part's time.
 */
export function splitByTime(createdSlots: readonly number[]): Split {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const slot of createdSlots) {
    first = Math.min(first, slot)
    last = Math.max(last, slot)
  }
  const span = createdSlots.length === 0 ? 0 : last - first + 1
  const start = createdSlots.length === 0 ? 0 : first
  const embargoSlots = Math.min(SLOTS.day, Math.floor(span * EMBARGO_SHARE_MAX))
  const boundaries: [number, number] = [start + Math.ceil(span * SHARES[0]), start + Math.ceil(span * SHARES[1])]
  const partOf = (slot: number): Part | null => {
    if (slot >= boundaries[1]) return 'test'
    if (slot >= boundaries[0]) return slot < boundaries[1] - embargoSlots ? 'validate' : null
    return slot < boundaries[0] - embargoSlots ? 'train' : null
  }
  return { parts: createdSlots.map(partOf), boundaries, embargoSlots, shortened: embargoSlots < SLOTS.day }
}
