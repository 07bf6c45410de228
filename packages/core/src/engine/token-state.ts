import { RUGGED_BY, type Token } from '../model/state.ts'
import { DEAD } from './constants.ts'
import { idleSlots, isDead } from './tokens.ts'

/** The state of a token's life (methodology, section 1). */
export type State = 'live' | 'drained' | 'rugged' | 'taken_over' | 'dead'

/** The state as of `slot`, and the slot since which it has it. */
export function tokenState(token: Token, slot: number): { readonly state: State; readonly since: number } {
  const { createdSlot, drainedSlot, ruggedSlot, takenOverSlot, lastTradeSlot } = token
  if (ruggedSlot >= 0) return { state: 'rugged', since: ruggedSlot }
  if (drainedSlot >= 0) return { state: 'drained', since: drainedSlot }
  if (isDead(token, slot)) {
    const idle = idleSlots(token, slot) - DEAD.idleSlots
    const since = idle >= 0 ? slot - idle : Math.max(createdSlot + DEAD.ageSlots + 1, lastTradeSlot)
    return { state: 'dead', since }
  }
  if (takenOverSlot >= 0) return { state: 'taken_over', since: takenOverSlot }
  return { state: 'live', since: createdSlot }
}

/**
 * Called when the price is higher than ever, or at a graduation: others revived what its own people had ended. Where
 * liquidity was withdrawn, a price costs nothing.
 */
export function takeOver(token: Token, slot: number): void {
  if (token.drainedSlot < 0 || (token.ruggedBy & RUGGED_BY.liquidity) !== 0) return
  token.drainedSlot = -1
  token.ruggedSlot = -1
  token.ruggedBy = 0
  token.takenOverSlot = slot
}
