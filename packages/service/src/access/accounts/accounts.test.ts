import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { isKeyName } from '@ti/core/contract/account.ts'
import { emptyDatabase } from '../../../../../test/support/database.ts'
import fc from '../../../../../test/support/property.ts'
import { openDatabase } from '../sql/database.ts'
import { createAccounts, KEY_COUNTS } from './accounts.ts'

const WALLETS = ['So11111111111111111111111111111111111111112', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'] as const
const forever = { name: 'a', expiresAt: null }

async function setUp(t: TestContext, change: Partial<typeof KEY_COUNTS> = {}) {
  const database = await emptyDatabase(t)
  let ms = Date.UTC(2026, 0, 1)
  const now = () => ms
  const accounts = createAccounts(database, { now, bounds: { ...KEY_COUNTS, ...change } })
  const pass = (by: number) => {
    ms += by
  }
  return { database, accounts, now, pass }
}

test('an account is made once for a wallet, also by many at once; the operator gets another each time', async (t) => {
  const { database, accounts } = await setUp(t)
  const made = await Promise.all(Array.from({ length: 8 }, () => accounts.ofWallet(WALLETS[0])))
  assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  const [account] = made
  assert.equal(account!.wallet, WALLETS[0])
  assert.equal(accounts.planOf(account!), 'free')
  assert.notEqual(keyFromBase58(account!.reference), null)

  const operators = await Promise.all(Array.from({ length: 4 }, () => accounts.ofOperator()))
  assert.equal(new Set(operators.map(({ reference }) => reference)).size, 4)
  assert.equal(operators[0]!.wallet, null)
  assert.equal(accounts.planOf(operators[0]!), 'pro')
  assert.notEqual(operators[0]!.reference, account!.reference)
  const rows = await database.sql.selectFrom('accounts').select('id').execute()
  assert.deepEqual(rows.map(({ id }) => id).sort(), [account!.id, ...operators.map(({ id }) => id)].sort())
  assert.equal(await accounts.find('nobody'), null)
})

test('of many keys asked for at once an account gets five; one that ended makes room', async (t) => {
  const { database, accounts, now, pass } = await setUp(t)
  // on a PostgreSQL of its own a second node asks at the same time
  const second = database.embedded ? null : await openDatabase(database.options)
  t.after(() => second?.close())
  const others = second === null ? accounts : createAccounts(second, { now })
  const { id } = await accounts.ofWallet(WALLETS[0])
  const ask = (i: number) => (i % 2 === 0 ? accounts : others).createKey(id, { ...forever, name: `${i}` })
  const made = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(i)))
  assert.equal(made.filter(({ ok }) => ok).length, 5)
  const refused = made.find(({ ok }) => !ok)
  assert.match(refused?.ok === false ? refused.message : '', /5 live keys/)
  const keys = await accounts.keysOf(id)
  assert.equal(keys.filter(({ state }) => state === 'live').length, 5)

  await accounts.revokeKey(id, keys[0]!.id)
  const sixth = await accounts.createKey(id, { name: 'short', expiresAt: new Date(now() + 1_000) })
  assert.ok(sixth.ok)
  assert.equal((await accounts.createKey(id, forever)).ok, false)
  pass(1_000)
  assert.equal((await accounts.createKey(id, forever)).ok, true)
  const states = (await accounts.keysOf(id)).map(({ state }) => state).sort()
  assert.deepEqual(states, ['expired', 'live', 'live', 'live', 'live', 'live', 'revoked'])
})

test('keys of the operator share no account but on request; they are listed, counted and forgotten together', async (t) => {
  const { accounts } = await setUp(t, { ofOperator: 3, deadPerAccount: 2 })
  const make = async () => accounts.createKey((await accounts.ofOperator()).id, forever)
  const [first, second] = [await make(), await make()]
  assert.ok(first.ok && second.ok)
  const [one, two] = [await accounts.ofOperatorKey(first.info.id), await accounts.ofOperatorKey(second.info.id)]
  assert.notEqual(one!.id, two!.id)
  assert.ok((await accounts.createKey(one!.id, forever)).ok)
  assert.deepEqual(await make(), { ok: false, message: 'the operator may have 3 live keys: revoke one first' })
  assert.deepEqual([(await accounts.keysOf(null)).length, (await accounts.keysOf(one!.id)).length], [3, 2])
  for (let i = 0; i < 4; i++) {
    for (const { id } of await accounts.keysOf(null)) await accounts.revokeKey(null, id)
    assert.ok((await make()).ok)
  }
  assert.equal((await accounts.keysOf(null)).length, 3)
  const customer = await accounts.createKey((await accounts.ofWallet(WALLETS[0])).id, forever)
  assert.ok(customer.ok)
  for (const id of [customer.info.id, 'key_none']) assert.equal(await accounts.ofOperatorKey(id), null)
})

test('the operator has more keys; accounts without a subscription stop at the bound of all', async (t) => {
  const { database, accounts, now } = await setUp(t, { all: 6 })
  const operator = await accounts.ofOperator()
  for (let i = 0; i < 7; i++) assert.ok((await accounts.createKey(operator.id, forever)).ok)
  const { id } = await accounts.ofWallet(WALLETS[0])
  assert.deepEqual(await accounts.createKey(id, forever), {
    ok: false,
    message: 'no more free keys are available right now',
  })
  await database.sql
    .updateTable('accounts')
    .set({ paid_until: new Date(now() + 1) })
    .where('id', '=', id)
    .execute()
  assert.ok((await accounts.createKey(id, forever)).ok)
})

test('keys that have expired or were revoked keep nobody from a free key', async (t) => {
  const { accounts, now, pass } = await setUp(t, { all: 2 })
  const [one, other] = [await accounts.ofWallet(WALLETS[0]), await accounts.ofWallet(WALLETS[1])]
  const short = await accounts.createKey(one.id, { name: 'short', expiresAt: new Date(now() + 1_000) })
  const long = await accounts.createKey(one.id, forever)
  assert.ok(short.ok && long.ok)
  assert.equal((await accounts.createKey(other.id, forever)).ok, false)
  pass(1_000)
  assert.ok((await accounts.createKey(other.id, forever)).ok, 'one has expired')
  assert.equal((await accounts.createKey(other.id, forever)).ok, false)
  await accounts.revokeKey(one.id, long.info.id)
  assert.ok((await accounts.createKey(other.id, forever)).ok, 'one was revoked')
})

test('nobody names or revokes the key of another, but the operator ends every key', async (t) => {
  const { accounts, now, pass } = await setUp(t)
  const [mine, other] = [await accounts.ofWallet(WALLETS[0]), await accounts.ofWallet(WALLETS[1])]
  const made = await accounts.createKey(mine.id, forever)
  assert.ok(made.ok)
  const { id } = made.info
  assert.equal(await accounts.nameKey(other.id, id, 'taken'), null)
  assert.equal(await accounts.revokeKey(other.id, id), null)
  assert.deepEqual(await accounts.keysOf(other.id), [])
  assert.equal((await accounts.nameKey(mine.id, id, 'renamed'))?.name, 'renamed')
  for (const nobody of ['key_AAAAAAAAAAAA', "key_' or '1'='1", '', '%', `${id}\0`]) {
    assert.equal(await accounts.revokeKey(mine.id, nobody), null, nobody)
    assert.equal(await accounts.nameKey(mine.id, nobody, 'a'), null, nobody)
  }
  assert.deepEqual(await accounts.keysOf(mine.id), [{ ...made.info, name: 'renamed' }])

  const revoked = await accounts.revokeKey(null, id)
  assert.deepEqual(revoked, { ...made.info, name: 'renamed', state: 'revoked', revokedAt: new Date(now()) })
  pass(5_000)
  assert.deepEqual(await accounts.revokeKey(mine.id, id), revoked)
})

test('of keys that ended the latest are remembered', async (t) => {
  const { accounts, pass } = await setUp(t, { deadPerAccount: 2 })
  const { id } = await accounts.ofWallet(WALLETS[0])
  for (const name of ['a', 'b', 'c', 'd']) {
    const made = await accounts.createKey(id, { ...forever, name })
    assert.ok(made.ok)
    pass(1_000)
    if (name !== 'd') await accounts.revokeKey(id, made.info.id)
    pass(1_000)
  }
  assert.deepEqual(
    (await accounts.keysOf(id)).map(({ name, state }) => `${name} ${state}`),
    ['d live', 'c revoked', 'b revoked'],
  )
})

test('names come back as they were given, whatever they look like', async (t) => {
  const { database, accounts } = await setUp(t)
  const { id } = await accounts.ofWallet(WALLETS[0])
  const made = await accounts.createKey(id, forever)
  assert.ok(made.ok)
  const names = [
    `'); drop table api_keys; --`,
    `" or ""="`,
    '<script>alert(1)</script>',
    '$1',
    '\\',
    'Ключ 🔑 鍵',
    'x'.repeat(100),
  ]
  for (const name of names) {
    assert.equal((await accounts.nameKey(id, made.info.id, name))?.name, name)
    const row = await database.sql.selectFrom('api_keys').select('name').executeTakeFirstOrThrow()
    assert.equal(row.name, name)
  }
  const bad = [
    '',
    ' ',
    'x'.repeat(101),
    'a\nb',
    'a\r\nset-cookie: x',
    'a\0',
    '\u001b[2J',
    '\u202eevil',
    '\ud800',
    'a\u2028b',
  ]
  for (const name of bad) {
    assert.equal((await accounts.createKey(id, { ...forever, name })).ok, false, JSON.stringify(name))
    assert.equal(await accounts.nameKey(id, made.info.id, name), null)
  }
})

test('a name that is taken has no control character and prints on one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (name) => {
      if (!isKeyName(name)) return
      assert.ok(name.length >= 1 && name.length <= 100)
      assert.doesNotMatch(name, /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
      assert.equal(Buffer.from(name).toString(), name)
    }),
  )
})
