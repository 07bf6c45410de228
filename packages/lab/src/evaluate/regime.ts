import type { Case } from './cases.ts'
import { answered, EVERYBODY, sum, yesOf } from './populations.ts'
import { HORIZON, QUESTIONS, type Question } from './questions.ts'
import { JUDGED } from './reliability.ts'
import type { Regime } from './sample.ts'

/** Served against observed rates, in intervals of outcomes in the order in which they were due. */
export interface RegimeCurve {
  readonly question: Question
  readonly points: readonly RegimePoint[]
  /** Outcomes of questions asked after the change until the served probability is right for good; null if never. */
  readonly rightAfter: number | null
  /** Outcomes after the change; with fewer than `RIGHT_WITHIN` there is no verdict. */
  readonly after: number
}

interface RegimePoint {
  /** Outcomes between the change and the interval's last one; negative before it. */
  readonly at: number
  readonly served: number
  readonly observed: number
}

export const PIECE = 500
export const RIGHT_WITHIN = 2_000

export const regimeCurves = (regime: Regime): RegimeCurve[] =>
  QUESTIONS.map((question) => curveOf(regime.cases, question, regime.fromSlot))

export function curveOf(all: readonly Case[], question: Question, fromSlot: number): RegimeCurve {
  const cases = answered(all, question, EVERYBODY)
    .filter(({ foretold }) => foretold[question] !== null)
    .sort((a, b) => a.slot - b.slot || (a.mint < b.mint ? -1 : 1))
  // an outcome asked about before the change and due after it belongs to neither
  const before = cases.filter(({ slot }) => slot + HORIZON[question] < fromSlot)
  const after = cases.filter(({ slot }) => slot >= fromSlot)
  const lead = before.slice(before.length % PIECE)
  const points = [
    ...pieces(lead).map((piece, i) => pointOf(piece, question, (i + 1) * PIECE - lead.length)),
    ...pieces(after).map((piece, i) => pointOf(piece, question, (i + 1) * PIECE)),
  ]
  const behind = points.filter(({ at }) => at > 0)
  const wrong = behind.findLastIndex(({ served, observed }) => Math.abs(served - observed) > JUDGED.within)
  const right = behind[wrong + 1]
  return { question, points, rightAfter: right === undefined ? null : right.at - PIECE, after: after.length }
}

function pieces(cases: readonly Case[]): Case[][] {
  const count = Math.floor(cases.length / PIECE)
  return Array.from({ length: count }, (_, i) => cases.slice(i * PIECE, (i + 1) * PIECE))
}

const pointOf = (piece: readonly Case[], question: Question, at: number): RegimePoint => ({
  at,
  served: sum(piece.map(({ foretold }) => foretold[question]!.p / 1_000_000)) / piece.length,
  observed: sum(yesOf(piece, question)) / piece.length,
})
