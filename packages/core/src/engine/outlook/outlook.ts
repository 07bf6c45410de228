import type { Asked, Outlook } from '../../model/outlook.ts'
import type { Token } from '../../model/state.ts'
import { OUTLOOK } from '../constants.ts'
import { soldInHour } from '../exits.ts'
import { type Holding, ofSupply, type ReadToken, readHolding } from '../reading/holding.ts'
import type { Market } from '../reading/market.ts'
import type { LiveToken } from '../resident.ts'
import { bandOf, type CardPart, partsOf, sumOf } from './card.ts'
import { CARDS } from './cards.ts'
import { cellOf, countOutcome, priorOf, probabilityOf } from './counts.ts'
import { type Answer, floorOf, hasFloor, held, keepFloor, keepLast } from './floor.ts'
import { allInputs, type InputOf, type Inputs, inputOf } from './inputs.ts'
import {
  ageClass,
  cameTrue,
  fixedAge,
  isAsked,
  isAtRisk,
  levelOf,
  putQuestion,
  QUESTIONS,
  type Question,
  termOf,
} from './questions.ts'

/** Predictions from the outcomes of similar tokens (methodology, section 9). */

/** One question's prediction. Bands count from 1; the highest came true most often. */
export interface Foretold {
  readonly question: Question
  /** The fixed age it counts for, slots, and the index of its age class. */
  readonly age: number
  readonly ageClass: number
  readonly parts: readonly CardPart[]
  readonly points: number
  /** Served band and probability (millionths); after an exit, band and colour are no better than before it. */
  readonly band: number
  readonly p: number
  /** The card's own band and probability, which are counted. */
  readonly ownBand: number
  readonly ownP: number
  /** True if the deployer, insiders and groups sold within the last hour. */
  readonly afterExit: boolean
  /** Recent outcomes of this question, age class and own band, and how many came true. */
  readonly n: number
  readonly hits: number
  /** The weight of the table in observations, and its probability in this market (millionths). */
  readonly prior: number
  readonly priorP: number
}

/** Null if a token is not at risk, too young, dead, without a price, or its launch was not seen. */
export type OutlookReading = Readonly<Record<Question, Foretold | null>>

export interface OutlookMarket extends Market {
  readonly outlook: Outlook
}

const NONE: OutlookReading = { drain: null, halving: null, buyer: null }

/** The prediction as of the market's slot. Between two fixed ages it counts for the earlier one. */
export function outlookOf(live: ReadToken, market: OutlookMarket, reading: Holding): OutlookReading {
  const { token } = live
  const age = fixedAge(market.slot - token.createdSlot)
  if (age < 0 || !isAsked(token, market.slot)) return NONE
  return foretell(live, market, inputOf({ live, reading, market, age }), age)
}

/** True if insiders sold enough within the last hour that the kept prediction still applies. */
const isAfterExit = (token: Token, slot: number): boolean =>
  ofSupply(token, soldInHour(token, slot)) >= OUTLOOK.exit.soldPct

function foretell(live: ReadToken, market: OutlookMarket, inputOf: InputOf, age: number): OutlookReading {
  const { token } = live
  const { outlook, slot } = market
  const afterExit = isAfterExit(token, slot)
  const inClass = ageClass(age)
  const answers: Record<Question, Foretold | null> = { ...NONE }
  for (const [no, question] of QUESTIONS.entries()) {
    if (!isAtRisk(question, token, market)) continue
    const card = CARDS[question]
    const parts = partsOf(card, inputOf)
    const points = sumOf(parts)
    const band = bandOf(card, points)
    const cell = cellOf(no, inClass, band)
    const own = { band, p: probabilityOf(outlook, no, inClass, band) }
    const floor = afterExit ? floorOf(token, no, slot) : null
    const served = floor === null ? own : held(question, own, floor)
    answers[question] = {
      question,
      age,
      ageClass: inClass,
      parts,
      points,
      afterExit,
      band: served.band + 1,
      p: served.p,
      ownBand: band + 1,
      ownP: own.p,
      n: outlook.n[cell]!,
      hits: outlook.hits[cell]!,
      prior: OUTLOOK.prior,
      priorP: priorOf(outlook, no, inClass, band),
    }
  }
  return answers
}

/** Keeps the prediction before a sale that may be an exit (`isExit`). */
export function noticeExit(live: LiveToken, market: OutlookMarket): void {
  const { token } = live
  const { slot } = market
  const answers = outlookOf(live, market, readHolding(live, market))
  const said = (one: Foretold | null): Answer | null => one && { band: one.band - 1, p: one.p }
  keepFloor(token, { drain: said(answers.drain), halving: said(answers.halving), buyer: said(answers.buyer) }, slot)
}

/** Called after a trade: keeps the last prediction if earlier sales only now turn out to be insiders'. */
export function noticeLateExit(token: Token, slot: number): void {
  if (token.exits.length > 0 && !hasFloor(token, slot) && isAfterExit(token, slot)) keepLast(token, slot)
}

/** Receives questions and outcomes. Only for fitting the cards. */
export interface OutlookWatcher {
  asked(asked: Asked, foretold: Foretold, inputs: Inputs, token: Token): void
  due(asked: Asked, hit: boolean): void
}

/** Asks the questions at a fixed age (`isAskSlot`). `read` is called only if there is one. */
export function ask(live: LiveToken, market: OutlookMarket, read: () => Holding, watcher: OutlookWatcher | null): void {
  const { token } = live
  const { slot, outlook } = market
  const age = slot - token.createdSlot
  if (token.dead || !isAsked(token, slot)) return
  if (!QUESTIONS.some((question) => isAtRisk(question, token, market))) return
  const own = inputOf({ live, reading: read(), market, age })
  const answers = foretell(live, market, own, age)
  if (outlook.firstSlot < 0) outlook.firstSlot = slot
  for (const [no, question] of QUESTIONS.entries()) {
    const answer = answers[question]
    if (answer === null) continue
    const asked: Asked = {
      decided: false,
      hit: false,
      question: no,
      age: answer.ageClass,
      band: answer.ownBand - 1,
      dueSlot: slot + termOf(question),
      from: levelOf(question, token),
      p: answer.ownP,
    }
    putQuestion(live, asked)
    watcher?.asked(asked, answer, allInputs(own), token)
  }
}

/** Counts outcomes at the end of their term: hits are decided early and would otherwise be over-represented. */
export function countOutcomes(
  { token }: LiveToken,
  outlook: Outlook,
  slot: number,
  watcher: OutlookWatcher | null,
): void {
  while (token.asked.length > 0 && token.asked[0]!.dueSlot <= slot) {
    const asked = token.asked.shift()!
    const hit = cameTrue(asked, token)
    countOutcome(outlook, asked, hit)
    watcher?.due(asked, hit)
  }
}
