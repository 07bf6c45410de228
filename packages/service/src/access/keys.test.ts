import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { emptyDatabase } from '../../../../test/support/database.ts'
import { OperatorError } from '../base/errors.ts'
import { createLogger } from '../base/log.ts'
import { createAccounts } from './accounts/accounts.ts'
import { KEY_READING } from './accounts/key-reader.ts'
import { keyPrefix } from './key-prefix.ts'
import { openKeys } from './keys.ts'

const WALLET = 'So11111111111111111111111111111111111111112'
const DAY_MS = 86_400_000
const bearer = (key: string) => `Bearer ${key}`

/** Keys over a database of their own, with a clock that stands still. */
async function setUp(t: TestContext, change: Partial<Record<keyof typeof KEY_READING, number>> = {}) {
  const database = await emptyDatabase(t)
  let ms = Date.UTC(2026, 0, 1)
  const now = () => ms
  const logged: string[] = []
  const logger = createLogger('info', { write: (line: string) => void logged.push(line) })
  const accounts = createAccounts(database, { now })
  const bounds = {
    ...KEY_READING,
    ...change,
  }
  const open = async () => {
    const keys = await openKeys(database, { now, logger, bounds })
    t.after(() => keys.close())
    return keys
  }
  async function make(accountId: string, expiresAt: Date | null = null) {
    const made = await accounts.createKey(accountId, { name: 'one', expiresAt })
    assert.ok(made.ok)
    return { key: made.key, id: made.info.id }
  }
  const pass = (by: number) => {
    ms += by
  }
  const pay = (id: string, until: number) =>
    database.sql
      .updateTable('accounts')
      .set({ paid_until: new Date(until), changed_at: new Date() })
      .where('id', '=', id)
      .execute()
  return { database, accounts, open, make, now, pass, pay, logged }
}

test('a key of play money is known where money is play money, and nowhere else', async (t) => {
  const { database, accounts, now } = await setUp(t)
  const { id } = await accounts.ofOperator()
  const playing = createAccounts(database, { now, prefix: keyPrefix('sandbox') })
  const made = await playing.createKey(id, { name: 'play', expiresAt: null })
  assert.ok(made.ok)
  assert.match(made.key, /^sk_test_/)
  for (const [takesPlay, reason] of [
    [true, undefined],
    [false, 'unknown'],
  ] as const) {
    const keys = await openKeys(database, { now, logger: createLogger('silent'), takesPlay })
    t.after(() => keys.close())
    const found = keys.check(bearer(made.key))
    assert.equal(found.ok ? undefined : found.reason, reason)
    assert.equal(keys.follow(bearer(made.key)).found.ok, takesPlay)
  }
})

test('a made key opens the door as what its account is; the database holds its hash and not the key', async (t) => {
  const { database, accounts, open, make } = await setUp(t)
  const operator = await accounts.ofOperator()
  const free = await accounts.ofWallet(WALLET)
  const [first, second] = [await make(operator.id), await make(free.id)]
  assert.match(first.key, /^sk_live_[A-Za-z0-9_-]{43}$/)
  const keys = await open()
  assert.deepEqual(keys.check(bearer(first.key)), { ok: true, id: first.id, account: operator.id, plan: 'pro' })
  assert.deepEqual(keys.check(bearer(second.key)), { ok: true, id: second.id, account: free.id, plan: 'free' })
  assert.equal(keys.size, 2)
  const rows = await database.sql.selectFrom('api_keys').selectAll().where('id', '=', first.id).execute()
  assert.equal(Buffer.from(rows[0]!.digest).toString('hex'), createHash('sha256').update(first.key).digest('hex'))
  assert.ok(!JSON.stringify(rows).includes(first.key.slice(8)))
})

test('absent, malformed and unknown are told apart', async (t) => {
  const { accounts, open, make } = await setUp(t)
  const { key } = await make((await accounts.ofOperator()).id)
  const keys = await open()
  const reason = (header: string | undefined) => {
    const check = keys.check(header)
    return check.ok ? 'ok' : check.reason
  }
  assert.equal(reason(undefined), 'absent')
  assert.equal(reason(''), 'absent')
  const malformed = ['Bearer', 'Bearer ', key, `Basic ${key}`, `Bearer ${key}x`, `Bearer ${key.slice(1)}`]
  for (const header of [...malformed, 'x'.repeat(9999)]) assert.equal(reason(header), 'malformed', header.slice(0, 80))
  assert.equal(reason(`Bearer ${key.slice(0, -1)}!`), 'malformed')
  assert.equal(reason(`Bearer sk_live_${'ÿ'.repeat(43)}`), 'malformed')
  assert.equal(reason(`Bearer sk_none_${key.slice(8)}`), 'malformed')
  assert.equal(reason(bearer(key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A'))), 'unknown')
  assert.equal(reason(`Bearer sk_live_${'A'.repeat(43)}`), 'unknown')
  assert.equal(reason(`Bearer sk_test_${'A'.repeat(43)}`), 'unknown')
  assert.equal(reason(`bearer ${key}`), 'ok')
  assert.equal(reason(`BEARER ${key}`), 'ok')
})

test('a change is known after one refresh, also to a connection that knew better', async (t) => {
  const { accounts, open, make } = await setUp(t)
  const keys = await open()
  const { id } = await accounts.ofWallet(WALLET)
  const made = await make(id)
  const connection = {}
  const check = () => keys.check(bearer(made.key), connection)
  assert.deepEqual(check(), { ok: false, reason: 'unknown' })
  await keys.refresh()
  const found = check()
  assert.deepEqual(found, { ok: true, id: made.id, account: id, plan: 'free' })
  assert.equal(check(), found)
  await keys.refresh()
  assert.equal(check(), found)

  await accounts.revokeKey(id, made.id)
  await keys.refresh()
  assert.deepEqual(check(), { ok: false, reason: 'revoked' })
  assert.equal(keys.counts.get('failed'), 0)
})

test('a refresh asked for during another sees what was committed before it was asked for', async (t) => {
  const { accounts, open, make } = await setUp(t)
  const keys = await open()
  const { id } = await accounts.ofWallet(WALLET)
  for (let i = 0; i < 5; i++) {
    const under = keys.refresh()
    const made = await make(id)
    await keys.refresh()
    assert.ok(keys.check(bearer(made.key)).ok)
    await accounts.revokeKey(id, made.id)
    await Promise.all([keys.refresh(), keys.refresh()])
    assert.deepEqual(keys.check(bearer(made.key)), { ok: false, reason: 'revoked' })
    await under
  }
})

test('a plan begins and ends, and a key expires, at the moment, on an open connection too', async (t) => {
  const { accounts, open, make, now, pass, pay } = await setUp(t)
  const { id } = await accounts.ofWallet(WALLET)
  const { key } = await make(id, new Date(now() + 20 * DAY_MS))
  const keys = await open()
  const connection = {}
  const plan = () => {
    const check = keys.check(bearer(key), connection)
    return check.ok ? check.plan : check.reason
  }
  assert.equal(plan(), 'free')
  await pay(id, now() + 10 * DAY_MS)
  await keys.refresh()
  assert.equal(plan(), 'pro')
  pass(10 * DAY_MS - 1)
  assert.equal(plan(), 'pro')
  pass(1)
  assert.equal(plan(), 'free')
  await pay(id, now() + 30 * DAY_MS)
  await keys.refresh()
  assert.equal(plan(), 'pro')
  pass(10 * DAY_MS - 1)
  assert.equal(plan(), 'pro')
  pass(1)
  assert.equal(plan(), 'expired')
})

test('a connection is remembered for its own valid header only', async (t) => {
  const { accounts, open, make } = await setUp(t)
  const { id } = await accounts.ofOperator()
  const [one, two] = [await make(id), await make(id)]
  const keys = await open()
  const connection = {}
  const ok = (made: typeof one) => ({ ok: true, id: made.id, account: id, plan: 'pro' })
  assert.deepEqual(keys.check(bearer(one.key), connection), ok(one))
  assert.deepEqual(keys.check(bearer(`${one.key.slice(0, -1)}~`), connection), { ok: false, reason: 'malformed' })
  assert.deepEqual(keys.check(undefined, connection), { ok: false, reason: 'absent' })
  assert.deepEqual(keys.check(bearer(two.key), connection), ok(two))
  assert.deepEqual(keys.check(bearer(one.key), connection), ok(one))
})

test('a followed key shows what becomes of it: plan, revocation and end', async (t) => {
  const { accounts, open, make, now, pass, pay } = await setUp(t)
  const { id } = await accounts.ofWallet(WALLET)
  const [one, two] = [await make(id), await make(id, new Date(now() + 20 * DAY_MS))]
  const keys = await open()
  const ok = (made: typeof one, plan: string) => ({ ok: true, id: made.id, account: id, plan })
  const [first, second] = [keys.follow(bearer(one.key)), keys.follow(`BEARER ${two.key}`)]
  assert.deepEqual([first.found, second.found], [ok(one, 'free'), ok(two, 'free')])

  await pay(id, now() + 10 * DAY_MS)
  assert.deepEqual(first.again(), ok(one, 'free'))
  await keys.refresh()
  assert.deepEqual([first.again(), second.again()], [ok(one, 'pro'), ok(two, 'pro')])
  assert.deepEqual(first.found, ok(one, 'free'), 'what was found stays')
  pass(10 * DAY_MS - 1)
  assert.deepEqual(first.again(), ok(one, 'pro'))
  pass(1)
  assert.deepEqual([first.again(), second.again()], [ok(one, 'free'), ok(two, 'free')])

  await accounts.revokeKey(id, one.id)
  await keys.refresh()
  assert.deepEqual([first.again(), second.again()], [{ ok: false, reason: 'revoked' }, ok(two, 'free')])
  pass(10 * DAY_MS)
  assert.deepEqual(second.again(), { ok: false, reason: 'expired' })
})

test('a followed key is found in the memory that took the place of another; without a key the refusal stays', async (t) => {
  const { database, accounts, open, make, pass } = await setUp(t)
  const { id } = await accounts.ofWallet(WALLET)
  const made = await make(id)
  const keys = await open()
  const late = `sk_live_${'L'.repeat(43)}`
  const [known, unknown] = [keys.follow(bearer(made.key)), keys.follow(bearer(late))]
  assert.deepEqual(unknown.found, { ok: false, reason: 'unknown' })
  assert.equal(known.found.ok, true)
  // what the short look does not see shows only in a memory that was read anew
  const past = new Date(0)
  await database.sql.updateTable('accounts').set({ changed_at: past }).execute()
  await database.sql.updateTable('api_keys').set({ revoked_at: past, changed_at: past }).execute()
  const row = { id: 'late', account_id: id, name: 'late', created_at: past, expires_at: null, revoked_at: null }
  const digest = createHash('sha256').update(late).digest()
  await database.sql
    .insertInto('api_keys')
    .values({ ...row, digest, changed_at: past })
    .execute()
  await keys.refresh()
  assert.equal(known.again().ok, true)
  assert.deepEqual(unknown.again(), { ok: false, reason: 'unknown' })
  pass(KEY_READING.reloadMs)
  await keys.refresh()
  assert.deepEqual(known.again(), { ok: false, reason: 'revoked' })
  assert.deepEqual(unknown.again(), { ok: true, id: 'late', account: id, plan: 'free' })

  const refusals = [undefined, '', 'Bearer', made.key, `${bearer(made.key)}x`].map((header) => keys.follow(header))
  for (const { found, again } of refusals) assert.equal(again(), found)
  const reasons = refusals.map(({ found }) => (found.ok ? 'ok' : found.reason))
  assert.deepEqual(reasons, ['absent', 'absent', 'malformed', 'malformed', 'malformed'])
})

test('while the database does not answer, known keys stay known; it is said once and counted', async (t) => {
  const { database, accounts, open, make, logged } = await setUp(t)
  const { id } = await accounts.ofOperator()
  const { key } = await make(id)
  const keys = await open()
  await database.sql.schema.alterTable('api_keys').renameTo('elsewhere').execute()
  for (let i = 0; i < 3; i++) await keys.refresh()
  assert.ok(keys.check(bearer(key)).ok)
  assert.equal(keys.counts.get('failed'), 3)
  assert.equal(logged.filter((line) => line.includes('keys cannot be read')).length, 1)

  const { sql } = database
  await sql.schema.alterTable('elsewhere').renameTo('api_keys').execute()
  const made = await make(id)
  await keys.refresh()
  assert.ok(keys.check(bearer(made.key)).ok)
  assert.equal(logged.filter((line) => line.includes('answers again')).length, 1)
  assert.ok(!logged.join('').includes(key.slice(8)))
})

test('keys that could not be read for too long are unreadable, as are unknown ones before; open streams go on', async (t) => {
  const { database, accounts, open, make, pass, now } = await setUp(t, { staleMs: 60_000 })
  const { id } = await accounts.ofOperator()
  const { key } = await make(id)
  const keys = await open()
  const connection = {}
  const stranger = bearer(`sk_live_${'A'.repeat(43)}`)
  const seen = () =>
    [keys.check(bearer(key)), keys.check(bearer(key), connection), keys.follow(bearer(key)).found].map((check) =>
      check.ok ? check.plan : check.reason,
    )
  const unreadable = { ok: false, reason: 'unreadable' }
  const stream = keys.follow(bearer(key))
  assert.deepEqual(seen(), ['pro', 'pro', 'pro'])
  const { sql } = database
  pass(30_000)
  await keys.refresh()
  const readMs = now()
  await sql.schema.alterTable('api_keys').renameTo('elsewhere').execute()
  assert.deepEqual(keys.check(stranger), { ok: false, reason: 'unknown' }, 'nothing is wrong yet')
  pass(59_999)
  await keys.refresh()
  assert.deepEqual(keys.state(), { answering: false, readMs })
  assert.deepEqual(seen(), ['pro', 'pro', 'pro'])
  assert.deepEqual(keys.check(stranger), unreadable, 'it may have been made since')
  assert.deepEqual(keys.check('Bearer'), { ok: false, reason: 'malformed' })
  assert.deepEqual(keys.check(undefined), { ok: false, reason: 'absent' })

  pass(1)
  assert.deepEqual(seen(), ['unreadable', 'unreadable', 'unreadable'])
  assert.equal(stream.again().ok, true)
  assert.deepEqual(keys.check('Bearer'), { ok: false, reason: 'malformed' })

  await sql.schema.alterTable('elsewhere').renameTo('api_keys').execute()
  await keys.refresh()
  assert.deepEqual(keys.state(), { answering: true, readMs: now() })
  assert.deepEqual(seen(), ['pro', 'pro', 'pro'])
  assert.deepEqual(keys.check(stranger), { ok: false, reason: 'unknown' })
  pass(3_000_000)
  assert.deepEqual(seen(), ['pro', 'pro', 'pro'], 'a clock that jumps is no failure')
})

test('without a readable database there are no keys to open', async (t) => {
  const { database, open } = await setUp(t)
  await database.sql.schema.dropTable('api_keys').execute()
  await assert.rejects(open(), OperatorError)
})

test('keys come page by page; a change below the overlap is found when all are read again', async (t) => {
  const { database, accounts, open, make, pass } = await setUp(t, { page: 2 })
  const { id } = await accounts.ofOperator()
  const made: { key: string; id: string }[] = []
  for (let i = 0; i < 7; i++) made.push(await make(id))
  await accounts.revokeKey(id, made[3]!.id)
  const keys = await open()
  assert.equal(keys.size, 7)
  const live = () => made.filter(({ key }) => keys.check(bearer(key)).ok).length
  assert.equal(live(), 6)
  // the database's clock was set back
  const old = { revoked_at: new Date(), changed_at: new Date(0) }
  await database.sql.updateTable('api_keys').set(old).where('id', '=', made[0]!.id).execute()
  await database.sql
    .updateTable('accounts')
    .set({ changed_at: new Date(0) })
    .execute()
  await keys.refresh()
  assert.equal(live(), 6)
  pass(KEY_READING.reloadMs)
  await keys.refresh()
  assert.equal(live(), 5)
})

test('memory is bounded: ended keys make room, then late ones are left out and it is said', async (t) => {
  const { accounts, open, make, pass, logged } = await setUp(t, { inMemory: 3, page: 2 })
  const { id } = await accounts.ofOperator()
  const made = [await make(id), await make(id), await make(id)]
  const keys = await open()
  await accounts.revokeKey(id, made[0]!.id)
  made.push(await make(id))
  await keys.refresh()
  pass(10_000)
  await keys.refresh()
  assert.equal(keys.size, 3)
  const state = () => made.map(({ key }) => keys.check(bearer(key))).map((check) => (check.ok ? 'ok' : check.reason))
  assert.deepEqual(state(), ['unknown', 'ok', 'ok', 'ok'])
  assert.equal(keys.counts.get('left out'), 0)

  made.push(await make(id))
  for (let i = 0; i < 3; i++) {
    pass(10_000)
    await keys.refresh()
  }
  assert.equal(keys.size, 3)
  assert.deepEqual(state(), ['unknown', 'ok', 'ok', 'ok', 'unknown'])
  assert.equal(keys.counts.get('left out'), 1)
  // once for each time that it begins
  assert.equal(logged.filter((line) => line.includes('more keys than memory may hold')).length, 2)
})
