import type { Key } from '@ti/core/base/ids.ts'
import type { LiveToken } from '@ti/core/engine/resident.ts'
import type { Token } from '@ti/core/model/state.ts'

/** slots after the launch at which largest balances are requested (1, 5 and 15 minutes), how late they may be, and holders
 * that a token must have by then */
export const AGES = [150, 750, 2_250] as const
export const LATE_SLOTS = 375
export const CHECKED_HOLDERS = 10

/**
 * Tokens with enough holders that have reached an age at which the largest balances are asked for, without an answer for that
 * age.
 */
export function tokensToCheck(tokens: Iterable<LiveToken>, slot: number): { readonly mint: Key }[] {
  const due: Token[] = []
  for (const { token } of tokens) if (isDue(token, slot)) due.push(token)
  return due.sort((a, b) => b.mcap - a.mcap || b.id - a.id)
}

function isDue({ createdSlot, checkedSlot, holders, dead }: Token, slot: number): boolean {
  if (dead || holders < CHECKED_HOLDERS) return false
  const age = slot - createdSlot
  const last = AGES.findLast((one) => age >= one)
  return last !== undefined && age <= last + LATE_SLOTS && checkedSlot < createdSlot + last
}
