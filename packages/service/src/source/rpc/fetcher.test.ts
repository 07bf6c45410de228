import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { transactionJson } from '../../../../../test/fakes/rpc-json.ts'
import { rawTx } from '../../../../../test/support/encode.ts'
import type { CallOptions, RpcAnswer, RpcClient } from '../../observe/outbound/json-rpc.ts'
import { blockOf } from './block.ts'
import { createBlockFetcher } from './fetcher.ts'

const { signal } = new AbortController()
const key = (letter: string) => letter.repeat(32) as Key
const sig = (letter: string) => letter.repeat(64) as Sig

/** A client that answers by a script, and tries as often as it is told to. */
function scripted(answer: (method: string, params: readonly unknown[], n: number) => RpcAnswer) {
  const asked: { method: string; params: readonly unknown[] }[] = []
  const rpc: RpcClient = {
    async call(method, params, _signal, { again = () => false }: CallOptions = {}) {
      for (let n = 0; ; n++) {
        asked.push({ method, params })
        const said = answer(method, params, asked.length)
        if (!again(said) || n === 2) return said
      }
    },
    reachable: true,
    answeredAt: 0,
    requests: 0,
    exhausted: false,
    counts: createCounts(),
    close: async () => {},
  }
  return { fetcher: createBlockFetcher({ rpc }), asked, rpc }
}

const ok = (result: unknown): RpcAnswer => ({ ok: true, result })
const refused = (code: number): RpcAnswer => ({ ok: false, reason: 'refused', code })

const transaction = (signature: Sig, ...keys: readonly Key[]) => ({
  version: 0,
  transaction: {
    signatures: [sigToBase58(signature)],
    message: { accountKeys: keys.map(keyToBase58), instructions: [] },
  },
  meta: { err: null, preBalances: [], postBalances: [], innerInstructions: [], logMessages: [] },
})
const block = { parentSlot: 76, blockTime: 5, transactions: [transaction(sig('a'), key('u'))] }

test('what a node says of a slot, and how often it is asked', async () => {
  const cases: readonly [RpcAnswer, string | number, number][] = [
    [ok(block), 77, 1],
    [refused(-32007), 'skipped', 1],
    [refused(-32009), 'skipped', 1],
    [refused(-32001), 'unavailable', 1],
    [refused(-32011), 'unavailable', 1],
    [refused(-32015), 'too_old', 1],
    [refused(-32004), 'unavailable', 3],
    [refused(-32014), 'unavailable', 3],
    [ok(null), 'unavailable', 3],
    [ok({ ...block, transactions: 'none' }), 'unavailable', 3],
    [ok({ ...block, parentSlot: 77 }), 'unavailable', 3],
    [ok({ transactions: [] }), 'unavailable', 3],
    [{ ok: false, reason: 'too_large', code: null }, 'unavailable', 1],
    [{ ok: false, reason: 'timeout', code: null }, 'unanswered', 1],
    [{ ok: false, reason: 'budget', code: null }, 'unanswered', 1],
  ]
  for (const [said, expected, times] of cases) {
    const { fetcher, asked } = scripted(() => said)
    const got = await fetcher.fetch(77, signal)
    assert.equal(typeof got === 'string' ? got : got.slot, expected, JSON.stringify(said))
    assert.equal(asked.length, times, JSON.stringify(said))
    const plain = await fetcher.block(77, signal)
    assert.equal(plain === 'unavailable', ['unavailable', 'unanswered', 'too_old'].includes(String(expected)))
  }
  const { fetcher } = scripted((_method, _params, n) => (n < 3 ? refused(-32004) : ok(block)))
  assert.deepEqual(await fetcher.block(77, signal), blockOf(block, 77, null, createCounts()), 'in the end')
})

test('any version is asked for; a node that wants a real one is asked so from then on', async () => {
  for (const [newest, tries] of [
    [255, 1],
    [1, 2],
    [0, 3],
  ] as const) {
    const { fetcher, asked } = scripted((_method, params) => {
      const { maxSupportedTransactionVersion: most, rewards, commitment } = params[1] as Record<string, unknown>
      assert.deepEqual([rewards, commitment], [false, 'confirmed'])
      assert.ok(Number.isInteger(most), 'a JSON integer')
      return Number(most) <= newest ? ok(block) : refused(-32602)
    })
    for (const requests of [tries, tries + 1, tries + 2]) {
      assert.equal(typeof (await fetcher.block(77, signal)), 'object')
      assert.equal(asked.length, requests)
    }
    assert.equal(fetcher.problem, null)
  }
})

test('a node too old for version 1 is named, and the one in its place is asked anew', async () => {
  let newest = 0
  const { fetcher, asked } = scripted((_method, params) => {
    const most = Number((params[1] as Record<string, unknown>).maxSupportedTransactionVersion)
    if (most > newest) return refused(-32602)
    return newest === 1 ? ok(block) : refused(-32015)
  })
  assert.equal(await fetcher.fetch(77, signal), 'too_old')
  assert.equal(await fetcher.transaction(sig('a'), signal), 'too_old')
  assert.equal(asked.length, 6, 'every version was tried')
  assert.match(fetcher.problem!, /version 1 .*too old/)
  newest = 1
  assert.equal(typeof (await fetcher.fetch(77, signal)), 'object')
  assert.match(fetcher.problem!, /too old/, 'the transaction is still refused')
  assert.notEqual(await fetcher.transaction(sig('a'), signal), 'too_old')
  assert.equal(fetcher.problem, null)
})

test('a list of slots that is none is not believed', async () => {
  const lists: readonly [unknown, readonly number[] | null][] = [
    [
      [5, 7, 9],
      [5, 7, 9],
    ],
    [[], []],
    [[7, 5], null],
    [[5, 5], null],
    [[4, 5], null],
    [[5, 11], null],
    [['5'], null],
    [[5.5], null],
    [{ 0: 5 }, null],
    [[5, 6, 7, 8, 9, 10, 11], null],
  ]
  for (const [list, expected] of lists)
    assert.deepEqual(await scripted(() => ok(list)).fetcher.produced(5, 10, signal), expected, JSON.stringify(list))
  assert.equal(await scripted(() => refused(-32601)).fetcher.produced(5, 10, signal), null)
})

test('a transaction is the one that was asked for', async () => {
  const fetched = { slot: 77, blockTime: 5, ...transaction(sig('a'), key('u')) }
  const got = await scripted(() => ok(fetched)).fetcher.transaction(sig('a'), signal)
  assert.ok(typeof got !== 'string' && got.slot === 77 && got.time === 5, 'it is there')
  assert.equal(await scripted(() => ok(fetched)).fetcher.transaction(sig('b'), signal), 'unavailable')
  assert.equal(await scripted(() => ok(null)).fetcher.transaction(sig('a'), signal), 'unavailable')
})

test('a page of signatures is whole or nothing', async () => {
  const entry = { signature: sigToBase58(sig('a')), slot: 5, err: null }
  const page = (list: unknown) => scripted(() => ok(list)).fetcher.signatures(key('m'), sig('z'), signal)
  assert.deepEqual(await page([entry, { ...entry, err: {} }]), [
    { signature: sig('a'), slot: 5, failed: false },
    { signature: sig('a'), slot: 5, failed: true },
  ])
  for (const odd of [
    null,
    {},
    [entry, { ...entry, slot: -1 }],
    [{ ...entry, signature: 'x' }],
    Array(1_001).fill(entry),
  ])
    assert.equal(await page(odd), null)
})

test('transactions of others are left out, and places in the block stay', () => {
  const ours = key('p')
  const loaded = transaction(sig('c'), key('u'))
  const meta = { ...loaded.meta, loadedAddresses: { writable: [], readonly: [keyToBase58(ours)] } }
  const unread = { meta: {} }
  const list = [transaction(sig('a'), key('u')), transaction(sig('b'), key('u'), ours), { ...loaded, meta }, unread]
  const counts = createCounts()
  const found = blockOf({ ...block, transactions: list }, 77, { programs: [ours] }, counts)
  assert.deepEqual(
    found?.transactions.map((tx) => [tx.signature[0], tx.index]),
    [
      ['b', 1],
      ['c', 2],
    ],
  )
  assert.deepEqual([...counts.keys()], ['shape:no_message'], 'what cannot be told is read, and counted')
  assert.equal(blockOf({ ...block, transactions: list }, 77, null, createCounts())?.transactions.length, 3)
})

test('what names a mint that is followed is kept too', () => {
  const named = ['x', 'y'].map((mint) => transactionJson(rawTx({ signature: sig(mint), keys: [key('u'), key(mint)] })))
  const mints = new Set([key('y')])
  const found = blockOf(
    { ...block, transactions: named },
    77,
    { programs: [key('p')], followed: mints },
    createCounts(),
  )
  assert.deepEqual(
    found?.transactions.map((tx) => [tx.signature[0], tx.index]),
    [['y', 1]],
  )
})
