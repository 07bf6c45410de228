import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { address, fakeChain, PAY_TO, PAYER, SOL } from '../../../../../test/fakes/deposits.ts'
import { emptyDatabase } from '../../../../../test/support/database.ts'
import fc from '../../../../../test/support/property.ts'
import { createLogger } from '../../base/log.ts'
import type { AccountRow } from '../sql/schema.ts'
import { createAccounts } from './accounts.ts'
import { createDepositSource, DEPOSITS } from './deposit-source.ts'
import { createSubscriptions, SUBSCRIPTIONS } from './subscriptions.ts'

const PERIOD_MS = 30 * 86_400_000
const SMALL = { page: 2, pages: 200, waiting: 5, depositReads: 3, depositFailures: 2 }

async function setUp(t: TestContext, change: Partial<typeof SMALL> = {}) {
  const database = await emptyDatabase(t)
  let ms = Date.UTC(2026, 0, 1)
  const now = () => ms
  const accounts = createAccounts(database, { now })
  const chain = fakeChain(now)
  const logged: string[] = []
  const logger = createLogger('info', { write: (line: string) => void logged.push(line) })
  const bounds = { ...DEPOSITS, ...SUBSCRIPTIONS, ...change }
  const open = () => {
    const source = createDepositSource({ rpc: chain.rpc, payTo: PAY_TO, bounds })
    return createSubscriptions(database, { source, payTo: PAY_TO, now, logger, bounds })
  }
  const pass = (by: number) => {
    ms += by
  }
  const fundsOf = async ({ id }: AccountRow) => {
    const row = await accounts.find(id)
    return { balance: row!.balance_lamports, paidUntil: row!.paid_until?.getTime() ?? null }
  }
  return { database, accounts, chain, open, now, pass, fundsOf, logged }
}

test('a SOL with the reference is credited once; others are passed over', async (t) => {
  const { accounts, chain, open, now, pass, fundsOf, database } = await setUp(t)
  const account = await accounts.ofWallet(address())
  const subscriptions = open()
  assert.equal(subscriptions.offerTo(account).reference, account.reference)
  chain.pay([address()], SOL)
  chain.pay([account.reference], SOL, { failed: true })
  chain.pay([account.reference], -SOL)
  chain.pay([account.reference], 0)
  await subscriptions.poll()
  assert.deepEqual(await fundsOf(account), { balance: 0, paidUntil: null })

  const paid = chain.pay([account.reference], SOL)
  pass(7_000)
  const creditedAt = now()
  await subscriptions.poll()
  const once = { balance: 0, paidUntil: creditedAt + PERIOD_MS }
  assert.deepEqual(await fundsOf(account), once)
  assert.deepEqual(await database.sql.selectFrom('deposits').selectAll().execute(), [
    {
      signature: paid.signature,
      account_id: account.id,
      lamports: SOL,
      slot: paid.slot,
      credited_at: new Date(creditedAt),
    },
  ])
  // again, by this node, after a restart, by two nodes at once, and by a node that has forgotten where we were
  await subscriptions.poll()
  await open().poll()
  pass(3_600_000)
  await Promise.all([open().poll(), open().poll()])
  chain.forgetful = true
  await Promise.all([open().poll(), open().poll()])
  assert.deepEqual(await fundsOf(account), once)
  assert.equal(accounts.planOf((await accounts.find(account.id))!), 'pro')
})

test('what was handled is not read again', async (t) => {
  const { accounts, chain, open, pass } = await setUp(t)
  const account = await accounts.ofWallet(address())
  const subscriptions = open()
  for (let i = 0; i < 3; i++) chain.pay([account.reference], SOL)
  await subscriptions.poll()
  const reads = () => chain.calls.filter((method) => method === 'getTransaction').length
  assert.equal(reads(), 3)
  await subscriptions.poll()
  assert.equal(reads(), 3)
  pass(3_600_000)
  await subscriptions.poll()
  // the cursor stands behind them now: a new process does not read them either
  await open().poll()
  assert.equal(reads(), 3)
})

test('a transaction that cannot be read is never skipped, and holds up nobody', async (t) => {
  const { accounts, chain, open, pass, fundsOf, database, logged } = await setUp(t, SMALL)
  const [unlucky, other] = [await accounts.ofWallet(address()), await accounts.ofWallet(address())]
  let subscriptions = open()
  const stuck = [chain.pay([unlucky.reference], SOL), chain.pay([unlucky.reference], SOL)]
  for (const { signature } of stuck) chain.unreadable.add(signature)
  pass(3_600_000)
  chain.pay([other.reference], SOL)
  pass(3_600_000)
  for (let i = 0; i < 3; i++) await subscriptions.poll()
  assert.notEqual((await fundsOf(other)).paidUntil, null)
  assert.equal(await database.sql.selectFrom('cursors').selectAll().executeTakeFirst(), undefined)
  assert.ok((subscriptions.counts.get('read failed') ?? 0) >= 3)

  subscriptions = open()
  await subscriptions.poll()
  assert.deepEqual(await fundsOf(unlucky), { balance: 0, paidUntil: null })
  chain.unreadable.clear()
  for (let i = 0; i < 3; i++) await subscriptions.poll()
  assert.deepEqual((await fundsOf(unlucky)).balance, 0)
  assert.equal((await database.sql.selectFrom('deposits').selectAll().execute()).length, 3)
  assert.notEqual(await database.sql.selectFrom('cursors').selectAll().executeTakeFirst(), undefined)
  assert.ok(logged.filter((line) => line.includes('read failed')).length <= 3)
})

test('of several references in one transaction the first of its keys gets the money', async (t) => {
  const { accounts, chain, open, fundsOf, logged } = await setUp(t)
  const [first, second] = [await accounts.ofWallet(address()), await accounts.ofWallet(address())]
  chain.pay([address(), second.reference, first.reference], SOL / 2)
  await open().poll()
  assert.equal((await fundsOf(second)).balance, SOL / 2)
  assert.equal((await fundsOf(first)).balance, 0)
  assert.ok(logged.some((line) => line.includes('several accounts')))
})

test('references in address lookup tables count, and so does a wallet that stands there', async (t) => {
  const { accounts, fundsOf, open, chain } = await setUp(t)
  const account = await accounts.ofWallet(address())
  const { signature } = chain.pay([], SOL)
  const plain = chain.rpc
  chain.rpc = async (method, params) => {
    if (method !== 'getTransaction') return plain(method, params)
    assert.equal(params[0], signature)
    return {
      transaction: { message: { accountKeys: [PAYER] } },
      meta: {
        err: null,
        // a stranger with more lamports than a number tells exactly
        preBalances: [SOL, 7, 2 ** 60],
        postBalances: [0, 7 + SOL, 2 ** 60],
        loadedAddresses: { writable: [PAY_TO], readonly: [account.reference] },
      },
    }
  }
  await open().poll()
  assert.notEqual((await fundsOf(account)).paidUntil, null)
})

test('answers that make no sense credit nothing and move nothing', async (t) => {
  const { accounts, open, database, chain, logged } = await setUp(t)
  const account = await accounts.ofWallet(address())
  const { signature } = chain.pay([account.reference], SOL)
  const entry = { signature, slot: 1, err: null, blockTime: 1e12 }
  const meta = { err: null, preBalances: [1, 1], postBalances: [1] }
  const message = { accountKeys: [PAYER, PAY_TO, account.reference] }
  const junk = [
    [null, null],
    [{}, null],
    [[{ ...entry, signature: 7 }], null],
    [[{ ...entry, signature: 'short' }], null],
    [[entry], null],
    [[entry], { transaction: { message }, meta: { ...meta, postBalances: 'many' } }],
    [[entry], { transaction: { message }, meta }],
    [[entry], { transaction: { message: {} }, meta }],
  ]
  for (const [list, read] of junk) {
    chain.rpc = async (method, params) => {
      if (method === 'getTransaction') return read
      return (params[1] as { before?: string }).before === undefined ? list : []
    }
    const subscriptions = open()
    await subscriptions.poll()
    assert.ok((subscriptions.counts.get('look failed') ?? 0) + (subscriptions.counts.get('read failed') ?? 0) >= 1)
  }
  assert.deepEqual(await database.sql.selectFrom('deposits').selectAll().execute(), [])
  assert.deepEqual(await database.sql.selectFrom('cursors').selectAll().execute(), [])
  assert.equal(logged.length, junk.length)
})

// before: every look ended with an error from the 1,000th page on, and no deposit was credited any more
test('more signatures than one look has pages: the walk goes on in the next, and the deposit before them is credited', async (t) => {
  const { accounts, chain, open, pass, fundsOf, logged } = await setUp(t, { ...SMALL, pages: 10 })
  const account = await accounts.ofWallet(address())
  chain.pay([account.reference], SOL)
  for (let i = 0; i < 100; i++) chain.pay([address()], 1)
  chain.pay([account.reference], SOL)
  const subscriptions = open()
  pass(3_600_000)
  let [looks, lists] = [0, 0]
  for (; looks < 100 && (await fundsOf(account)).paidUntil === null; looks++) {
    const before = chain.calls.length
    await subscriptions.poll()
    lists = chain.calls.slice(before).filter((method) => method === 'getSignaturesForAddress').length
    assert.ok(lists <= 10, `${lists} pages in one look`)
  }
  t.diagnostic(`credited at look ${looks}`)
  assert.ok(looks > 1 && looks <= 7)
  for (let i = 0; i < 200; i++) {
    pass(3_600_000)
    await subscriptions.poll()
  }
  const { balance, paidUntil } = await fundsOf(account)
  assert.ok(balance === 0 && paidUntil !== null)
  assert.equal(subscriptions.counts.get('credited'), 2)
  assert.deepEqual(
    logged.filter((line) => line.includes('look failed')),
    [],
  )
})

interface Step {
  readonly kind: 'pay' | 'poll' | 'both' | 'restart' | 'wait'
  readonly to: number
  readonly lamports: number
  readonly failed: boolean
  readonly hidden: boolean
  readonly forgetful: boolean
  readonly seconds: number
  readonly listFails: boolean
  readonly readFaults: readonly boolean[]
}

const rarely = () => fc.nat({ max: 4 }).map((n) => n === 0)

const STEP: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('pay', 'pay', 'pay', 'poll', 'poll', 'both', 'restart', 'wait', 'wait'),
  /** 3 and 4 are nobody */
  to: fc.integer({ min: 0, max: 4 }),
  lamports: fc.oneof(fc.constant(SOL), fc.integer({ min: -SOL, max: 3 * SOL })),
  failed: rarely(),
  hidden: fc.boolean(),
  forgetful: fc.boolean(),
  seconds: fc.constantFrom(1, 30, 61, 4_000, 40 * 86_400),
  listFails: rarely(),
  readFaults: fc.array(fc.boolean(), { maxLength: 6 }),
})

test('whatever comes in whatever order, each deposit is credited once and none is lost', async (t) => {
  const { database, accounts, chain, open, pass, fundsOf } = await setUp(t, SMALL)
  const run = async (steps: readonly Step[]): Promise<void> => {
    const known: AccountRow[] = []
    for (let i = 0; i < 3; i++) known.push(await accounts.ofWallet(address()))
    const first = chain.landed.length
    let nodes = [open(), open()]
    const reveal = () => {
      for (const one of chain.landed) one.hidden = false
    }
    for (const { kind, to, lamports, failed, hidden, seconds, ...faults } of steps) {
      chain.forgetful = faults.forgetful
      chain.listFails = faults.listFails
      chain.readFaults = [...faults.readFaults]
      if (kind === 'pay') chain.pay([known[to]?.reference ?? address()], lamports, { failed, hidden })
      if (kind === 'poll') await nodes[0]!.poll()
      if (kind === 'both') await Promise.all(nodes.map((node) => node.poll()))
      if (kind === 'restart') nodes = [open(), open()]
      if (kind !== 'wait') continue
      // what a node shows late, it shows within the overlap
      reveal()
      pass(seconds * 1_000)
    }
    reveal()
    Object.assign(chain, { listFails: false, readFaults: [], forgetful: false })
    for (let i = 0; i < 2 + steps.length; i++) {
      pass(3_600_000)
      await nodes[i % 2]!.poll()
    }

    for (const [index, account] of known.entries()) {
      const paid = chain.landed
        .slice(first)
        .filter(({ keys, failed, rise }) => keys.includes(account.reference) && !failed && rise > 0)
      const deposits = await database.sql
        .selectFrom('deposits')
        .selectAll()
        .where('account_id', '=', account.id)
        .orderBy('credited_at')
        .execute()
      const brief = (all: readonly { signature: string; lamports: number }[]) =>
        all.map(({ signature, lamports }) => `${signature} ${lamports}`).sort()
      assert.deepEqual(brief(deposits), brief(paid.map(({ signature, rise: lamports }) => ({ signature, lamports }))))

      let [balance, paidUntil] = [0, 0]
      for (const { lamports, credited_at } of deposits) {
        balance += lamports
        for (; balance >= SOL; balance -= SOL) paidUntil = Math.max(paidUntil, credited_at.getTime()) + PERIOD_MS
      }
      assert.deepEqual(await fundsOf(account), { balance, paidUntil: paidUntil === 0 ? null : paidUntil }, `${index}`)
    }
  }
  // a failing run is told as it is: finding a smaller one takes minutes
  await fc.assert(fc.asyncProperty(fc.array(STEP, { minLength: 20, maxLength: 40 }), run), {
    numRuns: 8,
    endOnFailure: true,
  })
})
