import type { Database } from '@ti/service/access/sql/database.ts'
import type { WatchRow } from '@ti/service/access/sql/schema.ts'
import type { Folder } from '../properties/prefix.ts'
import {
  alertsOf,
  type conditionIds,
  type createArrivals,
  expectedIds,
  isAsOfNewest,
  type readMarket,
} from '../support/watchers.ts'

/** Ids that a watch has to bring, and those that it may bring. */
interface Expected {
  readonly market: ReturnType<typeof readMarket>
  of(watch: WatchRow): { readonly must: readonly string[]; readonly may: ReadonlySet<string> }
}

/** As the slow second implementation finds them in the log. */
export function expectationOf(
  market: ReturnType<typeof readMarket>,
  conditions: ReturnType<typeof conditionIds>,
): Expected {
  const of: Expected['of'] = (watch) => {
    if (watch.kind === 'condition') {
      return { must: conditions.must(watch.target, watch), may: conditions.allowed(watch.target, watch) }
    }
    const must = expectedIds(market, watch)
    return { must, may: new Set(must) }
  }
  return { market, of }
}

const watchesOf = ({ sql }: Database, account: string): Promise<WatchRow[]> =>
  sql.selectFrom('watches').selectAll().where('account_id', '=', account).execute()

/** Arrivals, which are as of the newest block, of the watches whose alerts none was folded of. */
export async function checkAsOfNewest(
  database: Database,
  account: string,
  arrivals: ReturnType<typeof createArrivals>,
  whole: Folder,
): Promise<void> {
  const alerts = await alertsOf(database, account)
  for (const watch of await watchesOf(database, account)) {
    const own = alerts.filter((alert) => alert.watch.id === watch.id)
    if (watch.folded > 0 || own.some(({ event }) => event === 'summary')) continue
    arrivals.check(whole, watch, own)
  }
}

/** The alerts of an account, what its watches should have brought and have not, and what they should not have brought. */
export async function compare(database: Database, account: string, expected: Expected) {
  const alerts = await alertsOf(database, account)
  const watches = await watchesOf(database, account)
  const missing: string[] = []
  const surplus = alerts.filter(({ watch }) => watches.every(({ id }) => id !== watch.id)).map(({ id }) => id)
  for (const watch of watches) {
    const own = alerts.filter((alert) => alert.watch.id === watch.id)
    const ids = new Set(
      own
        .filter(({ event }) => event !== 'summary')
        .filter((alert) => !isAsOfNewest(alert, expected.market))
        .map(({ id }) => id),
    )
    const { must, may } = expected.of(watch)
    for (const id of ids) if (!may.has(id)) surplus.push(`${watch.name}: ${id}`)
    // beyond the bound of a minute there is only a number: in a summary, or with the watch until the minute is over
    const summed = own.filter(({ event }) => event === 'summary').reduce((sum, { why }) => sum + Number(why.more), 0)
    const left = must.filter((id) => !ids.has(id)).length - summed - watch.folded
    if (left > 0) missing.push(`${watch.kind} ${watch.name}: ${left} of ${must.length}`)
  }
  return { alerts, missing, surplus }
}
