import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import {
  type Answering,
  createFakeClock,
  createFakeLogger,
  createFakeMissing,
  createFakeOutbound,
  keyOf,
} from '../../../../test/support/observe-scene.ts'
import { perMinute as budgetOf, createBucket } from '../base/bucket.ts'
import { associatedTokenAccount } from '../base/token-account.ts'
import { createBudgetedRpc } from './budgeted-rpc.ts'
import { ACCOUNTS, createLargestObserver, FAILURES } from './largest.ts'

const MINT = keyOf(1)
// keys of wallets lie on the curve, every derived address off it
const [WALLET, OTHER] = ['9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g', 'So11111111111111111111111111111111111111112']
const CURVE: string = associatedTokenAccount(WALLET, OTHER)

const account = (n: number, amount: number | string) => ({ address: keyToBase58(keyOf(n)), amount: String(amount) })
const owned = (owner: string) => ({ data: { program: 'spl-token', parsed: { info: { owner } } }, lamports: 1 })

interface Call {
  readonly method: string
  readonly params: readonly [unknown, unknown]
}

function scene(answer: (call: Call) => unknown, folded = 100) {
  const clock = createFakeClock()
  const missing = createFakeMissing()
  missing.unchecked = [{ mint: MINT }]
  missing.folded = folded
  const calls: Call[] = []
  const outbound = createFakeOutbound(clock, ({ json }): Answering => {
    const call = JSON.parse(json!) as Call & { id: number }
    calls.push(call)
    const result = answer(call)
    if (typeof result === 'object' && result !== null && 'refuse' in result) return result as Answering
    return { jsonrpc: '2.0', id: call.id, result }
  })
  const { logger } = createFakeLogger()
  const budget = createBucket(budgetOf(6_000), clock.ms)
  const rpc = createBudgetedRpc({ url: 'https://rpc.example/?key=secret', outbound, budget, clock })
  const observer = createLargestObserver({
    missing,
    report: missing.report,
    rpc,
    logger,
    around: { clock, random: () => 1 },
  })
  return { clock, missing, calls, observer }
}

const answering =
  (accounts: readonly unknown[], owners: readonly unknown[], slot = 90) =>
  ({ method }: Call) =>
    method === 'getTokenLargestAccounts' ? { context: { slot }, value: accounts } : { context: { slot }, value: owners }

test('the largest balances are reported by wallet, without those of programs and of accounts that are gone', async () => {
  const accounts = [account(10, 900), account(11, 50), account(12, 40), account(13, 30), account(14, 0)]
  const { clock, missing, calls, observer } = scene(
    answering(accounts, [owned(CURVE), owned(WALLET), null, owned(WALLET)]),
  )
  observer.start()
  await clock.pass(1_000)
  assert.deepEqual(
    missing.reported.map(({ fact }) => fact),
    [{ kind: 'holders', mint: MINT, slot: 90, owners: [keyFromBase58(WALLET)], amounts: [80], rest: 0 }],
  )
  assert.deepEqual(
    calls.map(({ method, params }) => [method, params[0]]),
    [
      ['getTokenLargestAccounts', keyToBase58(MINT)],
      ['getMultipleAccounts', accounts.slice(0, 4).map(({ address }) => address)],
    ],
  )
  await observer.close()
})

test('where the answer is full, nobody else has more than its last', async () => {
  const accounts = Array.from({ length: ACCOUNTS }, (_, n) => account(10 + n, 100 - n))
  const { clock, missing, observer } = scene(
    answering(
      accounts,
      accounts.map(() => owned(WALLET)),
    ),
  )
  observer.start()
  await clock.pass(1_000)
  const fact = missing.reported[0]?.fact
  assert.equal(fact?.kind === 'holders' && fact.rest, 100 - ACCOUNTS + 1)
  await observer.close()
})

test('an answer that is ahead of what is folded is not reported', async () => {
  const { clock, missing, observer } = scene(answering([account(10, 5)], [owned(WALLET)], 101))
  observer.start()
  await clock.pass(1_000)
  assert.deepEqual(missing.reported, [])
  assert.equal(observer.status().counts.get('behind'), 1)
  missing.folded = 101
  await clock.pass(60_000)
  assert.equal(missing.reported.length, 1)
  await observer.close()
})

test('what cannot be read is counted, and given up after a while', async () => {
  const cases: [string, (call: Call) => unknown, as: string][] = [
    ['nonsense', () => 'nonsense', 'malformed'],
    ['an amount that is none', answering([account(10, 'many')], [owned(WALLET)]), 'malformed'],
    ['an amount beyond whole numbers', answering([account(10, '9'.repeat(18))], [owned(WALLET)]), 'malformed'],
    ['too many accounts', answering(Array(21).fill(account(10, 5)), []), 'malformed'],
    ['another number of owners', answering([account(10, 5)], []), 'malformed'],
    ['an owner that is none', answering([account(10, 5)], [owned('me')]), 'malformed'],
    ['no answer', () => ({ refuse: 'timeout' }), 'timeout'],
  ]
  for (const [what, answer, as] of cases) {
    const { clock, missing, observer } = scene(answer)
    observer.start()
    await clock.pass(3_600_000)
    assert.deepEqual(missing.reported, [], what)
    assert.equal(observer.status().counts.get(as), FAILURES, what)
    await observer.close()
  }
})
