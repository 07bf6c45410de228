import { outlookOf } from '@ti/core/engine/outlook/outlook.ts'
import type { Outlook as Counts } from '@ti/core/model/outlook.ts'
import { QUESTIONS, type Question } from './questions.ts'
import type { Counted } from './sample.ts'
import type { Outlook } from './watch.ts'

/** Reads the service's outlook for the evaluation. */
export const readOutlook: Outlook = (view, counts, slot) => {
  const outlook = outlookOf(view.live, { ...view.market, outlook: counts, slot }, view.reading())
  return Object.fromEntries(
    QUESTIONS.map((question) => {
      const one = outlook[question]
      if (one === null) return [question, null]
      const { ownBand, points, p, ownP, n, hits, afterExit } = one
      return [question, { band: ownBand, points, p: ownP, served: p, n, hits, afterExit }]
    }),
  ) as ReturnType<Outlook>
}

/** The fold's total counts per question. */
export function countedBy({ total, totalHits }: Counts): Readonly<Record<Question, Counted>> {
  const cells = total.length / QUESTIONS.length
  const sum = (of: readonly number[], no: number): number =>
    of.slice(no * cells, (no + 1) * cells).reduce((a, b) => a + b, 0)
  return Object.fromEntries(
    QUESTIONS.map((question, no) => [question, { n: sum(total, no), hits: sum(totalHits, no) }]),
  ) as Record<Question, Counted>
}
