import type { Latched, Outlook } from '../../model/outlook.ts'
import type { Token } from '../../model/state.ts'
import { VERDICT } from '../constants-verdict.ts'
import type { Holding } from '../reading/holding.ts'
import type { LiveToken } from '../resident.ts'
import { answerOf, learn, MILLION, noteAccuracy, probabilityOf } from './counts.ts'
import { binsOf } from './inputs.ts'
import {
  ageClass,
  cameTrue,
  isAsked,
  isAtRisk,
  levelOf,
  putQuestion,
  QUESTIONS,
  type Question,
  termOf,
} from './questions.ts'

/** Asks the questions, latches the answers and counts the outcomes (methodology, section 9). */

/** The answer of the latest fixed age; null if the question was not asked there. */
export const latchedOf = ({ latched }: { readonly latched: readonly Latched[] }, question: Question): Latched | null =>
  latched.find((one) => one.question === QUESTIONS.indexOf(question)) ?? null

/** The colour of a latched drain or halving; null below the least number of outcomes, or where it was not asked. */
export function latchedColour(token: Token, question: 'drain' | 'halving'): 'green' | 'yellow' | 'red' | null {
  const latched = latchedOf(token, question)
  const p = latched && probabilityOf(latched)
  if (p === null) return null
  const { yellow, red } = VERDICT.outlookP
  return p >= red * MILLION ? 'red' : p >= yellow * MILLION ? 'yellow' : 'green'
}

interface Moment {
  readonly slot: number
  readonly solUsd: number
  readonly outlook: Outlook
}

/** Asks the questions at a fixed age (`isAskSlot`). `read` is called only if there is one. */
export function ask(live: LiveToken, market: Moment, read: () => Holding): void {
  const { token } = live
  const { slot, outlook } = market
  token.latched = []
  if (token.dead || !isAsked(token, slot)) return
  const asking = QUESTIONS.filter((question) => isAtRisk(question, token, market))
  if (asking.length === 0) return
  const bins = binsOf({ token, reading: read(), slot })
  const age = ageClass(slot - token.createdSlot)
  if (outlook.firstSlot < 0) outlook.firstSlot = slot
  for (const name of asking) {
    const question = QUESTIONS.indexOf(name)
    const { by, n, hits } = answerOf(outlook, { question, age, bins })
    token.latched.push({ question, slot, n, hits, by, bins })
    putQuestion(live, {
      decided: false,
      hit: false,
      question,
      age,
      dueSlot: slot + termOf(name),
      from: levelOf(name, token),
      bins,
      p: probabilityOf({ n, hits }) ?? -1,
    })
  }
}

/** Counts outcomes at the end of their term: hits are decided early and would otherwise be over-represented. */
export function countOutcomes({ token }: LiveToken, outlook: Outlook, slot: number): void {
  while (token.asked.length > 0 && token.asked[0]!.dueSlot <= slot) {
    const asked = token.asked.shift()!
    const hit = cameTrue(asked, token)
    noteAccuracy(outlook, asked, hit)
    learn(outlook, asked, hit)
  }
}
