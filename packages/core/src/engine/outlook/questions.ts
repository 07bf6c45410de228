import type { Asked } from '../../model/outlook.ts'
import type { Token } from '../../model/state.ts'
import { OUTLOOK } from '../constants.ts'
import type { Bounds, LiveToken } from '../resident.ts'
import { isDead, isMigrated, priceOf } from '../tokens.ts'
import { hasPrice, toLamports } from '../units.ts'
import { isLaunchSeen } from '../unseen.ts'
import { multipleOf } from './inputs.ts'

/** The three questions, the ages at which they are asked, and their outcomes (methodology, section 9). */
export const QUESTIONS = ['drain', 'halving', 'buyer'] as const
export type Question = (typeof QUESTIONS)[number]

/** The slot and price of the reading that asks. */
type Now = { readonly slot: number; readonly solUsd: number }

/** True if the question makes sense: there is something to lose, or a market to sell into. */
const AT_RISK: Readonly<Record<Question, (token: Token, now: Now) => boolean>> = {
  drain: (token, { solUsd }) => toLamports(token.quote, token.realQuote, solUsd) >= OUTLOOK.drain.reserveLamports,
  halving: (token) => isMigrated(token) || (multipleOf(token) ?? 0) >= OUTLOOK.halving.multiple,
  buyer: (token, { slot }) =>
    token.lastFreeTradeSlot >= 0 && slot - token.lastFreeTradeSlot <= OUTLOOK.buyer.tradeSlots,
}

/** True if the token can be asked about at any age: its launch was seen, it has a price and is not dead. */
export const isAsked = (token: Token, slot: number): boolean =>
  isLaunchSeen(token) && hasPrice(token) && priceOf(token) > 0 && !isDead(token, slot)

export const isAtRisk = (question: Question, token: Token, now: Now): boolean => AT_RISK[question](token, now)

/** The level that an outcome is measured against: the real quote reserve, or the price. */
export const levelOf = (question: Question, token: Token): number =>
  question === 'drain' ? token.realQuote : priceOf(token)

export const termOf = (question: Question): number => OUTLOOK[question].slots

/** The first fixed age above this one. */
function ageAfter(age: number): number {
  for (const fixed of OUTLOOK.ages) if (fixed > age) return fixed
  const every = age < OUTLOOK.lateSlots ? OUTLOOK.everySlots : OUTLOOK.lateEverySlots
  return age - (age % every) + every
}

/** True if this is the slot of a fixed age of the token. */
export function isAskSlot({ createdSlot }: Token, slot: number): boolean {
  const age = slot - createdSlot
  return age > 0 && age === ageAfter(age - 1)
}

/** The next slot after `slot` at which holders are read and questions asked, Infinity if there is none. */
export const nextAsk = (token: Token, slot: number): number =>
  token.dead ? Number.POSITIVE_INFINITY : token.createdSlot + ageAfter(slot - token.createdSlot)

export function ageClass(age: number): number {
  let place = 0
  while (place < OUTLOOK.classes.length && age >= OUTLOOK.classes[place]!) place++
  return place
}

/** Inserts a question in order of its due slot. */
export function putQuestion({ token, bounds }: Pick<LiveToken, 'token' | 'bounds'>, asked: Asked): void {
  let place = token.asked.length
  while (place > 0 && token.asked[place - 1]!.dueSlot > asked.dueSlot) place--
  token.asked.splice(place, 0, asked)
  bounds.undecided = null
}

/** Decides open questions after a trade that set the price. */
export function noticeOutcomes({ token, bounds }: Pick<LiveToken, 'token' | 'bounds'>): void {
  if (token.asked.length === 0) return
  const price = priceOf(token)
  const { undecided } = bounds
  if (undecided !== null && price > undecided.fall && price < undecided.rise && token.realQuote > undecided.drain)
    return
  for (const asked of token.asked) {
    if (asked.decided) continue
    const question = QUESTIONS[asked.question]!
    if (question === 'buyer') {
      asked.hit = price >= asked.from * OUTLOOK.buyer.gain
      asked.decided = asked.hit || price <= asked.from * OUTLOOK.buyer.loss
    } else {
      const level = question === 'drain' ? token.realQuote : price
      asked.hit = level <= asked.from * OUTLOOK[question].left
      asked.decided = asked.hit
    }
  }
  bounds.undecided = undecidedOf(token.asked)
}

/** The nearest levels at which one of the open questions is decided. */
function undecidedOf(questions: readonly Asked[]): NonNullable<Bounds['undecided']> {
  const nearest = { fall: Number.NEGATIVE_INFINITY, rise: Number.POSITIVE_INFINITY, drain: Number.NEGATIVE_INFINITY }
  for (const { decided, question, from } of questions) {
    if (decided) continue
    const name = QUESTIONS[question]!
    if (name === 'drain') nearest.drain = Math.max(nearest.drain, from * OUTLOOK.drain.left)
    else nearest.fall = Math.max(nearest.fall, from * (name === 'buyer' ? OUTLOOK.buyer.loss : OUTLOOK.halving.left))
    if (name === 'buyer') nearest.rise = Math.min(nearest.rise, from * OUTLOOK.buyer.gain)
  }
  return nearest
}

/** The outcome at the end of the term. A buyer that has not sold yet sells at the current price. */
export function cameTrue({ decided, hit, question, from }: Asked, token: Token): boolean {
  if (decided || QUESTIONS[question] !== 'buyer') return hit
  const kept = 1 - OUTLOOK.buyer.fee
  return priceOf(token) * kept * kept > from
}
