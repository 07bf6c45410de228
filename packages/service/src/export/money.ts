import { classOf } from '@ti/core/engine/class-memory.ts'
import { hasValue } from '@ti/core/engine/units.ts'
import type { ClassSums } from '@ti/core/model/buckets.ts'
import type { Token } from '@ti/core/model/state.ts'
import { COHORTS, type CohortName, cohortsOf } from '@ti/core/query/people/money.ts'
import { int, intOrNull, text } from './columns.ts'
import { there } from './names.ts'
import type { Table } from './table.ts'

interface Row {
  readonly token: Token
  readonly cohort: CohortName
  readonly sums: Readonly<ClassSums>
}

const NAMES = Object.keys(COHORTS)

/** One row per token and cohort of its wallets, as of the position of the export. */
export const MONEY: Table<Row> = {
  name: 'money',
  columns: () => [
    text('mint', ({ token }, names) => names.mint(token.id)),
    text('cohort', ({ cohort }) => cohort),
    int('wallets', ({ sums }) => sums.wallets),
    int('held_base_units', ({ sums }) => sums.held),
    int('peak_base_units', ({ sums }) => sums.peak),
    int('sold_base_units', ({ sums }) => sums.sold),
    ...(['paid', 'got'] as const).map((what) =>
      intOrNull<Row>(`${what}_lamports`, ({ token, sums }) => (hasValue(token) ? sums[what] : null)),
    ),
  ],
  *rows({ store, globals }, [first, place]) {
    for (let id = first; id < globals.nextToken; id++) {
      const token = there(store.token(id), 'token', id)
      for (const cohort of cohortsOf(token)) {
        if (id > first || NAMES.indexOf(cohort) >= place) yield { token, cohort, sums: classOf(token, COHORTS[cohort]) }
      }
    }
  },
  after: ({ token, cohort }) => [token.id, NAMES.indexOf(cohort) + 1],
}
