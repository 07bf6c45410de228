import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCounts } from '@ti/core/base/counts.ts'
import { steadyClock } from '../../base/clock.ts'
import type { RpcAnswer, RpcClient } from '../../observe/outbound/json-rpc.ts'
import { assertSameChain, chainOf, isOnChain } from './genesis.ts'

/** base58 of 32 bytes, as nodes name chains */
const HERE = '1'.repeat(32)
const THERE = `${'1'.repeat(31)}2`

const { signal } = new AbortController()
const refused: RpcAnswer = { ok: false, reason: 'refused', code: -32601 }
const silent: RpcAnswer = { ok: false, reason: 'unreachable', code: null }
const result = (value: unknown): RpcAnswer => ({ ok: true, result: value })

function nodeOf(...answers: RpcAnswer[]): RpcClient {
  const call = async (): Promise<RpcAnswer> => answers.shift() ?? assert.fail('one request too many')
  return {
    call,
    reachable: true,
    answeredAt: 0,
    requests: 0,
    exhausted: false,
    counts: createCounts(),
    close: async () => {},
  }
}

test('a chain is named by its node, however long that takes, unless the node cannot say', async () => {
  const clock = { ...steadyClock, sleep: async () => {} }
  assert.equal(await chainOf(nodeOf(silent, result('no hash'), result(HERE)), clock, signal), HERE)
  assert.equal(await chainOf(nodeOf(refused), clock, signal), null)
})

test('a node that answers for another chain than before ends the source with both names', async () => {
  assert.equal(await assertSameChain(nodeOf(result(HERE)), HERE, signal), true)
  assert.equal(await assertSameChain(nodeOf(silent), HERE, signal), false)
  await assert.rejects(
    assertSameChain(nodeOf(result(THERE)), HERE, signal),
    new RegExp(`${HERE}, and now for ${THERE}`),
  )
})

test('an endpoint is foreign where its newest block is unknown to a node that is not behind it', async () => {
  const knows = (value: boolean, slot: number) => nodeOf(result({ context: { slot }, value }))
  const newest = { slot: 100_000, blockhash: HERE }
  assert.equal(await isOnChain(knows(true, 99_990), newest, signal), true)
  assert.equal(await isOnChain(knows(false, 99_990), newest, signal), null, 'it is behind')
  assert.equal(await isOnChain(knows(false, 100_020), newest, signal), false)
  assert.equal(await isOnChain(knows(false, 50_000), newest, signal), false, 'slots of another chain')
  for (const answer of [silent, refused, result(null), result({ value: false })]) {
    assert.equal(await isOnChain(nodeOf(answer), newest, signal), null)
  }
})
