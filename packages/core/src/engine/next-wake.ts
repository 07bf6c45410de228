import { AGENTS, POSITION } from './constants.ts'
import { minuteMark } from './launches.ts'
import { nextAsk } from './outlook/questions.ts'
import type { LiveToken } from './resident.ts'
import { nextDeathCheck } from './tokens.ts'

/** The first slot after `slot` at which `wake` has work; -1 for a token at rest. */
export function nextWake({ token }: LiveToken, slot: number): number {
  let next = Number.POSITIVE_INFINITY
  if (token.impacts.length > 0) next = Math.min(next, token.impacts[0]!.dueSlot)
  if (token.firstPick >= 0) next = Math.min(next, token.firstDue)
  if (token.asked.length > 0) next = Math.min(next, token.asked[0]!.dueSlot)
  next = Math.min(next, nextAsk(token, slot))
  if (token.verdict.dueSlot > slot) next = Math.min(next, token.verdict.dueSlot)
  const young = token.createdSlot + AGENTS.young.ageSlots
  if (token.createdKnown && young > slot) next = Math.min(next, young)
  const minute = minuteMark(token)
  if (minute > slot) next = Math.min(next, minute)
  if (!token.dead) {
    const age = slot - token.createdSlot
    const days = Math.max(1, Math.floor(age / POSITION.writeOffSlots) + 1)
    next = Math.min(next, nextDeathCheck(token, slot), token.createdSlot + days * POSITION.writeOffSlots)
  }
  return next === Number.POSITIVE_INFINITY ? -1 : Math.max(next, slot + 1)
}
