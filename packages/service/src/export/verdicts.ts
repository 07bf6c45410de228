import { COLOURS, VERDICT_CODES, VERDICT_EVENTS } from '@ti/core/base/verdict-codes.ts'
import type { TokenEventRow } from '@ti/core/model/rows.ts'
import { doubleOrNull, int, known, text, timeOrNull } from './columns.ts'
import type { Table } from './table.ts'

type Change = Extract<TokenEventRow, { readonly kind: 'verdict' }>

/** Tenths to points; null for -1, without a reading. */
export const points = (tenths: number): number | null => (known(tenths) === null ? null : tenths / 10)

/** One row per change of a verdict's colour, in order. */
export const VERDICTS: Table<Change> = {
  name: 'verdicts',
  columns: () => [
    int('verdict_no', (v) => v.no),
    text('mint', (v, names) => names.mint(v.token)),
    int('slot', (v) => v.slot),
    timeOrNull('changed_at', (v) => v.time),
    text('from_colour', (v) => COLOURS[v.from]!),
    text('colour', (v) => COLOURS[v.colour]!),
    text('code', (v) => VERDICT_CODES[v.code]!),
    text('event', (v) => VERDICT_EVENTS[v.event]!),
    doubleOrNull('score', (v) => points(v.score)),
  ],
  *rows({ store }, [seq]) {
    for (const event of store.tokenEvents(seq)) if (event.kind === 'verdict') yield event
  },
  after: ({ seq }) => [seq + 1, 0],
}
