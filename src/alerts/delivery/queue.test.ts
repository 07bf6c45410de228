import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KyselyPlugin, QueryNode, type RootOperationNode, SelectQueryNode, sql as statement } from 'kysely'
import { deliveryScene } from '../../../test/support/delivery-scene.ts'
import { createDeliveryQueue } from './queue.ts'

const [DESTINATIONS, WAITING] = [300, 40]

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Plan[]
}

const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]

test('what is due is found by an index, one look for each destination, however many deliveries wait', async (t) => {
  const scene = await deliveryScene(t)
  const { sql, dialect } = scene.database
  const me = await scene.account()
  await statement`insert into destinations (id, account_id, kind, name, enabled, address, alert_seq, created_at)
    select 'dest_' || n, ${me}, 'webhook', 'n', true, 'https://secure.example/hook', 0, now()
    from generate_series(1, ${DESTINATIONS}::int) n`.execute(sql)
  await statement`insert into deliveries
    (destination_id, number, alert_id, alert, state, attempts, due_at, give_up_at, created_at)
    select 'dest_' || n, m, 'alert_' || m, '{}', 'waiting', 1, now() + interval '1 hour', now() + interval '1 day', now()
    from generate_series(1, ${DESTINATIONS}::int) n, generate_series(1, ${WAITING}::int) m`.execute(sql)
  await statement`analyze`.execute(sql)

  let plan: Plan | undefined
  const explained: KyselyPlugin = {
    transformQuery: ({ node }) =>
      (SelectQueryNode.is(node) ? QueryNode.cloneWithExplain(node, 'json', undefined) : node) as RootOperationNode,
    async transformResult({ result }) {
      const [row] = result.rows as { 'QUERY PLAN': readonly { Plan: Plan }[] }[]
      plan = row!['QUERY PLAN'][0]!.Plan
      return { ...result, rows: [] }
    },
  }
  const queue = createDeliveryQueue({ dialect, sql: sql.withPlugin(explained) }, { now: scene.now, random: () => 0 })
  await queue.due(['dest_1'], 64)
  const reads = flat(plan!).filter((one) => one['Relation Name'] === 'deliveries' || one['Index Name'] !== undefined)
  const indexes = reads.flatMap((one) => one['Index Name'] ?? [])
  assert.ok(indexes.includes('deliveries_due'), JSON.stringify(plan))
  for (const read of reads) assert.doesNotMatch(read['Node Type'], /^Seq Scan/, JSON.stringify(plan))
})
