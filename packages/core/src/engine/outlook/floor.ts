import type { TradeEvent } from '../../model/events.ts'
import type { Token, Wallet } from '../../model/state.ts'
import { CLASS, isIn } from '../class-memory.ts'
import { OUTLOOK, SLOTS } from '../constants.ts'
import { VERDICT } from '../constants-verdict.ts'
import type { LiveToken } from '../resident.ts'
import { MILLION } from './counts.ts'
import { QUESTIONS, type Question } from './questions.ts'

/** Keeps the prediction from before an insiders' exit, as a limit for predictions after it (methodology, section 9). */

/** Band from 0, probability in millionths. */
export interface Answer {
  readonly band: number
  readonly p: number
}

/** The worse band and the worse probability of both. */
function worseOf(question: Question, a: Answer, b: Answer): Answer {
  const worse = question === 'buyer' ? Math.min : Math.max
  return { band: worse(a.band, b.band), p: worse(a.p, b.p) }
}

/**
 * The answer served after a recent exit: the worse band, and a probability that keeps the colour. A buyer's gain has no
 * colour, so its probability is the worse one.
 */
export function held(question: Question, own: Answer, before: Answer): Answer {
  const { band, p } = worseOf(question, own, before)
  return question === 'buyer' ? { band, p } : { band, p: Math.max(own.p, edgeOf(before.p)) }
}

/** The lower edge of the colour of a probability, millionths. */
function edgeOf(p: number): number {
  const { yellow, red } = VERDICT.outlookP
  const edges = [red, yellow].map((edge) => edge * MILLION)
  return edges.find((edge) => p >= edge) ?? 0
}

/** True if the prediction must be kept before this sale, which is not folded yet. At most once per slot. */
export function isExit(
  { token, positions }: LiveToken,
  { isBuy, tokenAmount }: TradeEvent,
  seller: Wallet,
  slot: number,
): boolean {
  if (isBuy || token.floorSlot === slot || 100 * tokenAmount < token.supply * OUTLOOK.exit.piecePct) return false
  const position = positions.get(seller.id)
  if (position === undefined) return seller.id === token.deployer
  if (isIn(position, CLASS.signed)) return true
  // tokens beyond the known balance must have been given to the seller
  const beyond = Math.max(0, tokenAmount - position.balance)
  return token.fromStart && position.received + beyond > position.bought
}

export const hasFloor = ({ floorSlot }: Token, slot: number): boolean =>
  floorSlot >= 0 && slot - floorSlot <= SLOTS.hour

/** Merges the present prediction into the one kept within the hour. */
export function keepFloor(token: Token, answers: Readonly<Record<Question, Answer | null>>, slot: number): void {
  const kept = hasFloor(token, slot) ? token.floors : []
  token.floors = []
  for (const [question, name] of QUESTIONS.entries()) {
    const now = answers[name]
    const before = kept.find((floor) => floor.question === question) ?? null
    const floor = now !== null && before !== null ? worseOf(name, now, before) : (now ?? before)
    if (floor !== null) token.floors.push({ question, band: floor.band, p: floor.p })
  }
  token.floorSlot = slot
}

/** Keeps the latest predictions whose outcome is not due yet. */
export function keepLast(token: Token, slot: number): void {
  const last = (question: number): Answer | null => token.asked.findLast((one) => one.question === question) ?? null
  keepFloor(token, { drain: last(0), halving: last(1), buyer: last(2) }, slot)
}

/** The prediction kept before an exit of the last hour. */
export const floorOf = (token: Token, question: number, slot: number): Answer | null =>
  hasFloor(token, slot) ? (token.floors.find((floor) => floor.question === question) ?? null) : null
