import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import {
  type Answering,
  createFakeClock,
  createFakeLogger,
  createFakeMissing,
  createFakeOutbound,
  keyOf,
  settled,
} from '../../../../../test/support/observe-scene.ts'
import { perMinute as budgetOf, createBucket } from '../../base/bucket.ts'
import { createBudgetedRpc } from '../budgeted-rpc.ts'
import type { WalletList } from '../lists/wallet-list.ts'
import { createFunderObserver, FAILURES } from './funder.ts'
import { HISTORY_PAGE } from './history.ts'
import { firstSender, TRANSACTION } from './transfer.ts'

const WALLET = keyToBase58(keyOf(1))
const FUNDER = keyToBase58(keyOf(2))
const transfer = (source: string, destination: string, lamports = 5, type = 'transfer') => ({
  program: 'system',
  programId: '11111111111111111111111111111111',
  parsed: {
    type,
    info: { source, lamports, ...(type.startsWith('create') ? { newAccount: destination } : { destination }) },
  },
})

interface Shape {
  readonly before?: number
  readonly after?: number
  readonly outer?: unknown[]
  readonly inner?: { index: number; instructions: unknown[] }[] | null
  readonly slot?: number
}
const transaction = ({
  before = 0,
  after = 5,
  outer = [transfer(FUNDER, WALLET)],
  inner = [],
  slot = 7,
}: Shape = {}) => ({
  slot,
  version: 1,
  meta: { err: null, preBalances: [100, before], postBalances: [95, after], innerInstructions: inner },
  transaction: { message: { accountKeys: [{ pubkey: FUNDER }, { pubkey: WALLET }], instructions: outer } },
})

test('who gave a wallet its first lamports', () => {
  const other = keyToBase58(keyOf(3))
  const swap = { programId: 'x', accounts: [], data: 'y' }
  const memo = { program: 'spl-memo', parsed: 'hello' }
  const table: [Shape, unknown][] = [
    [{}, { sender: FUNDER, lamports: 5 }],
    [{ outer: [swap, memo, transfer(FUNDER, other), transfer(other, WALLET)] }, { sender: other, lamports: 5 }],
    [{ outer: [transfer(FUNDER, WALLET, 5, 'createAccount')] }, { sender: FUNDER, lamports: 5 }],
    [{ outer: [transfer(FUNDER, WALLET, 5, 'createAccountWithSeed')] }, { sender: FUNDER, lamports: 5 }],
    [{ outer: [transfer(FUNDER, WALLET, 5, 'transferWithSeed')] }, { sender: FUNDER, lamports: 5 }],
    [
      { outer: [swap, transfer(FUNDER, WALLET)], inner: [{ index: 0, instructions: [transfer(other, WALLET)] }] },
      { sender: other, lamports: 5 },
    ],
    [{ outer: [transfer(FUNDER, WALLET, 0), transfer(other, WALLET)] }, { sender: other, lamports: 5 }],
    [{ outer: [transfer(WALLET, WALLET)] }, 'unnamed'],
    [{ outer: [swap], inner: null }, 'unnamed'],
    [{ before: 1 }, 'held'],
    [{ after: 0, outer: [swap] }, 'none'],
  ]
  for (const [shape, expected] of table)
    assert.deepEqual(firstSender(TRANSACTION.parse(transaction(shape)), WALLET), expected, JSON.stringify(shape))
  assert.equal(firstSender(TRANSACTION.parse(transaction()), other), null, 'a transaction without the wallet')
})

interface Call {
  readonly method: string
  readonly params: [
    string,
    { readonly before?: string; readonly limit?: number; readonly maxSupportedTransactionVersion?: unknown },
  ]
}

interface SceneOptions {
  readonly rpc: (call: Call) => unknown
  readonly perMinute?: number
  readonly exchanges?: () => WalletList | null
}

function scene({ rpc: answer, perMinute = 6_000, exchanges = () => new Map() }: SceneOptions) {
  const clock = createFakeClock()
  const missing = createFakeMissing()
  const calls: (Call & { at: number })[] = []
  const outbound = createFakeOutbound(clock, ({ json, namedBy }): Answering => {
    assert.equal(namedBy, 'operator')
    const call = JSON.parse(json!) as Call & { id: number }
    calls.push({ ...call, at: clock.ms() })
    const { id, method, params } = call
    // all are of version 1, and nodes give it to those alone who know it
    if (method === 'getTransaction' && params[1].maxSupportedTransactionVersion !== 1)
      return { jsonrpc: '2.0', id, error: { code: -32015, message: 'Transaction version (1) is not supported' } }
    const result = answer(call) as Answering
    if (typeof result === 'object' && result !== null && ('refuse' in result || 'error' in result)) return result
    return { jsonrpc: '2.0', id: call.id, result }
  })
  const { logger } = createFakeLogger()
  const budget = createBucket(budgetOf(perMinute), clock.ms)
  const rpc = createBudgetedRpc({ url: 'https://rpc.example/?key=secret', outbound, budget, clock })
  const around = { clock, random: () => 1 }
  const make = () => createFunderObserver({ missing, report: missing.report, rpc, exchanges, logger, around })
  return { clock, missing, calls, observer: make() }
}
const signed = (n: number, from = 100, err: unknown = null) =>
  Array.from({ length: n }, (_, i) => ({ signature: `s${from - i}`, slot: from - i, err, memo: null }))

test('walks back to the oldest transaction and tells its sender', async () => {
  const { missing, observer, calls, clock } = scene({
    rpc({ method, params: [, { before }] }) {
      if (method === 'getTransaction') return transaction({ slot: 4_001 })
      return before === undefined ? signed(HISTORY_PAGE, 5_000) : signed(10, 4_010)
    },
  })
  missing.buyers = [{ wallet: keyOf(1), before: 6_000 }]
  observer.start()
  await clock.pass(1_000)
  assert.deepEqual(
    missing.reported.map(({ fact }) => fact),
    [{ kind: 'funding', wallet: keyOf(1), funder: keyOf(2), slot: 4_001, exchange: false, lamports: 5 }],
  )
  assert.deepEqual(
    calls.map(({ method, params }) => [method, params[0], params[1].before]),
    [
      ['getSignaturesForAddress', WALLET, undefined],
      ['getSignaturesForAddress', WALLET, 's4001'],
      ['getTransaction', 's4001', undefined],
    ],
  )
  await observer.close()
})

test('failed transactions, and those before the wallet had anything, are passed over', async () => {
  const { missing, observer, calls, clock } = scene({
    rpc({ method, params: [id] }) {
      if (method !== 'getTransaction') return [...signed(3, 100), ...signed(2, 90, { InstructionError: [0, 'x'] })]
      return id === 's98' ? transaction({ after: 0, outer: [] }) : transaction()
    },
    exchanges: () => new Map([[keyOf(2), 'An exchange']]),
  })
  missing.buyers = [{ wallet: keyOf(1), before: 200 }]
  observer.start()
  await clock.pass(1_000)
  assert.deepEqual(
    calls.map(({ params }) => params[0]),
    [WALLET, 's98', 's99'],
  )
  assert.equal(missing.reported[0]?.fact.kind === 'funding' && missing.reported[0].fact.exchange, true)
  await observer.close()
})

test('what a node cannot say stays unknown, each with its count', async () => {
  const cases: [string, (call: Call) => unknown, as: string, looks: number][] = [
    ['more history than the budget', () => signed(HISTORY_PAGE, 5_000), 'long_history', 1],
    [
      'history that was cut',
      ({ method }) => (method === 'getTransaction' ? transaction({ before: 9 }) : signed(2)),
      'history_cut',
      1,
    ],
    [
      'no sender',
      ({ method }) => (method === 'getTransaction' ? transaction({ outer: [] }) : signed(2)),
      'no_sender',
      1,
    ],
    ['no history', () => [], 'no_history', FAILURES],
    ['history after the purchase only', () => signed(1, 9_999), 'no_history', FAILURES],
    ['an error', () => ({ error: { code: -32_005, message: 'behind' } }), 'rpc_error', FAILURES],
    ['a page too long', () => signed(HISTORY_PAGE + 1, 9_000), 'malformed', FAILURES],
    ['nonsense', () => 'nonsense', 'malformed', FAILURES],
    [
      'a transaction that is not there',
      ({ method }) => (method === 'getTransaction' ? null : signed(2)),
      'malformed',
      FAILURES,
    ],
    ['no answer', () => ({ refuse: 'timeout' }), 'timeout', FAILURES],
  ]
  for (const [what, rpc, as, looks] of cases) {
    const { missing, observer, clock } = scene({ rpc })
    missing.buyers = [{ wallet: keyOf(1), before: 6_000 }]
    observer.start()
    await clock.pass(3_600_000)
    assert.deepEqual(missing.reported, [], what)
    assert.equal(observer.status().counts.get(as), looks, what)
    await observer.close()
  }
})

test('requests stay within the budget of a minute, and wait for it', async () => {
  const { missing, observer, calls, clock } = scene({
    rpc: ({ method }) => (method === 'getTransaction' ? transaction({ outer: [] }) : signed(1)),
    perMinute: 30,
  })
  missing.buyers = Array.from({ length: 200 }, (_, n) => ({ wallet: keyOf(n), before: 6_000 }))
  observer.start()
  await clock.pass(300_000)
  assert.ok(calls.length > 120 && calls.length <= 150, `${calls.length} calls in five minutes`)
  for (const [i, { at }] of calls.entries()) {
    const within = calls.slice(i).filter((call) => call.at < at + 60_000).length
    assert.ok(within <= 30, `${within} within a minute`)
  }
  await observer.close()
  const after = calls.length
  await clock.pass(300_000)
  assert.equal(calls.length, after, 'none after the end')
})

test('nobody is looked up before the list of exchanges was read', async () => {
  let exchanges: WalletList | null = null
  const { missing, observer, calls, clock } = scene({
    rpc: ({ method }) => (method === 'getTransaction' ? transaction() : signed(1)),
    exchanges: () => exchanges,
  })
  missing.buyers = [{ wallet: keyOf(1), before: 6_000 }]
  observer.start()
  await clock.pass(10_000)
  assert.equal(calls.length, 0)
  exchanges = new Map()
  await clock.pass(1_000)
  await settled()
  assert.equal(missing.reported.length, 1)
  await observer.close()
})
