import { randomBytes } from 'node:crypto'
import { base58Encode } from '@ti/core/base/base58.ts'

/** Slots for which a blockhash is valid, as on mainnet. */
export const BLOCKHASH_SLOTS = 150
/** Skipped slots have no block, so heights are lower than slots: code that confuses the two fails. */
const SKIPPED_SLOTS = 21_000_000
/** The first slot follows the clock, so that slots keep rising across restarts. */
const FIRST_SLOT = 400_000_000
const FIRST_SLOT_MS = Date.UTC(2026, 0, 1)
const NOMINAL_SLOT_MS = 400

/** The chain's time: slots and their blockhashes. */
export interface Slots {
  readonly slot: number
  readonly blockHeight: number
  readonly blockhash: string
  /** Last height at which the newest blockhash is valid. */
  readonly lastValidBlockHeight: number
  isValid(blockhash: string): boolean
  /** Advances by the time since the last call. */
  catchUp(): void
  advance(slots: number): void
}

/** With `slotMs` 0 only `advance` moves it. */
export function createSlots(slotMs: number, now: () => number = Date.now): Slots {
  const startedMs = now()
  let slot = FIRST_SLOT + Math.max(0, Math.floor((startedMs - FIRST_SLOT_MS) / NOMINAL_SLOT_MS))
  let passed = 0
  /** blockhash → its height, oldest first, at most BLOCKHASH_SLOTS + 1 */
  const heights = new Map<string, number>()
  let newest = ''

  const height = (): number => slot - SKIPPED_SLOTS
  const advance = (slots: number): void => {
    // skips blockhashes that would already have expired
    slot += Math.max(0, slots - BLOCKHASH_SLOTS - 1)
    for (let left = Math.min(slots, BLOCKHASH_SLOTS + 1); left > 0; left--) {
      slot++
      newest = base58Encode(randomBytes(32).toString('latin1'))
      heights.set(newest, height())
    }
    for (const [hash, at] of heights) {
      if (height() - at <= BLOCKHASH_SLOTS) break
      heights.delete(hash)
    }
  }
  advance(1)

  return {
    get slot() {
      return slot
    },
    get blockHeight() {
      return height()
    },
    get blockhash() {
      return newest
    },
    get lastValidBlockHeight() {
      return height() + BLOCKHASH_SLOTS
    },
    isValid: (blockhash) => heights.has(blockhash),
    catchUp() {
      if (slotMs === 0) return
      const due = Math.floor((now() - startedMs) / slotMs)
      if (due > passed) advance(due - passed)
      passed = Math.max(passed, due)
    },
    advance,
  }
}
