import { type RawBuilder, sql } from 'kysely'
import { createPoller, type Poller } from '../../base/poller.ts'
import type { Plan } from '../keys.ts'
import type { Database } from '../sql/database.ts'
import type { KeptName, Shared } from './shared.ts'

/**
 * Milliseconds between two counts, which take the database some 50 ms where every pool is full. Meanwhile a node counts what it admits
 * itself, so several nodes exceed a pool by no more than they admit in that time.
 */
const COUNT_MS = 15_000

const many = sql`count(*)`
const keptAlerts = sql`sum(seq - oldest + 1)`

type Part = RawBuilder<unknown>

const COUNTED: Readonly<Record<KeptName, { readonly from: Part; readonly pro: Part; readonly free: Part }>> = {
  watches: { from: sql`watches`, pro: many, free: many },
  conditions: { from: sql`(select account_id from watches where kind = 'condition')`, pro: many, free: many },
  alerts: { from: sql`alert_counters`, pro: keptAlerts, free: keptAlerts },
  destinations: { from: sql`destinations`, pro: many, free: many },
}

/** Counts the rows of all accounts by plan, from the start on. */
export function startCounting(
  { sql: db }: Pick<Database, 'sql'>,
  { shared, now }: { readonly shared: Shared; readonly now: () => number },
): { run(): Promise<void>; close(): Promise<void> } {
  async function count(name: KeptName): Promise<void> {
    const { from, pro, free } = COUNTED[name]
    const { rows } = await sql<Record<Plan, number | string> & { plan: Plan }>`
      select case when granted_pro or paid_until > ${new Date(now())} then 'pro' else 'free' end as plan,
        ${pro} as pro, ${free} as free
      from ${from} as counted join accounts on accounts.id = counted.account_id group by 1`.execute(db)
    const of = (plan: Plan) => Number(rows.find((row) => row.plan === plan)?.[plan] ?? 0)
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
