import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KyselyPlugin, QueryNode, type RootOperationNode, SelectQueryNode, sql as statement } from 'kysely'
import { deliveryScene } from '../../../../../test/support/delivery-scene.ts'
import { createDeliveryQueue } from './queue.ts'

const [DESTINATIONS, WAITING] = [300, 40]
const HOUR_MS = 3_600_000

test('what is due is found by an index, one look for each destination, however many deliveries wait', async (t) => {
  const scene = await deliveryScene(t)
  const { sql, dialect, embedded } = scene.database
  const account_id = await scene.account()
  const at = new Date(scene.now())
  const later = new Date(scene.now() + HOUR_MS)
  for (let n = 1; n <= DESTINATIONS; n++) {
    const id = `dest_${n}`
    const address = 'https://secure.example/hook'
    await sql
      .insertInto('destinations')
      .values({ id, account_id, kind: 'webhook', name: 'n', enabled: true, address, alert_seq: 0, created_at: at })
      .execute()
    const waiting = Array.from({ length: WAITING }, (_, i) => ({
      destination_id: id,
      number: i + 1,
      alert_id: `alert_${i}`,
      alert: '{}',
      state: 'waiting' as const,
      attempts: 1,
      due_at: later,
      give_up_at: later,
      created_at: at,
    }))
    await sql.insertInto('deliveries').values(waiting).execute()
  }
  await statement`analyze`.execute(sql)

  let plan: readonly string[] = []
  const explained: KyselyPlugin = {
    transformQuery: ({ node }) =>
      (SelectQueryNode.is(node)
        ? QueryNode.cloneWithExplain(node, undefined, embedded ? statement`query plan` : undefined)
        : node) as RootOperationNode,
    async transformResult({ result }) {
      plan = result.rows.map((row) => String(row.detail ?? row['QUERY PLAN']))
      return { ...result, rows: [] }
    },
  }
  const queue = createDeliveryQueue({ dialect, sql: sql.withPlugin(explained) }, { now: scene.now, random: () => 0 })
  await queue.due(['dest_1'], 64)
  const reads = plan.filter((line) => /\bdeliver(?:ies|y)|\bfirst\b/.test(line))
  assert.ok(
    reads.some((line) => line.includes('deliveries_due')),
    plan.join('\n'),
  )
  for (const read of reads) assert.doesNotMatch(read, /Seq Scan|^SCAN/, plan.join('\n'))
})
