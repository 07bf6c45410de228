import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { NO_SIG, type Sig, ZERO_KEY } from '@ti/core/base/ids.ts'
import type { LaunchFact } from '@ti/core/model/facts.ts'
import {
  type Answering,
  createFakeClock,
  createFakeLogger,
  createFakeMissing,
  createFakeOutbound,
  keyOf,
} from '../../../../test/support/observe-scene.ts'
import { perMinute as budgetOf, createBucket } from '../base/bucket.ts'
import { createBudgetedRpc } from './budgeted-rpc.ts'
import { HISTORY_PAGE } from './funder/history.ts'
import { createLaunchObserver, FAILURES, LAUNCH_PAGES } from './launch.ts'

const MINT = keyOf(1)
const MET = 'm'.repeat(64) as Sig
const FACT: LaunchFact = {
  ...{ kind: 'launch', mint: MINT, launcher: keyOf(2), creator: ZERO_KEY, payer: keyOf(2), signed: false },
  ...{
    slot: 7,
    sig: 's'.repeat(64) as Sig,
    name: 'Name',
    symbol: 'SYM',
    uri: '',
    nameNorm: 'name',
    symbolNorm: 'sym',
    supply: 1e15,
    decimals: 6,
  },
}

interface Call {
  readonly method: string
  readonly params: readonly [string, { readonly before?: string; readonly encoding?: string }]
}

function scene(answer: (call: Call) => unknown, met: Sig = MET, perMinute = 6_000) {
  const clock = createFakeClock()
  const missing = createFakeMissing()
  missing.unseen = [{ mint: MINT, met }]
  const calls: Call[] = []
  const outbound = createFakeOutbound(clock, ({ json }): Answering => {
    const call = JSON.parse(json!) as Call & { id: number }
    calls.push(call)
    const result = answer(call)
    if (typeof result === 'object' && result !== null && 'refuse' in result) return result as Answering
    return { jsonrpc: '2.0', id: call.id, result }
  })
  const { logger } = createFakeLogger()
  const budget = createBucket(budgetOf(perMinute), clock.ms)
  const observer = createLaunchObserver({
    ...{ missing, report: missing.report, logger, around: { clock, random: () => 1 } },
    rpc: createBudgetedRpc({ url: 'https://rpc.example/?key=secret', outbound, budget, clock }),
    readCreation: (given, mint) => (given === 'creation' && mint === MINT ? FACT : null),
  })
  return { clock, missing, calls, observer }
}

const signed = (n: number, from: number, err: unknown = null) =>
  Array.from({ length: n }, (_, i) => ({ signature: `s${from - i}`, slot: from - i, err }))

test('walks back from the transaction by which the token was met to its creation', async () => {
  const { clock, missing, calls, observer } = scene(({ method, params: [of, { before }] }) => {
    if (method === 'getTransaction') return of === 's2' ? 'creation' : 'a transfer to a mint that is not there yet'
    if (before === sigToBase58(MET)) return signed(HISTORY_PAGE, HISTORY_PAGE + 2)
    // the oldest of all failed
    return [...signed(2, 2), { signature: 's0', slot: 0, err: { Custom: 1 } }]
  })
  observer.start()
  await clock.pass(1_000)
  assert.deepEqual(
    calls.map(({ method, params: [of, { before, encoding }] }) => [method, of, before ?? encoding]),
    [
      ['getSignaturesForAddress', keyToBase58(MINT), sigToBase58(MET)],
      ['getSignaturesForAddress', keyToBase58(MINT), 's3'],
      ['getTransaction', 's1', 'json'],
      ['getTransaction', 's2', 'json'],
    ],
  )
  assert.deepEqual(
    missing.reported.map(({ fact }) => fact),
    [FACT],
  )
  await observer.close()
})

test('without a signature of the first transaction it begins at the newest', async () => {
  const { clock, missing, calls, observer } = scene(
    ({ method }) => (method === 'getTransaction' ? 'creation' : signed(1, 9)),
    NO_SIG,
  )
  observer.start()
  await clock.pass(1_000)
  assert.equal(calls[0]!.params[1].before, undefined)
  assert.equal(missing.reported.length, 1)
  await observer.close()
})

test('a history that is long, empty or without a creation is asked for once, a node that fails a few times', async () => {
  for (const [answer, as, times] of [
    [({ method }: Call) => (method === 'getTransaction' ? 'x' : signed(HISTORY_PAGE, 9_999)), 'long_history', 1],
    [() => [], 'no_history', 1],
    [({ method }: Call) => (method === 'getTransaction' ? 'x' : signed(2, 9)), 'no_creation', 1],
    [() => ({ refuse: 'timeout' }), 'timeout', FAILURES],
    [() => 'nonsense', 'malformed', FAILURES],
  ] as const) {
    const { clock, missing, calls, observer } = scene(answer)
    observer.start()
    await clock.pass(3_600_000)
    assert.equal(observer.status().counts.get(as), times, as)
    assert.deepEqual(missing.reported, [])
    if (as === 'long_history') assert.equal(calls.length, LAUNCH_PAGES)
    await observer.close()
  }
})

test('the budget holds', async () => {
  const { clock, calls, observer } = scene(() => signed(HISTORY_PAGE, 9_999), MET, 6)
  observer.start()
  await clock.pass(60_000)
  assert.ok(calls.length <= 8, `${calls.length} requests in a minute`)
  await observer.close()
})
