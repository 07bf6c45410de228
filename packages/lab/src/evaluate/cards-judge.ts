import type { Card } from '@ti/core/engine/outlook/card.ts'
import type { InputName } from '@ti/core/engine/outlook/inputs.ts'
import { QUESTIONS, type Question } from '@ti/core/engine/outlook/questions.ts'
import { auroc, rank } from './auc.ts'
import { bandOfRow } from './cards-fit.ts'
import { type CardRow, pointsOf } from './cards-rows.ts'

/** Evaluates cards on rows they were not fitted on, as lines of text. */
const BASELINES: readonly InputName[] = ['market_cap', 'price_multiple', 'holders']
/** outcomes per interval of served probabilities, and the fewest rows of a bin that is judged */
const STRETCH = 2_000
const BIN_LEAST = 200

const areaOf = (rows: readonly CardRow[], value: (row: CardRow) => number): number =>
  auroc(
    rank(
      rows.map(value),
      Uint8Array.from(rows, ({ hit }) => (hit ? 1 : 0)),
      new Uint32Array(rows.length),
    ),
  )

const rateOf = (rows: readonly CardRow[]): number =>
  rows.reduce((sum, { hit }) => sum + (hit ? 1 : 0), 0) / Math.max(1, rows.length)
const meanP = (rows: readonly CardRow[]): number => rows.reduce((sum, { p }) => sum + p, 0) / Math.max(1, rows.length)
const pct = (share: number): string => (100 * share).toFixed(1)

/** AUROC of the card's points and of each baseline in its better direction, and the hit rate by band. */
export function judgeCards(cards: Readonly<Record<Question, Card>>, all: readonly CardRow[]): string[] {
  return QUESTIONS.flatMap((question) => {
    const rows = all.filter((row) => row.question === question)
    const card = cards[question]
    const points = areaOf(rows, (row) => pointsOf(card, row))
    const baselines = BASELINES.map((input) => {
      const area = areaOf(rows, (row) => row.inputs[input] ?? 0)
      return `${input} ${Math.max(area, 1 - area).toFixed(3)}`
    })
    const bands = Array.from({ length: card.bands.length + 1 }, (_, band) =>
      rows.filter((row) => bandOfRow(card, row) === band),
    )
    return [
      `${question}: ${rows.length} outcomes, ${pct(rateOf(rows))} % came true; AUROC ${points.toFixed(3)}, ${baselines.join(', ')}`,
      `  came true by band, %: ${bands.map((rows) => `${pct(rateOf(rows))} (${rows.length})`).join(' ')}`,
    ]
  })
}

/** Served probabilities: AUROC, Brier score and reliability, in total and per interval of outcomes. */
export function judgeServed(all: readonly CardRow[]): string[] {
  return QUESTIONS.flatMap((question) => {
    const rows = all.filter((row) => row.question === question)
    if (rows.length === 0) return [`${question}: no outcome`]
    const brier = rows.reduce((sum, { p, hit }) => sum + (p - (hit ? 1 : 0)) ** 2, 0) / rows.length
    const stretches: string[] = []
    for (let at = 0; at < rows.length; at += STRETCH) {
      const part = rows.slice(at, at + STRETCH)
      stretches.push(`${pct(meanP(part))}→${pct(rateOf(part))} (worst bin ${pct(worstBin(part))})`)
    }
    return [
      `${question}: ${rows.length} outcomes; served AUROC ${areaOf(rows, ({ p }) => p).toFixed(3)}, Brier ${brier.toFixed(4)}`,
      `  served → came true, %: ${binsOf(rows)
        .map((bin) => `${pct(meanP(bin))}→${pct(rateOf(bin))} (${bin.length})`)
        .join(' ')}`,
      `  by ${STRETCH} outcomes, %: ${stretches.join(' ')}`,
    ]
  })
}

const binsOf = (rows: readonly CardRow[]): CardRow[][] =>
  Array.from({ length: 10 }, (_, bin) => rows.filter(({ p }) => Math.min(9, Math.floor(p * 10)) === bin)).filter(
    (bin) => bin.length > 0,
  )

const worstBin = (rows: readonly CardRow[]): number =>
  Math.max(
    0,
    ...binsOf(rows)
      .filter(({ length }) => length >= BIN_LEAST)
      .map((bin) => Math.abs(meanP(bin) - rateOf(bin))),
  )
