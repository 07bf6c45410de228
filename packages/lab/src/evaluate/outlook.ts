import { probabilityOf } from '@ti/core/engine/outlook/counts.ts'
import { latchedOf } from '@ti/core/engine/outlook/outlook.ts'
import type { Outlook as Counts } from '@ti/core/model/outlook.ts'
import { QUESTIONS, type Question } from './questions.ts'
import type { Counted } from './sample.ts'
import type { Outlook } from './watch.ts'

/** Reads the service's outlook for the evaluation. */
export const readOutlook: Outlook = (view) =>
  Object.fromEntries(
    QUESTIONS.map((question) => {
      const latched = latchedOf(view.live.token, question)
      const p = latched && probabilityOf(latched)
      if (p === null) return [question, null]
      const { n, hits } = latched!
      const band = Math.min(10, 1 + Math.floor(p / 100_000))
      return [question, { band, points: p, p, served: p, n, hits, afterExit: false }]
    }),
  ) as ReturnType<Outlook>

/** The fold's total counts per question. */
export function countedBy({ total, totalHits }: Counts): Readonly<Record<Question, Counted>> {
  const cells = total.length / QUESTIONS.length
  const sum = (of: readonly number[], no: number): number =>
    of.slice(no * cells, (no + 1) * cells).reduce((a, b) => a + b, 0)
  return Object.fromEntries(
    QUESTIONS.map((question, no) => [question, { n: sum(total, no), hits: sum(totalHits, no) }]),
  ) as Record<Question, Counted>
}
