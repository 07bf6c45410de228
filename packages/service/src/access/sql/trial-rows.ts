import type { Database } from './database.ts'

/** Stream time of an account in one clock hour. */
export interface TrialUse {
  readonly account: string
  /** the hour's start, Unix ms */
  readonly hourMs: number
  readonly usedMs: number
}

/** The table of trials: a row per account and hour, to which every node adds. One statement per call. */
export interface TrialRows {
  /** adds to rows, creating missing ones; resolves to their sums. No account and hour twice */
  add(uses: readonly TrialUse[]): Promise<TrialUse[]>
  /** existing rows, and possibly other hours of the same accounts */
  read(uses: readonly TrialUse[]): Promise<TrialUse[]>
  /** deletes hours that began earlier */
  forget(beforeMs: number): Promise<void>
}

const COLUMNS = ['account', 'started_at', 'used_ms'] as const

const toUse = (row: { account: string; started_at: Date; used_ms: number }): TrialUse => ({
  account: row.account,
  hourMs: row.started_at.getTime(),
  usedMs: row.used_ms,
})

/** Locks rows in the same order on every node, so that they cannot deadlock. */
const inOrder = (a: TrialUse, b: TrialUse): number =>
  a.account < b.account ? -1 : a.account > b.account ? 1 : a.hourMs - b.hourMs

export function createTrialRows({ sql: db }: Pick<Database, 'sql'>): TrialRows {
  return {
    async add(uses) {
      const rows = uses.toSorted(inOrder).map(({ account, hourMs, usedMs }) => ({
        account,
        started_at: new Date(hourMs),
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
    async read(uses) {
      // two lists, because planning a list of 500 pairs took minutes in a test
      const accounts = new Set(uses.map((use) => use.account))
      const hours = new Set(uses.map((use) => use.hourMs))
      const found = await db
        .selectFrom('trials')
        .select(COLUMNS)
        .where('account', 'in', [...accounts])
        .where(
          'started_at',
          'in',
          Array.from(hours, (ms) => new Date(ms)),
        )
        .execute()
      return found.map(toUse)
    },
    async forget(beforeMs) {
      await db.deleteFrom('trials').where('started_at', '<', new Date(beforeMs)).execute()
    },
  }
}
