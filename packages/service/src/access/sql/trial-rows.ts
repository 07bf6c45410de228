import type { Database } from './database.ts'

/** Stream time of an account in one span. */
export interface TrialUse {
  readonly account: string
  /** the span's start, Unix ms */
  readonly startMs: number
  readonly usedMs: number
}

const COLUMNS = ['account', 'started_at', 'used_ms'] as const

const toUse = (row: { account: string; started_at: Date; used_ms: number }): TrialUse => ({
  account: row.account,
  startMs: row.started_at.getTime(),
  usedMs: row.used_ms,
})

/** Locks rows in the same order on every node, so that they cannot deadlock. */
const inOrder = (a: TrialUse, b: TrialUse): number =>
  a.account < b.account ? -1 : a.account > b.account ? 1 : a.startMs - b.startMs

/** The table of trials: a row per account and span, to which every node adds. One statement per call. */
export function createTrialRows({ sql: db }: Pick<Database, 'sql'>) {
  return {
    /** adds to rows, creating missing ones; resolves to their sums. No account and span twice */
    async add(uses: readonly TrialUse[]): Promise<TrialUse[]> {
      const rows = uses.toSorted(inOrder).map(({ account, startMs, usedMs }) => ({
        account,
        started_at: new Date(startMs),
        used_ms: usedMs,
      }))
      const sums = await db
        .insertInto('trials')
        .values(rows)
        .onConflict((conflict) =>
          conflict
            .columns(['account', 'started_at'])
            .doUpdateSet((row) => ({ used_ms: row('trials.used_ms', '+', row.ref('excluded.used_ms')) })),
        )
        .returning(COLUMNS)
        .execute()
      return sums.map(toUse)
    },
    /** the rows of these accounts whose span began after `afterMs` */
    async read(accounts: readonly string[], afterMs: number): Promise<TrialUse[]> {
      const found = db.selectFrom('trials').select(COLUMNS).where('account', 'in', accounts)
      return (await found.where('started_at', '>', new Date(afterMs)).execute()).map(toUse)
    },
    /** deletes spans that began earlier */
    async forget(beforeMs: number): Promise<void> {
      await db.deleteFrom('trials').where('started_at', '<', new Date(beforeMs)).execute()
    },
  }
}
