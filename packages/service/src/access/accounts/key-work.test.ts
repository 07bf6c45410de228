import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { COUNTER_MAX } from '@ti/core/contract/account.ts'
import { emptyDatabase } from '../../../../../test/support/database.ts'
import { EASY_WORK, solve } from '../../../../../test/support/key-work.ts'
import fc from '../../../../../test/support/property.ts'
import { wallet } from '../../../../../test/support/wallet.ts'
import type { AccountRow } from '../sql/schema.ts'
import { createAccounts, KEY_COUNTS } from './accounts.ts'
import { KEY_PLACES } from './key-places.ts'
import { createKeyWork, hasPaid, isDone, KEY_WORK, type Task, WORK_NONCE_LENGTH } from './key-work.ts'

const HERE = '192.0.2.1'
const plain = { name: 'a', expiresAt: null }

async function setUp(t: TestContext, bounds = EASY_WORK) {
  const database = await emptyDatabase(t)
  let ms = Date.UTC(2026, 0, 1)
  const now = () => ms
  const work = createKeyWork(database, { now, bounds })
  const accounts = createAccounts(database, { now })
  const account = await accounts.ofWallet(wallet().address)
  const task = async (of: AccountRow = account, address = HERE): Promise<Task> => (await work.task(of, address))!
  const pass = (by: number) => {
    ms += by
  }
  return { database, work, accounts, account, task, now, pass }
}

/** The definition, bit by bit. */
function zeroBits(nonce: string, part: number, counter: number): number {
  const bits = [...createHash('sha256').update(`${nonce}.${part}.${counter}`).digest()]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  return bits.indexOf('1')
}

test('work that was done is enough for one key', async (t) => {
  const { database, work, accounts, account, task } = await setUp(t)
  const given = await task()
  assert.deepEqual([given.parts, given.bits, given.nonce.length], [16, EASY_WORK.bits, WORK_NONCE_LENGTH])
  const done = solve(given)
  const accepted = await work.accept(account, HERE, done)
  assert.ok(accepted.ok && accepted.used !== null)
  const request = { ...plain, used: accepted.used }
  const made = await Promise.all(Array.from({ length: 3 }, () => accounts.createKey(account.id, request)))
  assert.equal(made.filter(({ ok }) => ok).length, 1, 'of three at once, too')
  const refused = made.find(({ ok }) => !ok)
  assert.match(refused?.ok === false ? refused.message : '', /already used for a key: request another/)
  assert.equal((await accounts.keysOf(account.id)).length, 1)
  const rows = await database.sql.selectFrom('challenges').select('nonce').execute()
  assert.deepEqual(rows, [{ nonce: given.nonce }], 'a task that is only asked for leaves nothing')
})

test('a key that is not made does not use up its work', async (t) => {
  const { work, accounts, account, task } = await setUp(t)
  for (let i = 0; i < KEY_COUNTS.perAccount; i++) assert.ok((await accounts.createKey(account.id, plain)).ok)
  const accepted = await work.accept(account, HERE, solve(await task()))
  assert.ok(accepted.ok)
  assert.equal((await accounts.createKey(account.id, { ...plain, used: accepted.used })).ok, false, 'no room')
  await accounts.revokeKey(account.id, (await accounts.keysOf(account.id))[0]!.id)
  assert.equal((await accounts.createKey(account.id, { ...plain, used: accepted.used })).ok, true)
})

test('what was used is forgotten when it has expired, and is refused as expired then', async (t) => {
  const { database, work, accounts, account, task, pass } = await setUp(t)
  const done = solve(await task())
  const accepted = await work.accept(account, HERE, done)
  assert.ok(accepted.ok)
  await accounts.createKey(account.id, { ...plain, used: accepted.used })
  pass(KEY_WORK.ms - 1)
  const again = await work.accept(account, HERE, done)
  assert.ok(again.ok, 'as such it is still good')
  assert.equal((await accounts.createKey(account.id, { ...plain, used: again.used })).ok, false)
  pass(1)
  assert.deepEqual(await work.accept(account, HERE, done), { ok: false, reason: 'expired' })
  const next = await work.accept(account, HERE, solve(await task()))
  assert.ok(next.ok)
  await accounts.createKey(account.id, { ...plain, used: next.used })
  assert.equal((await database.sql.selectFrom('challenges').select('nonce').execute()).length, 1)
})

test('who has paid owes nothing; who has paid too little does', async (t) => {
  const { database, work, accounts, account } = await setUp(t)
  assert.deepEqual(await work.accept(account, HERE, undefined), { ok: false, reason: 'missing' })
  const changed = async (change: Partial<Pick<AccountRow, 'paid_until' | 'balance_lamports' | 'granted_pro'>>) => {
    const none = { paid_until: null, balance_lamports: 0, granted_pro: false }
    const update = database.sql.updateTable('accounts').set({ ...none, ...change })
    await update.where('id', '=', account.id).execute()
    return (await accounts.find(account.id))!
  }
  for (const [change, paid] of [
    [{}, false],
    [{ balance_lamports: 1 }, false],
    [{ balance_lamports: KEY_WORK.depositLamports - 1 }, false],
    [{ balance_lamports: KEY_WORK.depositLamports }, true],
    [{ paid_until: new Date(0) }, true],
    [{ granted_pro: true }, true],
  ] as const) {
    const row = await changed(change)
    assert.equal(hasPaid(row), paid, JSON.stringify(change))
    assert.equal((await work.task(row, HERE)) === null, paid)
    const expected = paid ? { ok: true, used: null } : { ok: false, reason: 'missing' }
    assert.deepEqual(await work.accept(row, HERE, undefined), expected)
  }
  assert.deepEqual(await work.accept(await accounts.ofOperator(), HERE, undefined), { ok: true, used: null })
})

test('the work of one account is none of another', async (t) => {
  const { work, accounts, task } = await setUp(t)
  const other = await accounts.ofWallet(wallet().address)
  assert.deepEqual(await work.accept(other, HERE, solve(await task())), { ok: false, reason: 'unknown' })
})

test('a nonce changed in one character is nobody’s: wallet, time, difficulty and chance are all signed', async (t) => {
  const { work, account, task } = await setUp(t)
  const given = await task()
  const { nonce } = given
  for (let i = 0; i < nonce.length; i++) {
    for (const other of 'AQz-') {
      if (other === nonce[i]) continue
      const changed = nonce.slice(0, i) + other + nonce.slice(i + 1)
      const done = solve({ ...given, nonce: changed })
      assert.deepEqual(await work.accept(account, HERE, done), { ok: false, reason: 'unknown' }, `character ${i}`)
    }
  }
  for (const odd of ['', 'x', `${nonce}A`, nonce.slice(1), `${nonce.slice(0, -1)}=`, '\u0000'.repeat(84)]) {
    assert.deepEqual(await work.accept(account, HERE, { nonce: odd, counters: [] }), { ok: false, reason: 'unknown' })
  }
})

test('an easier difficulty written into the nonce is found', async (t) => {
  const { work, account, task } = await setUp(t, { ...EASY_WORK, bits: 9 })
  const given = await task()
  const bytes = Buffer.from(given.nonce, 'base64url')
  assert.equal(bytes[38], 9, 'the byte of the difficulty')
  bytes[38] = 0
  const forged = { ...given, nonce: bytes.toString('base64url'), bits: 0 }
  assert.deepEqual(await work.accept(account, HERE, solve(forged)), { ok: false, reason: 'unknown' })
  const lazy = solve({ ...given, bits: 0 })
  assert.deepEqual(await work.accept(account, HERE, lazy), { ok: false, reason: 'wrong' })
})

test('what is accepted is what the definition says, whatever the counters are', async (t) => {
  const { work, account, task } = await setUp(t, { ...EASY_WORK, parts: 2, keyMs: 0.001 })
  const given = await task()
  const done = solve(given)
  const counter = fc.oneof(fc.nat(40), fc.integer({ min: 0, max: COUNTER_MAX }))
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(fc.array(counter, { maxLength: 3 }), fc.boolean(), async (counters, helped) => {
      const tried = helped
        ? counters.map((one, part) => (one % 2 === 0 ? (done.counters[part] ?? one) : one))
        : counters
      const expected = tried.length === 2 && tried.every((one, part) => zeroBits(given.nonce, part, one) >= given.bits)
      const { ok } = await work.accept(account, HERE, { nonce: given.nonce, counters: tried })
      assert.equal(ok, expected, JSON.stringify(tried))
      if (ok) {
        accepted++
        work.giveBack(HERE)
      }
    }),
    { numRuns: 500 },
  )
  assert.ok(accepted > 10, `only ${accepted} were accepted`)
})

test('the rule reads the first bits of the hash', () => {
  fc.assert(
    fc.property(
      fc.base64String({ maxLength: 90 }),
      fc.nat(15),
      fc.nat(COUNTER_MAX),
      fc.nat(33),
      (nonce, part, n, bits) => {
        assert.equal(isDone(nonce, part, n, bits), bits <= 32 && zeroBits(nonce, part, n) >= bits)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('who takes many keys works longer; easier tasks from before, or from elsewhere, do not help', async (t) => {
  const { work, accounts, task, pass } = await setUp(t)
  const elsewhere = '198.51.100.7'
  const account = await accounts.ofWallet(wallet().address)
  const before = [await task(account), await task(account, elsewhere)]
  const taken: number[] = []
  for (let key = 0; key < 12; key++) {
    const given = await task(account)
    taken.push(given.bits - EASY_WORK.bits)
    assert.ok((await work.accept(account, HERE, solve(given))).ok)
  }
  assert.deepEqual(taken, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2])
  for (const given of before) {
    assert.deepEqual(await work.accept(account, HERE, solve(given)), { ok: false, reason: 'little' })
  }
  assert.ok((await work.accept(account, elsewhere, solve(before[0]!))).ok, 'where few were taken it is enough')
  pass(KEY_PLACES.keyMs * 20)
  assert.equal((await task(account)).bits, EASY_WORK.bits, 'and it is forgotten')
})

test('many at once from one address are not all judged by the count before them', async (t) => {
  const { work, account, task } = await setUp(t)
  const done = await Promise.all(Array.from({ length: 40 }, async () => solve(await task())))
  const accepted = await Promise.all(done.map((one) => work.accept(account, HERE, one)))
  assert.equal(accepted.filter(({ ok }) => ok).length, KEY_PLACES.keys)
})

test('nodes of one database take each other’s tasks', async (t) => {
  const { database, account, task, now } = await setUp(t)
  const other = createKeyWork(database, { now, bounds: EASY_WORK })
  assert.ok((await other.accept(account, HERE, solve(await task()))).ok)
})

test('where the secret cannot be read it is asked for again', async (t) => {
  const { account, database, now } = await setUp(t)
  let failing = true
  const sql = new Proxy(database.sql, {
    get(target, name) {
      if (failing && name === 'insertInto') throw new Error('the database does not answer')
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const work = createKeyWork({ sql }, { now, bounds: EASY_WORK })
  await assert.rejects(work.task(account, HERE), /does not answer/)
  failing = false
  assert.ok(await work.task(account, HERE))
})
