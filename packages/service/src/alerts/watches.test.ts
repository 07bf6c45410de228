import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import { emptyDatabase } from '../../../../test/support/database.ts'
import { sharedWith } from '../../../../test/support/shared.ts'
import { createAccounts } from '../access/accounts/accounts.ts'
import { startCounting } from '../access/shared/counting.ts'
import { SHARED } from '../access/shared/table.ts'
import { levelOf } from './alert-rows.ts'
import type { Draft } from './events.ts'
import { createAlertStore, createWatchBook, type NewWatch, type WatchChange } from './watches.ts'
import { ALERT_WORK, createWorkerStore } from './worker-store.ts'

const now = (): number => 1_790_000_000_000
const ADDRESS = base58Encode('w'.repeat(32))
const wallet: NewWatch = { kind: 'wallet', target: ADDRESS, name: 'w', minLamports: 0 }
const condition: NewWatch = { ...wallet, kind: 'condition', target: 'mcap > 1' }

async function open(t: TestContext, shared = sharedWith({})) {
  const database = await emptyDatabase(t)
  const accounts = createAccounts(database, { now })
  const [one, other] = [await accounts.ofWallet('one'), await accounts.ofWallet('other')]
  const book = createWatchBook(database, { now, shared })
  const said = async (made: ReturnType<typeof book.add>): Promise<string> => {
    const answer = await made
    return answer.ok ? 'made' : answer.message
  }
  return { database, book, one: one.id, other: other.id, said }
}

test('watches are bounded per account and per plan; those of the free plan take nothing from Pro', async (t) => {
  const shared = sharedWith({
    watches: { pool: { pro: 14, free: 12 }, share: { pro: 12 } },
    conditions: { pool: { pro: 2, free: 1 } },
  })
  const { database, book, one, other, said } = await open(t, shared)
  for (let n = 0; n < 10; n++) assert.equal(await said(book.add(one, 'free', wallet)), 'made')
  assert.match(await said(book.add(one, 'free', wallet)), /may have 10 watches on the free plan/)
  assert.equal(await said(book.add(other, 'free', condition)), 'made')
  assert.match(await said(book.add(other, 'free', condition)), /no more conditions are available on the free plan/)
  assert.match(await said(book.add(other, 'free', wallet)), /no more watches are available on the free plan/)
  assert.equal(await said(book.add(other, 'pro', condition)), 'made')
  const counting = startCounting(database, { shared, now })
  await counting.run()
  await counting.close()
  const { watches, conditions } = shared.usage()
  assert.deepEqual(
    [watches.used, conditions.used],
    [
      { pro: 0, free: 12, visitor: 0 },
      { pro: 0, free: 2, visitor: 0 },
    ],
  )
  assert.equal((await book.list(one)).length, 10)
})

test('eleven watches asked for at once are ten', async (t) => {
  const { book, one, said } = await open(t)
  const all = await Promise.all(Array.from({ length: 11 }, () => said(book.add(one, 'free', wallet))))
  assert.equal(all.filter((answer) => answer === 'made').length, 10)
})

test('a target is an address or a filter, and a megabyte is neither', async (t) => {
  const { book, one, said } = await open(t)
  const huge = 'm'.repeat(1 << 20)
  for (const [asked, message] of [
    [{ ...wallet, target: 'x' }, /target: not an address/],
    [{ ...wallet, kind: 'token', target: huge }, /target: not an address/],
    [{ ...condition, target: 'mcap' }, /target: at character 5/],
    [{ ...condition, target: huge }, /target: a filter has at most 1000 characters/],
  ] as const) {
    assert.match(await said(book.add(one, 'pro', asked)), message)
  }
  assert.deepEqual(await book.list(one), [])
})

test('an actor is watched by its number, also where its id was given, and has to exist', async (t) => {
  const { database, one } = await open(t)
  const actorNo = async (id: string) => (id === 'act_7hQ2mVx9TzKc' ? 12 : id === '12' ? 12 : null)
  const book = createWatchBook(database, { now, actorNo })
  const add = (target: string) => book.add(one, 'free', { ...wallet, kind: 'actor', target })
  for (const target of ['act_7hQ2mVx9TzKc', '12']) {
    const made = await add(target)
    assert.equal(made.ok && made.watch.target, '12')
  }
  for (const [target, message] of [
    ['13', /no such actor/],
    ['act_7hQ2mVx9TzKd', /no such actor/],
    ['-1', /not an actor/],
    [ADDRESS, /not an actor/],
  ] as const) {
    const refused = await add(target)
    assert.match(refused.ok ? '' : refused.message, message)
  }
})

test('somebody else’s watch does not exist', async (t) => {
  const { book, one, other, said } = await open(t)
  await said(book.add(one, 'free', wallet))
  const { id } = (await book.list(one))[0]!
  assert.deepEqual(await book.change(other, id, { name: 'mine', paused: true }), { ok: false, missing: true })
  assert.equal(await book.remove(other, id), false)
  assert.deepEqual(
    (await book.list(one)).map(({ name, paused }) => [name, paused]),
    [['w', false]],
  )
  assert.deepEqual(await book.list(other), [])
})

test('a watch that goes on after a pause begins anew; one that is only named does not', async (t) => {
  const { database, book, one, said } = await open(t)
  await said(book.add(one, 'free', wallet))
  const ledger = createWorkerStore(database, 'w')
  await ledger.take()
  await ledger.load(null, { trade: 5, event: 2, slot: 9, condition: 5 })
  const [watch] = await book.list(one)
  assert.deepEqual([watch!.from_trade, watch!.from_event, watch!.from_slot], [5, 2, 10])
  const change = async (to: WatchChange) => {
    const changed = await book.change(one, watch!.id, to)
    assert.ok(changed.ok)
    return changed.watch
  }
  const named = await change({ name: 'n', minLamports: 7 })
  assert.deepEqual([named.name, named.from_trade, named.min_lamports], ['n', 5, 7])
  assert.equal((await change({ paused: true })).from_trade, 5)
  const again = await change({ paused: false })
  assert.deepEqual([again.paused, again.from_trade, again.from_slot], [false, null, null])
})

test('the filter of a condition can be changed, and counts anew; another target cannot', async (t) => {
  const { database, book, one, said } = await open(t)
  await said(book.add(one, 'free', condition))
  await said(book.add(one, 'free', wallet))
  const ledger = createWorkerStore(database, 'w')
  await ledger.take()
  await ledger.load(null, { trade: 5, event: 2, slot: 9, condition: 5 })
  const watches = await book.list(one)
  const id = watches.find(({ kind }) => kind === 'condition')!.id
  const before = await ledger.version()
  const same = await book.change(one, id, { target: 'mcap > 1' })
  assert.equal(same.ok && same.watch.from_trade, 5)
  const other = await book.change(one, id, { target: 'mcap > 2' })
  assert.deepEqual(other.ok && [other.watch.target, other.watch.from_trade], ['mcap > 2', null])
  assert.ok((await ledger.version())! > before!, 'the worker takes it on')
  const wrong = async (of: string, target: string): Promise<string> => {
    const answer = await book.change(one, of, { target })
    return 'message' in answer ? answer.message : 'changed'
  }
  assert.match(await wrong(id, 'mcap >'), /^target: at character/)
  assert.match(await wrong(watches.find(({ kind }) => kind === 'wallet')!.id, ADDRESS), /only a condition/)
})

test('alerts are read in order, and the newest of many accounts in one query', async (t) => {
  const { database, one, other } = await open(t)
  const alertStore = createAlertStore(database)
  const ledger = createWorkerStore(database, 'w', ALERT_WORK, { ...SHARED.alerts, share: { pro: 9, free: 4 } })
  await ledger.take()
  const draft = (account: string, id: string): Draft => ({
    ...{ account, id, watch: { id: 'watch_1', name: 'w' }, event: 'sold', title: 't', text: 'x', why: {} },
    ...{ mint: null, wallet: null, slot: 1, at: 1, links: [] },
  })
  const cursor = { trade: 1, event: 1, slot: 1, condition: 1 }
  const write = (...drafts: Draft[]) => ledger.write(drafts, new Map(), cursor)
  assert.equal(await write(draft(one, 'a'), draft(other, 'b'), draft(one, 'c'), draft(one, 'c')), true)
  // the same again: at least once for the worker is once for the account
  assert.equal(await write(draft(one, 'c'), draft(one, 'd')), true)
  const ids = async (seq: number, limit = 100) =>
    (await alertStore.after(one, seq, limit)).map(({ seq, id }) => [seq, id])
  assert.deepEqual(await ids(0), [
    [1, 'a'],
    [2, 'c'],
    [3, 'd'],
  ])
  assert.deepEqual(await ids(1, 1), [[2, 'c']])
  assert.deepEqual(
    (await alertStore.newest(one)).map(({ seq }) => seq),
    [3, 2, 1],
  )
  assert.deepEqual(
    [...(await alertStore.heads([one, other, 'nobody']))].sort(),
    [
      [one, 3],
      [other, 1],
    ].sort(),
  )
  assert.deepEqual([...(await alertStore.heads([]))], [])
  await write(...['e', 'f', 'g'].map((id) => draft(one, id)))
  assert.deepEqual(
    (await ids(0)).map(([seq]) => seq),
    [3, 4, 5, 6],
    'the oldest beyond what is kept are gone',
  )
})

/** Alerts that a worker writes for an account, numbered so that each is another. */
function createWriter(ledger: ReturnType<typeof createWorkerStore>) {
  let n = 0
  return async (account: string, count: number): Promise<void> => {
    const drafts = Array.from({ length: count }, (): Draft => {
      const place = { mint: null, wallet: null, slot: n, at: n, links: [] }
      const watch = { id: 'watch_1', name: 'w' }
      return { account, id: `alert ${n++}`, watch, event: 'sold', title: 't', text: 'x', why: {}, ...place }
    })
    assert.equal(await ledger.write(drafts, new Map(), { trade: n, event: 0, slot: n, condition: n }), true)
  }
}

test('where the pool of free accounts is full, those with most alerts make room, and Pro loses nothing', async (t) => {
  const { database, one, other } = await open(t)
  const accounts = createAccounts(database, { now })
  const paying = (await accounts.ofWallet('paying')).id
  await database.sql.updateTable('accounts').set({ granted_pro: true }).where('id', '=', paying).execute()
  const kept = { pool: { pro: 50, free: 100 }, share: { pro: 60, free: 90 } }
  const ledger = createWorkerStore(database, 'w', ALERT_WORK, kept)
  await ledger.take()
  const write = createWriter(ledger)
  const numbers = async (account: string): Promise<number[]> => {
    const rows = database.sql.selectFrom('alerts').select('seq').where('account_id', '=', account).orderBy('seq')
    return (await rows.execute()).map(({ seq }) => seq)
  }
  await write(paying, 40)
  await write(one, 10)
  for (let round = 0; round < 30; round++) {
    await write(other, 10)
    const [few, many] = [await numbers(one), await numbers(other)]
    assert.ok(few.length + many.length <= 100)
    assert.deepEqual(
      few,
      Array.from({ length: 10 }, (_, i) => i + 1),
    )
    assert.ok(many.length <= 90 && many.length >= Math.min(85, 10 * round) && many.at(-1) === 10 * (round + 1))
  }
  assert.equal((await numbers(paying)).length, 40)
  // a pool that is full of Pro's alerts takes nothing from free accounts either
  await write(paying, 30)
  assert.deepEqual([(await numbers(paying)).length, (await numbers(one)).length], [49, 10])
  const { oldest } = await database.sql
    .selectFrom('alert_counters')
    .select('oldest')
    .where('account_id', '=', paying)
    .executeTakeFirstOrThrow()
  assert.deepEqual([oldest, (await createAlertStore(database).range(paying)).oldestSeq], [22, 22])
})

test('a worker counts the pool anew after another has written', async (t) => {
  const { database, one } = await open(t)
  const kept = { pool: { pro: 1, free: 200 }, share: { pro: 1, free: 1_000 } }
  const [left, right] = ['v', 'x'].map((owner) => createWorkerStore(database, owner, ALERT_WORK, kept))
  let worker = left!
  let written = 0
  for (const next of [left!, right!, left!, right!, left!]) {
    await worker.leave()
    worker = next
    assert.ok(await worker.take())
    const write = createWriter({
      ...worker,
      write: (drafts, ...rest) =>
        worker.write(
          drafts.map((draft) => ({ ...draft, id: `${draft.id} ${written}` })),
          ...rest,
        ),
    })
    for (let n = 0; n < 3; n++, written++) await write(one, 40)
    const { n } = await database.sql
      .selectFrom('alerts')
      .select((query) => query.fn.countAll<number | string>().as('n'))
      .executeTakeFirstOrThrow()
    assert.ok(Number(n) <= 200, `${n}`)
  }
})

test('a level up to which all may keep their own', () => {
  for (const [numbers, most, level] of [
    [[5, 5, 5], 15, Number.POSITIVE_INFINITY],
    [[5, 5, 5], 14, 4],
    [[1, 2, 30], 13, 10],
    [[1, 20, 30], 21, 10],
    [[7], 0, 0],
    [[], 3, Number.POSITIVE_INFINITY],
  ] as const)
    assert.equal(levelOf(numbers, most), level, `${numbers}`)
})

test('listeners hear of accounts until they stop', () => {
  const alertStore = createAlertStore({ sql: null as never })
  const heard: string[] = []
  const stop = alertStore.listen((account) => heard.push(account))
  alertStore.notify(['a', 'b'])
  stop()
  alertStore.notify(['c'])
  assert.deepEqual(heard, ['a', 'b'])
})
