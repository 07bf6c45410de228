import type { Key } from '@ti/core/base/ids.ts'
import type { LiveToken } from '@ti/core/engine/resident.ts'
import type { Token } from '@ti/core/model/state.ts'
import { LIMITS } from '../../config/limits.ts'

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
  if (dead || holders < LIMITS.largestHolders) return false
  const age = slot - createdSlot
  const last = LIMITS.largestAges.findLast((one) => age >= one)
  return last !== undefined && age <= last + LIMITS.largestLateSlots && checkedSlot < createdSlot + last
}
