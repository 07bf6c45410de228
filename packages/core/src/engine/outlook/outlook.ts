import type { Asked, Outlook } from '../../model/outlook.ts'
import type { Token } from '../../model/state.ts'
import { OUTLOOK } from '../constants.ts'
import { soldInHour } from '../memory.ts'
import { type Holding, ofSupply, type ReadToken, readHolding } from '../reading/holding.ts'
import type { Market } from '../reading/market.ts'
import type { LiveToken } from '../resident.ts'
import { bandOf, type CardPart, partsOf, sumOf } from './card.ts'
import { CARDS } from './cards.ts'
import { cellOf, countOutcome, priorOf, probabilityOf } from './counts.ts'
import { type Answer, floorOf, hasFloor, held, keepFloor, keepLast } from './floor.ts'
import { type Inputs, inputsOf } from './inputs.ts'
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

/** What became of tokens like this one: methodology, section 9. */

/** One question's answer. Bands are from 1, the highest is where it most often came true. */
export interface Foretold {
  readonly question: Question
  /** fixed age it is counted for, slots, and the class of that age from 0 */
  readonly age: number
  readonly ageClass: number
  readonly parts: readonly CardPart[]
  readonly points: number
  /** as served, probability in millionths: after an exit the band and the colour are no better than the prediction before it */
  readonly band: number
  readonly p: number
  /** by its points alone: what became of tokens like it, and what is counted */
  readonly ownBand: number
  readonly ownP: number
  /** the deployer, insiders and groups sold within the last hour */
  readonly afterExit: boolean
  /** of the latest tokens of that question, age class and own band, how many it came true for */
  readonly n: number
  readonly hits: number
  /** what the table counts as, and its probability in this market, millionths */
  readonly prior: number
  readonly priorP: number
}

/** Null where a token is not at risk, too young, dead, without a price, or its launch was not seen. */
export type OutlookReading = Readonly<Record<Question, Foretold | null>>

export interface OutlookMarket extends Market {
  readonly outlook: Outlook
}

const NONE: OutlookReading = { drain: null, halving: null, buyer: null }

/** As of the market's slot; between two fixed ages it counts for the earlier. */
export function outlookOf(live: ReadToken, market: OutlookMarket, reading: Holding): OutlookReading {
  const { token } = live
  const age = fixedAge(market.slot - token.createdSlot)
  if (age < 0 || !isAsked(token, market.slot)) return NONE
  return foretell(live, market, inputsOf({ live, reading, market, age }), age)
}

/** Its own people sold so much within the last hour that the prediction before still counts. */
const isAfterExit = (token: Token, slot: number): boolean =>
  ofSupply(token, soldInHour(token, slot)) >= OUTLOOK.exit.soldPct

function foretell(live: ReadToken, market: OutlookMarket, inputs: Inputs, age: number): OutlookReading {
  const { token } = live
  const { outlook, slot } = market
  const afterExit = isAfterExit(token, slot)
  const inClass = ageClass(age)
  const answers: Record<Question, Foretold | null> = { ...NONE }
  for (const [no, question] of QUESTIONS.entries()) {
    if (!isAtRisk(question, token, market)) continue
    const card = CARDS[question]
    const parts = partsOf(card, inputs)
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

/** Before a sale that may be an exit (`isExit`): the prediction is kept. */
export function noticeExit(live: LiveToken, market: OutlookMarket): void {
  const { token } = live
  const { slot } = market
  const answers = outlookOf(live, market, readHolding(live, market))
  const said = (one: Foretold | null): Answer | null => one && { band: one.band - 1, p: one.p }
  keepFloor(token, { drain: said(answers.drain), halving: said(answers.halving), buyer: said(answers.buyer) }, slot)
}

/** After a trade: of sales that were strangers' when they were made, what was said last stays in view. */
export function noticeLateExit(token: Token, slot: number): void {
  if (token.exits.length > 0 && !hasFloor(token, slot) && isAfterExit(token, slot)) keepLast(token, slot)
}

/** Sees what is asked and what comes of it: for fitting the cards only. */
export interface OutlookWatcher {
  asked(asked: Asked, foretold: Foretold, inputs: Inputs, token: Token): void
  due(asked: Asked, hit: boolean): void
}

/** At a fixed age (`isAskSlot`): puts the questions. `read` is called only if there is one. */
export function ask(live: LiveToken, market: OutlookMarket, read: () => Holding, watcher: OutlookWatcher | null): void {
  const { token } = live
  const { slot, outlook } = market
  const age = slot - token.createdSlot
  if (token.dead || !isAsked(token, slot)) return
  if (!QUESTIONS.some((question) => isAtRisk(question, token, market))) return
  const inputs = inputsOf({ live, reading: read(), market, age })
  const answers = foretell(live, market, inputs, age)
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
    watcher?.asked(asked, answer, inputs, token)
  }
}

/** Counts the outcomes of the questions whose time is up, whenever they were decided: hits are early, and would outnumber. */
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
