import '@ti/lab/register.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorError } from '../base/errors.ts'
import { openSource } from './open.ts'
import { parseRpcSpec } from './rpc/spec.ts'

const refused = (spec: string, message: RegExp) =>
  assert.rejects(
    async () => openSource(spec),
    (error: unknown) => error instanceof OperatorError && message.test(error.message),
    spec,
  )

test('the simulator opens with and without options', async () => {
  assert.equal((await openSource('simulator:')).name, 'simulator:seed=1&tps=60&market=3')
  assert.equal((await openSource('simulator:seed=9&tps=2.5&speed=0')).name, 'simulator:seed=9&tps=2.5&market=3')
})

test('what is wrong is named, with what would be right', async () => {
  await refused('simulator:sed=1', /no option "sed".*seed, tps, warmup/)
  await refused('simulator:tps=0', /tps takes a number from 0.1 to 20000, not "0"/)
  await refused('simulator:seed=1.5', /seed takes a whole number/)
  await refused('simulator:speed=', /speed takes/)
  await refused('simulator:__proto__=1', /no option/)
  await refused('capture:', /names no file/)
  await refused('capture:x?pace=2', /no option "pace". It has speed/)
  await refused('capture:/nowhere/at-all.capture', /at-all.capture: cannot be opened/)
  await refused('kafka:x', /no known kind/)
})

test('yellowstone endpoints are checked before anything is connected', async () => {
  await refused('yellowstone:', /takes an address like https/)
  await refused('yellowstone:ftp://a.example', /takes an address like https/)
  await refused('yellowstone:https://me:secret@a.example', /has more than an address/)
  await refused('yellowstone:https://a.example?api-key=secret', /has more than an address/)
  await refused('yellowstone:https://a.example,simulator:', /simulator: cannot be combined with/)
  await refused(Array.from({ length: 9 }, (_, i) => `yellowstone:https://a${i}.example`).join(','), /more than 8/)
})

test('a token goes to one endpoint, over a connection that keeps it', async () => {
  const open = (spec: string, yellowstoneToken?: string) => openSource(spec, { yellowstoneToken })
  const fails = (spec: string, token: string, message: RegExp) =>
    assert.rejects(open(spec, token), (error: unknown) => {
      assert.ok(error instanceof OperatorError, 'another error')
      assert.doesNotMatch(error.message, /s3cret/)
      return message.test(error.message)
    })
  await fails('yellowstone:http://a.example', 's3cret', /unprotected/)
  await fails('yellowstone:https://a.example,yellowstone:https://b.example', 's3cret', /1 tokens for 2 endpoints/)
  await fails('yellowstone:https://a.example', 's3cret and more', /characters/)
})

test('a node of the RPC: its options are ours, the rest of its address is its own and is not shown', async () => {
  const secret = 'https://u:s3cret@node.example:8899/k3y?api-key=s3cret'
  for (const spec of [`rpc:${secret}&mode=poll&rps=5`, 'rpc:?mode=poll&rps=5', 'rpc:'])
    assert.equal((await openSource(spec, { rpcUrl: secret })).name, 'rpc:node.example:8899')
  await refused('rpc:', /needs an address.*SOURCE_RPC_URL/)
  await refused('rpc:ftp://a.example', /http or https/)
  await refused('rpc:https://a.example?mode=fast', /mode takes one of auto, blocks, logs, poll/)
  await refused('rpc:https://a.example?rps=0', /rps takes a number/)
  await refused('rpc:https://a.example?ws=https://b.example', /ws takes a ws or wss address/)
  const { url, wsUrl } = parseRpcSpec(`${secret}&ws=wss://b.example/x`)
  assert.equal(url.href, secret, 'the rest of the query is as it was')
  assert.equal(wsUrl?.href, 'wss://b.example/x')
  assert.equal(parseRpcSpec('http://127.0.0.1:8899').wsUrl?.href, 'ws://127.0.0.1:8900/')
  assert.equal(parseRpcSpec('https://a.example/v2/key').wsUrl?.href, 'wss://a.example/v2/key')
  assert.equal(parseRpcSpec('https://a.example?mode=poll').wsUrl, null)
})
