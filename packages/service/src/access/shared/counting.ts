import { type RawBuilder, sql } from 'kysely'
import { createPoller, type Poller } from '../../base/poller.ts'
import type { Plan } from '../keys.ts'
import type { Database } from '../sql/database.ts'
import { planIn } from '../sql/plan.ts'
import type { KeptName, Shared } from './shared.ts'

/**
 * Milliseconds between two counts, which take the database some 50 ms where every pool is full. Meanwhile a node counts what it admits
 * itself, so several nodes exceed a pool by no more than they admit in that time.
 */
const COUNT_MS = 15_000

const many = sql<number | string>`count(*)`

interface Rows {
  readonly from: RawBuilder<unknown>
  readonly number: RawBuilder<number | string>
}

const COUNTED: Readonly<Record<KeptName, Rows>> = {
  watches: { from: sql`watches`, number: many },
  conditions: { from: sql`(select account_id from watches where kind = 'condition')`, number: many },
  alerts: { from: sql`alert_counters`, number: sql`sum(seq - oldest + 1)` },
  destinations: { from: sql`destinations`, number: many },
}

/** Counts the rows of all accounts by plan, from the start on. */
export function startCounting(
  { sql: db }: Pick<Database, 'sql'>,
  { shared, now }: { readonly shared: Shared; readonly now: () => number },
): { run(): Promise<void>; close(): Promise<void> } {
  async function count(name: KeptName): Promise<void> {
    const { from, number } = COUNTED[name]
    const { rows } = await sql<{ plan: Plan; n: number | string }>`
      select ${planIn(new Date(now()))} as plan, ${number} as n
      from ${from} as counted join accounts on accounts.id = counted.account_id group by 1`.execute(db)
    const of = (plan: Plan) => Number(rows.find((row) => row.plan === plan)?.n ?? 0)
    shared.counted(name, { pro: of('pro'), free: of('free') })
  }

  const poller: Poller = createPoller({
    what: 'counts of shared rows',
    everyMs: COUNT_MS,
    async run() {
      for (const name of Object.keys(COUNTED) as KeptName[]) await count(name)
    },
  })
  poller.wake()
  return { run: poller.run, close: poller.stop }
}
