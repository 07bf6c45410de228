import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import { type Key, ZERO_KEY } from '@ti/core/base/ids.ts'
import { SYSTEM_GIVES } from '@ti/core/model/programs.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { DATA } from '../../../../test/conformance/bytes/idl.ts'
import { rawTx, u32, u64 } from '../../../../test/support/encode.ts'
import { seededRandom } from '../../../../test/support/random.ts'
import { firstPayments } from './first-payments.ts'
import { fieldsOf } from './shape/fields.ts'
import { transactionFromJson } from './shape/json.ts'

const named = (name: string): Key => name.padEnd(32, '.') as Key
const [X, A, B, S] = ['exchange', 'a', 'b', 'stranger'].map(named) as [Key, Key, Key, Key]
/** index of the system program in `keys` of `sent` */
const SYSTEM = 4

const gives = (tag: number, lamports: number | bigint, ...accounts: number[]) => ({
  program: SYSTEM,
  accounts: Uint8Array.from(accounts),
  data: Buffer.concat([u32(tag), u64(lamports), ...(tag === SYSTEM_GIVES.transfer ? [] : [Buffer.alloc(40)])]),
})
const pays = (from: number, to: number, lamports: number | bigint = 5) =>
  gives(SYSTEM_GIVES.transfer, lamports, from, to)

/** A transaction of X, A, B and S in which A and B had nothing before. */
const sent = (instructions: RawTransaction['instructions'], more: Partial<RawTransaction> = {}): RawTransaction =>
  rawTx({
    ...{ keys: [X, A, B, S, ZERO_KEY], instructions, inner: [], version: 'legacy' },
    ...{ preBalances: [99, 0, 0, 99, 1], postBalances: [90, 5, 5, 99, 1] },
    ...more,
  })

const found = (tx: RawTransaction, funders: readonly Key[] = [X]) =>
  firstPayments(tx, (key) => funders.includes(key)).map(({ wallet, funder, lamports }) =>
    `${funder} ${wallet} ${lamports}`.replaceAll('.', ''),
  )

test('a transfer to a wallet that had nothing is its first payment, outer, inner and with a seed', () => {
  assert.deepEqual(found(sent([pays(0, 1), pays(0, 2, 7)])), ['exchange a 5', 'exchange b 7'])
  const inner = [{ outer: 0, instructions: [pays(0, 1), gives(SYSTEM_GIVES.transferWithSeed, 8, 0, 3, 2)] }]
  const call = { program: 3, accounts: Uint8Array.of(0), data: Buffer.of(1) }
  assert.deepEqual(found(sent([call], { inner })), ['exchange a 5', 'exchange b 8'])
})

test('who had lamports, or has none afterwards, was paid before or not at all', () => {
  assert.deepEqual(found(sent([pays(0, 1), pays(0, 2)], { preBalances: [99, 1, 0, 99, 1] })), ['exchange b 5'])
  assert.deepEqual(found(sent([pays(0, 1), pays(0, 2)], { postBalances: [99, 5, 0, 99, 1] })), ['exchange a 5'])
  assert.deepEqual(found(sent([pays(0, 1)], { preBalances: [], postBalances: [] })), [], 'balances are not known')
})

test('only the first sender counts, and only one who is followed', () => {
  assert.deepEqual(found(sent([pays(3, 1), pays(0, 1), pays(0, 2), pays(3, 2)])), ['exchange b 5'])
  assert.deepEqual(found(sent([pays(3, 1)])), [])
  assert.deepEqual(found(sent([pays(0, 1)]), [S]), [])
  // the stranger's inner payment ran under the first outer instruction, before the second
  const inner = [{ outer: 0, instructions: [pays(3, 1)] }]
  assert.deepEqual(found(sent([pays(0, 2), pays(0, 1)], { inner })), ['exchange b 5'])
  assert.deepEqual(found(sent([pays(1, 1), pays(0, 1)])), ['exchange a 5'], 'to oneself is no payment')
})

test('accounts that are created, token accounts and failed transactions are no payments to a wallet', () => {
  const created = [gives(SYSTEM_GIVES.createAccount, 5, 0, 1), gives(SYSTEM_GIVES.createAccountWithSeed, 5, 0, 2)]
  assert.deepEqual(found(sent([...created, pays(0, 1)])), [])
  const postTokens = [{ account: 1, mint: S, owner: S, amount: 1, decimals: 6 }]
  assert.deepEqual(found(sent([pays(0, 1)], { postTokens })), [])
  assert.deepEqual(found(sent([pays(0, 1)], { failed: true })), [])
  assert.deepEqual(found(sent([pays(0, 1)], { inner: null })), [], 'an earlier sender may be among what is not known')
})

test('what is not an instruction of the system program, or is no whole one, says nothing', () => {
  const one = pays(0, 1)
  for (const wrong of [
    { ...one, program: 3 },
    { ...one, program: 200 },
    { ...one, data: one.data.subarray(0, 11) },
    { ...one, data: Buffer.concat([u32(SYSTEM_GIVES.transfer + 256), u64(5)]) },
    { ...one, accounts: Uint8Array.of(0) },
    { ...one, accounts: Uint8Array.of(0, 77) },
    pays(0, 1, 0),
    pays(0, 1, 2n ** 53n),
  ])
    assert.deepEqual(found(sent([wrong])), [])
})

test('whatever the bytes are, nobody is named who is not followed or had something', () => {
  const random = seededRandom(26)
  const byte = (): number => Math.floor(random() * 256)
  let payments = 0
  for (let run = 0; run < 20_000; run++) {
    const instruction = () => ({
      program: random() < 0.8 ? SYSTEM : byte() % 6,
      accounts: Uint8Array.from({ length: byte() % 5 }, () => (random() < 0.9 ? byte() % 5 : byte())),
      data: Buffer.concat([u32(random() < 0.8 ? [0, 2, 3, 11][byte() % 4]! : byte()), Buffer.from([byte()])]).subarray(
        0,
        random() < 0.9 ? 5 : byte() % 6,
      ),
    })
    const longer = () => {
      const one = instruction()
      return random() < 0.9 ? { ...one, data: Buffer.concat([one.data, Buffer.alloc(7 + (byte() % 3))]) } : one
    }
    const pre = Array.from({ length: byte() % 6 }, () => byte() % 2)
    const tx = sent(Array.from({ length: byte() % 4 }, longer), {
      inner: random() < 0.1 ? null : [{ outer: byte() % 4, instructions: [longer()] }],
      preBalances: pre,
      postBalances: pre.map(() => byte() % 3),
    })
    for (const { wallet, funder, lamports } of firstPayments(tx, (key) => key === X)) {
      payments++
      assert.equal(funder, X)
      assert.notEqual(wallet, X)
      assert.equal(tx.preBalances[tx.keys.indexOf(wallet)], 0)
      assert.ok(Number.isSafeInteger(lamports) && lamports > 0)
    }
  }
  assert.ok(payments > 50, `${payments} payments`)
})

/** Real transactions in which somebody gives an account its first SOL: an inner transfer each, to accounts of pump. */
const REAL = {
  'raw_tx/09_noslot_CreateV2-Buy_b6430e6147e.json': [
    '5zsxd4pGNCQpwyKiBWZ95nCTPsEPoS62xEGnjpW6FRy7',
    '8MT2dxWGkuJyCh8RWvacDNA3sKRok2QgNAVSXkgwL7o8',
    890_880,
  ],
  'real2/transactions/completing_tx_sep20.json': [
    '2XQPmy3DZnVWQPnxQ5AVGRUzLNQL22LUW9w5GM5Ghoqi',
    '4morRN967mnGTbhATZwYRdrSg4Hm9pZjXmTgezsYPf5h',
    650_240,
  ],
} as const

/** The transaction itself, as far inside a file as it is. */
function transactionIn(value: unknown): unknown {
  const fields = fieldsOf(value)
  if (fields === null || (fields.meta !== undefined && fields.transaction !== undefined)) return value
  return transactionIn(fields.tx ?? fields.result)
}

for (const [name, [funder, wallet, lamports]] of Object.entries(REAL)) {
  const path = join(DATA, name)
  const skip = existsSync(path) ? false : `${name} is not here: no real transfer is read`
  test(`the real first payment in ${name}: nothing before, and at least that afterwards`, { skip }, () => {
    const tx = transactionFromJson(transactionIn(JSON.parse(readFileSync(path, 'utf8'))), createCounts(), 0)
    assert.ok(tx !== null)
    const payments = firstPayments(tx, () => true)
    assert.deepEqual(
      payments.map((one) => [keyToBase58(one.funder), keyToBase58(one.wallet), one.lamports]),
      [[funder, wallet, lamports]],
    )
    const at = tx.keys.indexOf(payments[0]!.wallet)
    assert.deepEqual([tx.preBalances[at], tx.postBalances[at]! >= lamports], [0, true])
    assert.deepEqual(
      firstPayments(tx, (one) => one === payments[0]!.wallet),
      [],
    )
  })
}
