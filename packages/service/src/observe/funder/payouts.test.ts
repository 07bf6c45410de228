import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import {
  type Answering,
  createFakeClock,
  createFakeLogger,
  createFakeMissing,
  createFakeOutbound,
} from '../../../../../test/support/observe-scene.ts'
import { perMinute as budgetOf, createBucket } from '../../base/bucket.ts'
import { associatedTokenAccount } from '../../base/token-account.ts'
import { createBudgetedRpc } from '../budgeted-rpc.ts'
import type { WalletList } from '../lists/wallet-list.ts'
import { createPayoutsObserver, FAILURES, SIGNATURES, SLOTS, TRANSACTIONS } from './payouts.ts'

// keys of wallets lie on the curve, every derived address off it
const DEPLOYER = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g'
const [FRESH, OLD] = ['HP75ZrP6j57Mugmv371mS7J4wCQyK1g6QLR7ceWvWfBs', '2jB9fdQhSpswcCS5Y2nEDKFFW5cuyZSWaZFyuEXfgrCY']
const PROGRAMS: string = associatedTokenAccount(DEPLOYER, 'So11111111111111111111111111111111111111112')
const CREATED = 300_000

interface Payment {
  readonly to: string
  readonly lamports?: number
  readonly from?: string
  readonly held?: number
  readonly type?: string
}

const paying = (slot: number, ...payments: Payment[]) => ({
  slot,
  meta: {
    ...{ err: null, preBalances: [9_000, ...payments.map(({ held = 0 }) => held)] },
    ...{ postBalances: [0, ...payments.map(() => 5)], innerInstructions: [] },
  },
  transaction: {
    message: {
      accountKeys: [{ pubkey: DEPLOYER }, ...payments.map(({ to }) => ({ pubkey: to }))],
      instructions: payments.map(({ to, lamports = 5, from = DEPLOYER, type = 'transfer' }) => ({
        program: 'system',
        parsed: { type, info: { source: from, lamports, [type === 'transfer' ? 'destination' : 'newAccount']: to } },
      })),
    },
  },
})

interface Call {
  readonly method: string
  readonly params: readonly [string, unknown]
}

function scene(answer: (call: Call) => unknown, exchanges: () => WalletList | null = () => new Map(), perMinute = 600) {
  const clock = createFakeClock()
  const missing = createFakeMissing()
  missing.deployers = [{ deployer: keyFromBase58(DEPLOYER)!, createdSlot: CREATED }]
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
  const rpc = createBudgetedRpc({ url: 'https://rpc.example/?key=secret', outbound, budget, clock })
  const around = { clock, random: () => 1 }
  const observer = createPayoutsObserver({ missing, report: missing.report, rpc, exchanges, logger, around })
  return { clock, missing, calls, observer }
}

const signed = (...slots: number[]) => slots.map((slot) => ({ signature: `s${slot}`, slot, err: null }))

test('wallets that a deployer gave their first lamports before the launch are reported, once', async () => {
  const transactions: Record<string, unknown> = {
    s299990: paying(299_990, { to: FRESH, lamports: 7 }, { to: OLD, held: 3 }, { to: PROGRAMS }),
    s299000: paying(299_000, { to: OLD, lamports: 9 }, { to: FRESH, type: 'createAccount' }, { to: FRESH, from: OLD }),
  }
  const { clock, missing, calls, observer } = scene(({ method, params: [id] }) =>
    method === 'getTransaction'
      ? transactions[id]
      : [
          ...signed(CREATED + 1, 299_990),
          { signature: 'failed', slot: 299_500, err: { InstructionError: [0, 'x'] } },
          ...signed(299_000, CREATED - SLOTS),
        ],
  )
  observer.start()
  await clock.pass(600_000)
  const reported = { kind: 'funding', funder: keyFromBase58(DEPLOYER), exchange: false }
  assert.deepEqual(
    missing.reported.map(({ fact }) => fact),
    [
      { ...reported, wallet: keyFromBase58(FRESH), slot: 299_990, lamports: 7 },
      { ...reported, wallet: keyFromBase58(OLD), slot: 299_000, lamports: 9 },
    ],
  )
  assert.deepEqual(
    calls.map(({ params }) => params[0]),
    [DEPLOYER, 's299990', 's299000'],
  )
  assert.equal(observer.status().counts.get('reported'), 1)
  await observer.close()
})

test('a launch costs a bounded number of requests, and none are sent before exchanges are known', async () => {
  let exchanges: WalletList | null = null
  const many = signed(...Array.from({ length: SIGNATURES }, (_, i) => CREATED - i))
  const { clock, missing, calls, observer } = scene(
    ({ method }) => (method === 'getTransaction' ? paying(1, { to: FRESH, from: OLD }) : many),
    () => exchanges,
  )
  observer.start()
  await clock.pass(10_000)
  assert.equal(calls.length, 0)
  exchanges = new Map()
  await clock.pass(600_000)
  assert.equal(calls.length, 1 + TRANSACTIONS)
  assert.deepEqual(missing.reported, [])
  assert.equal(observer.status().counts.get('none'), 1)
  await observer.close()
})

test('a node that fails is asked again, a bounded number of times, and nothing is reported about it', async () => {
  for (const [answer, as] of [
    [{ refuse: 'timeout' }, 'timeout'],
    ['nonsense', 'malformed'],
    [signed(...Array.from({ length: SIGNATURES + 1 }, () => 1)), 'malformed'],
  ] as const) {
    const { clock, missing, observer } = scene(() => answer)
    observer.start()
    await clock.pass(3_600_000)
    assert.equal(observer.status().counts.get(as), FAILURES)
    assert.deepEqual(missing.reported, [])
    await observer.close()
  }
})
