import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { emptyDatabase } from '../../../../test/support/database.ts'
import { wallet } from '../../../../test/support/wallet.ts'
import { createAccounts } from '../access/accounts/accounts.ts'
import type { Draft } from './events.ts'
import { createAlertStore, createWatchBook } from './watches.ts'
import { createWorkerStore } from './worker-store.ts'

const TABLES = ['alerts', 'alert_counters', 'alert_worker', 'leases'] as const
const LEASE_ENDS = new Date(0)

/** A worker of one account, and a database that can lose its newest commits, as a replica that was behind has. */
async function start(t: TestContext) {
  const database = await emptyDatabase(t)
  const { sql } = database
  const account = (await createAccounts(database, { now: Date.now }).ofWallet(wallet().address)).id
  const book = createWatchBook(database, { now: Date.now })
  await book.add(account, 'pro', { kind: 'wallet', target: wallet().address, name: 'w', minLamports: 0 })
  const alertStore = createAlertStore(database)
  let at = 0
  const draft = (id: string): Draft => ({
    ...{ account, id, watch: { id: 'watch_1', name: 'w' }, event: 'sold', title: 't', text: 'x', why: {} },
    ...{ mint: null, wallet: null, slot: 1, at: 1, links: [] },
  })
  const cursor = () => ({ trade: at, event: at, slot: at, condition: at })
  async function worker(owner: string) {
    const store = createWorkerStore(database, owner)
    const open = async () => {
      assert.ok(await store.take())
      const loaded = await store.load(null, cursor())
      at = loaded!.cursor.trade
    }
    await open()
    const write = (...ids: string[]) => {
      at++
      return store.write(ids.map(draft), new Map(), cursor())
    }
    return { open, write, leave: store.leave }
  }
  const seqs = async (after = 0) => (await alertStore.since(account, after)).map(({ seq, id }) => [id, seq] as const)
  return {
    ...{ sql, account, alertStore, worker, seqs },
    async snapshot() {
      const rows = await Promise.all(
        TABLES.map(async (name) => [name, await sql.selectFrom(name).selectAll().execute()]),
      )
      return async () => {
        for (const [name, old] of rows as [(typeof TABLES)[number], never[]][]) {
          await sql.deleteFrom(name).execute()
          if (old.length > 0) await sql.insertInto(name).values(old).execute()
        }
      }
    },
    endLease: () => sql.updateTable('leases').set({ lease_until: LEASE_ENDS }).execute(),
  }
}

test('numbers count from 1; another worker goes on above every number that was ever given', async (t) => {
  const { alertStore, account, worker, seqs, endLease } = await start(t)
  const first = await worker('one')
  assert.equal(await first.write('a', 'b'), true)
  assert.equal(await first.write('c'), true)
  assert.deepEqual(
    (await seqs()).map(([, seq]) => seq),
    [1, 2, 3],
  )
  await endLease()
  const before = Date.now()
  const second = await worker('two')
  assert.equal(await second.write('d', 'e'), true)
  const [d, e] = await seqs(3)
  assert.ok(d![1] > 100 * before && d![1] <= 100 * Date.now() + 1, `${d}`)
  assert.equal(e![1], d![1] + 1)
  assert.deepEqual(
    (await alertStore.after(account, 0, 100)).map(({ place }) => place),
    [1, 2, 3, 4, 5],
  )
  assert.deepEqual(await alertStore.range(account), { seq: e![1], oldestSeq: 1 })
  assert.deepEqual(
    (await alertStore.newest(account, d![1])).map(({ id }) => id),
    ['c', 'b', 'a'],
  )
})

for (const how of ['the same worker goes on', 'the same worker loads again', 'another worker takes over'] as const) {
  test(`a database that lost commits: ${how}, and a client that resumes neither misses nor mixes any`, async (t) => {
    const { alertStore, account, worker, seqs, snapshot, endLease } = await start(t)
    const one = await worker('one')
    await one.write('a', 'b')
    const lose = await snapshot()
    await one.write('lost 1', 'again')
    const seen = await seqs()
    const last = seen.at(-1)![1]
    assert.equal(last, 4)
    await lose()
    assert.deepEqual(await alertStore.range(account), { seq: 2, oldestSeq: 1 })

    let next = one
    if (how === 'the same worker goes on') {
      assert.equal(await one.write('nobody'), false, 'its cursor is not where it left it')
      await one.open()
    } else if (how === 'the same worker loads again') {
      await one.open()
    } else {
      await endLease()
      next = await worker('two')
    }
    await next.write('again', 'new')
    await next.write('newer')
    assert.deepEqual(
      (await seqs(last)).map(([id]) => id),
      ['again', 'new', 'newer'],
    )
    // whatever number a client stopped at, it is sent everything that the account has beyond it, in order
    const place = await alertStore.placeOf(account, last)
    assert.deepEqual(
      (await alertStore.after(account, place, 100)).map(({ id }) => id),
      ['again', 'new', 'newer'],
    )
    const given = [...seen, ...(await seqs(last))]
    assert.equal(new Set(given.map(([, seq]) => seq)).size, given.length, 'no number is given twice')
  })
}
