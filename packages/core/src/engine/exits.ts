import type { Position, Token } from '../model/state.ts'
import { CLASS, classOf, isIn } from './class-memory.ts'
import { EXITS } from './constants.ts'

/** Remembers large sales of early holders and own people, after which nothing improves (methodology, section 1). */

const bucketOf = (slot: number): number => Math.floor(slot / EXITS.bucketSlots)

/** True if it happened within the hour before `slot`, in whole buckets. */
export const isInHour = (since: number, slot: number): boolean => bucketOf(since) >= bucketOf(slot) - EXITS.buckets

/** Adds base units sold by the token's own people, and by early holders who left. */
export function addExit({ exits }: Token, slot: number, tokens: number, early: number): void {
  const index = bucketOf(slot)
  const last = exits[exits.length - 1]
  if (last?.index === index) {
    last.tokens += tokens
    last.early += early
    return
  }
  exits.push({ index, tokens, early })
  while (exits[0]!.index < index - EXITS.buckets) exits.shift()
}

/**
 * Called after a sale. What an early holder sold after the first minute counts once it has sold most of all it had. In
 * the first minute bots sell to bots, which the price shows at once.
 */
export function noticeEarlySale(token: Token, position: Position, slot: number): void {
  if (!isIn(position, CLASS.early)) return
  const { sold, bought, received, soldCounted } = position
  if (slot - token.createdSlot <= EXITS.earlySlots) position.soldCounted = sold
  else if (sold >= (bought + received) * EXITS.leftShare) {
    token.earlySold += sold - soldCounted
    addExit(token, slot, 0, sold - soldCounted)
    position.soldCounted = sold
  }
}

function soldSince({ exits }: Token, slot: number, what: 'tokens' | 'early'): number {
  let sum = 0
  for (const exit of exits) if (exit.index >= bucketOf(slot) - EXITS.buckets) sum += exit[what]
  return sum
}

/** Base units that the token's own people sold within the last hour. */
export const soldInHour = (token: Token, slot: number): number => soldSince(token, slot, 'tokens')

const earlyPct = (token: Token, sold: number): number =>
  token.supply > 0 ? Math.min(100, (100 * Math.min(sold, classOf(token, CLASS.early).peak)) / token.supply) : 0

/** Percent of supply that early holders who left sold within the last hour, and ever: no more than they ever had. */
export const earlySoldPct = (token: Token, slot: number): number => earlyPct(token, soldSince(token, slot, 'early'))
export const earlySoldEverPct = (token: Token): number => earlyPct(token, token.earlySold)
