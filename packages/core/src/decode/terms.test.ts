import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget'
import {
  hex,
  join,
  keyOf,
  pumpTrade,
  pumpTx,
  rawTx,
  token,
  u8,
  u32,
  u64,
  WHO,
} from '../../../../test/support/encode.ts'
import fc from '../../../../test/support/property.ts'
import { key, keyFromBase58 } from '../base/base58.ts'
import { type Key, ZERO_KEY } from '../base/ids.ts'
import { COMPUTE_BUDGET } from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'
import { createDecoder } from './block.ts'
import { noteRoles } from './roles.ts'
import { budgetOf as budgetRead, tipOf as tipRead } from './terms.ts'

/** With the roles of its keys set, as in a block. */
const noted = (tx: RawTransaction): RawTransaction => {
  noteRoles(tx.keys)
  return tx
}
const budgetOf = (tx: RawTransaction) => budgetRead(noted(tx))
const tipOf = (tx: RawTransaction) => tipRead(noted(tx))

const LIMIT = (units: number) => join(u8(2), u32(units))
const PRICE = (microLamports: bigint | number) => join(u8(3), u64(microLamports))
const KEYS = [WHO.user, COMPUTE_BUDGET, ZERO_KEY, keyOf(40)]
const BUDGET = 1
const SYSTEM = 2
const OTHER = 3

/** A transaction with instructions given as [index of the program, data]. */
const sent = (list: readonly (readonly [number, Buffer])[], more: Partial<RawTransaction> = {}) =>
  rawTx({
    version: 'legacy',
    keys: KEYS,
    instructions: list.map(([program, data]) => ({ program, accounts: new Uint8Array(0), data })),
    ...more,
  })
const NOTHING = Buffer.alloc(0)

describe('priority fee and compute units', () => {
  test('the program is the one that its package names', () => {
    assert.equal(COMPUTE_BUDGET, keyFromBase58(COMPUTE_BUDGET_PROGRAM_ADDRESS))
  })

  test('price times limit, rounded up; without a limit by the instructions; version 1 as it says', () => {
    const cases: readonly (readonly [RawTransaction, number, number])[] = [
      [
        sent([
          [BUDGET, LIMIT(100)],
          [BUDGET, PRICE(10_000)],
          [OTHER, NOTHING],
        ]),
        1,
        100,
      ], // 1,000,000 / 1e6
      [
        sent([
          [BUDGET, LIMIT(100)],
          [BUDGET, PRICE(10_001)],
        ]),
        2,
        100,
      ],
      [
        sent([
          [BUDGET, LIMIT(2_000_000)],
          [BUDGET, PRICE(1_000_000)],
        ]),
        1_400_000,
        1_400_000,
      ],
      [
        sent([
          [BUDGET, PRICE(1_000_000)],
          [SYSTEM, NOTHING],
          [OTHER, NOTHING],
        ]),
        206_000,
        206_000,
      ],
      [sent(Array.from({ length: 9 }, () => [OTHER, NOTHING] as const)), 0, 1_400_000],
      [
        sent([
          [BUDGET, LIMIT(0)],
          [BUDGET, PRICE(7)],
        ]),
        0,
        0,
      ],
      [
        sent([
          [BUDGET, hex('02')],
          [BUDGET, hex('0301')],
          [BUDGET, NOTHING],
          [OTHER, LIMIT(5)],
        ]),
        0,
        209_000,
      ],
      [
        sent([
          [BUDGET, LIMIT(1_400_000)],
          [BUDGET, PRICE(2n ** 64n - 1n)],
        ]),
        -1,
        1_400_000,
      ],
    ]
    for (const [i, [tx, priorityFee, computeUnitLimit]] of cases.entries())
      assert.deepEqual(budgetOf(tx), { priorityFee, computeUnitLimit }, String(i))
    const ignored = [
      [BUDGET, LIMIT(9)],
      [BUDGET, PRICE(10n ** 12n)],
    ] as const
    const config = { priorityFee: 52_815, computeUnitLimit: 89_467 }
    assert.deepEqual(budgetOf(sent(ignored, { version: 1, config })), config)
    assert.equal(budgetOf(sent([], { version: 1, config: { ...config, priorityFee: 2 ** 60 } })).priorityFee, -1)
  })

  test('exact for every price and limit', () => {
    const price = fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.bigInt(0n, 10n ** 10n))
    fc.assert(
      fc.property(price, fc.nat(1_400_000), (price, limit) => {
        const exactFee = (price * BigInt(limit) + 999_999n) / 1_000_000n
        const expected = exactFee <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exactFee) : -1
        assert.equal(
          budgetOf(
            sent([
              [BUDGET, LIMIT(limit)],
              [BUDGET, PRICE(price)],
            ]),
          ).priorityFee,
          expected,
        )
      }),
      { numRuns: 2_000 },
    )
  })
})

/** A tip account, and lamports sent to it. */
const TIP = key('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5')
const transfer = (lamports: number | bigint) => join(u32(2), u64(lamports))

test('a tip: payer and place of the first transfer, lamports of all', () => {
  const keys = [WHO.user, ZERO_KEY, TIP, WHO.other]
  const pay = (from: number, to: number, lamports: number | bigint) => ({
    ...{ program: 1, accounts: Uint8Array.of(from, to), data: transfer(lamports) },
  })
  const tx = (instructions: RawTransaction['instructions'], inner: RawTransaction['inner'] = []) =>
    tipOf(rawTx({ keys, instructions, inner }))
  assert.deepEqual(tx([pay(0, 3, 5), pay(3, 2, 7), pay(0, 2, 8)]), {
    ...{ payer: WHO.other, lamports: 15, outer: 1, inner: -1 },
  })
  assert.deepEqual(tx([pay(0, 3, 5)], [{ outer: 0, instructions: [pay(3, 0, 1), pay(0, 2, 9)] }]), {
    ...{ payer: WHO.user, lamports: 9, outer: 0, inner: 1 },
  })
  assert.equal(tx([pay(0, 3, 5), { ...pay(0, 2, 5), data: hex('0200') }, { ...pay(0, 2, 5), program: 3 }]), null)
  assert.equal(tx([pay(9, 2, 5), pay(0, 2, 2n ** 63n)]), null, 'who is not named, and what no number tells')
})

/** The simplest purchase that opens the buyer's token account with lamports of `from`. */
function purchase(from: Key, tag: number): RawTransaction {
  const tx = pumpTx([pumpTrade()], { version: 0, tables: [keyOf(80)] })
  const keys = [...tx.keys, from, ZERO_KEY, keyOf(60)]
  const account = keys.length - 1
  const open = {
    program: keys.length - 2,
    accounts: Uint8Array.of(keys.length - 3, account),
    data: join(u32(tag), u64(2_039_280), Buffer.alloc(40)),
  }
  return {
    ...tx,
    keys,
    instructions: [...tx.instructions, { program: 0, accounts: new Uint8Array(0), data: NOTHING }],
    inner: [...tx.inner!, { outer: 1, instructions: [open] }],
    preBalances: keys.map(() => 0),
    postBalances: keys.map(() => 2_039_280),
    postTokens: [token(account, WHO.mint, WHO.user, 34_612_903_225_806)],
  }
}

describe('terms of a block', () => {
  const termsIn = (...transactions: readonly RawTransaction[]) =>
    createDecoder().decodeBlock({ slot: 1, parent: 0, time: 0, transactions }).terms

  test('who paid for a new token account, by creation with and without seed', () => {
    for (const tag of [0, 3]) {
      const [terms, ...none] = termsIn(purchase(keyOf(50), tag))!
      assert.equal(none.length, 0)
      assert.deepEqual(terms!.rents, [{ payer: keyOf(50), owner: WHO.user, mint: WHO.mint }])
      assert.deepEqual([terms!.event, terms!.version, terms!.tables], [0, 0, [keyOf(80)]])
    }
    const old = purchase(keyOf(50), 0)
    const account = old.keys.length - 1
    const had = { ...old, preTokens: [token(account, WHO.mint, WHO.user, 1)] }
    assert.deepEqual(termsIn(had)![0]!.rents, [], 'it was there')
    assert.deepEqual(termsIn(purchase(keyOf(50), 9))![0]!.rents, [], 'no way of giving lamports')
    const funded = { ...old, preBalances: old.keys.map(() => 1) }
    assert.deepEqual(termsIn(funded)![0]!.rents, [], 'somebody else gave the first lamports, earlier')
  })

  test('one for each transaction with events, at its first event; none from logs', () => {
    const at = (n: number, index: number): RawTransaction => ({
      ...purchase(keyOf(n), 0),
      signature: `${n}`.repeat(64).slice(0, 64) as never,
      index,
    })
    const block = createDecoder().decodeBlock({
      ...{ slot: 1, parent: 0, time: 0 },
      transactions: [at(52, 9), rawTx({ signature: 'x'.repeat(64) as never, index: 3 }), at(51, 2)],
    })
    assert.equal(block.terms!.length, 2)
    for (const [i, terms] of block.terms!.entries()) {
      const { sig } = block.events[terms.event]!
      assert.equal(
        block.events.findIndex((event) => event.sig === sig),
        terms.event,
      )
      assert.equal(terms.rents[0]!.payer, keyOf(51 + i), 'in the order of the block')
    }
    assert.equal(termsIn(rawTx({ version: null })), undefined)
  })

  test('the version of a message changes nothing that happened', () => {
    const tx = purchase(keyOf(50), 0)
    const config = { priorityFee: 9, computeUnitLimit: 9 }
    const v1 = { ...tx, version: 1 as const, config, tables: [] }
    const events = (one: RawTransaction) =>
      createDecoder().decodeBlock({ slot: 1, parent: 0, time: 0, transactions: [one] }).events
    assert.deepEqual(events(v1), events(tx))
    assert.deepEqual(events({ ...tx, version: 'legacy', tables: [] }), events(tx))
  })
})
