import { COLOURS, VERDICT_CODES } from '@ti/core/base/verdict-codes.ts'
import { MILLION, probabilityOf } from '@ti/core/engine/outlook/counts.ts'
import { latchedOf } from '@ti/core/engine/outlook/outlook.ts'
import { QUESTIONS } from '@ti/core/engine/outlook/questions.ts'
import type { ReadingRow } from '@ti/core/model/rows.ts'
import { double, doubleOrNull, int, intOrNull, text } from './columns.ts'
import type { Table } from './table.ts'

/** One row per token and fixed age at which its holders were read and the outlook was asked, in order of the fold. */
export const READINGS: Table<ReadingRow> = {
  name: 'readings',
  columns: () => [
    int('reading_no', (r) => r.no),
    text('mint', (r, names) => names.mint(r.token)),
    int('slot', (r) => r.slot),
    int('age_slots', (r) => r.age),
    text('colour', (r) => COLOURS[r.colour]!),
    text('code', (r) => VERDICT_CODES[r.code]!),
    double('score', (r) => r.score / 10),
    double('score_before_verdict', (r) => r.points / 10),
    double('known_holders_pct', (r) => r.knownPct),
    double('top_10_pct', (r) => r.top10Pct),
    ...QUESTIONS.flatMap((question) => [
      doubleOrNull<ReadingRow>(`${question}_p`, (r) => {
        const latched = latchedOf(r, question)
        const p = latched && probabilityOf(latched)
        return p === null ? null : p / MILLION
      }),
      intOrNull<ReadingRow>(`${question}_outcomes`, (r) => latchedOf(r, question)?.n ?? null),
    ]),
  ],
  rows: ({ store }, [no]) => store.readings(no),
  after: ({ no }) => [no + 1, 0],
}
