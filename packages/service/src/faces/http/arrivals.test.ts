import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { holdWhileArriving } from './arrivals.ts'

const turn = (): Promise<void> => new Promise((done) => setImmediate(done))

function open() {
  const server = new EventEmitter()
  const answered: number[] = []
  let nowMs = 0
  const listener = holdWhileArriving(
    server as never,
    (request) => void answered.push((request as unknown as { n: number }).n),
    () => nowMs,
  )
  return {
    answered,
    ask: (n: number, destroyed = false) =>
      listener({ n, socket: { destroyed } } as unknown as IncomingMessage, {} as ServerResponse),
    connect(times: number) {
      for (let i = 0; i < times; i++) server.emit('connection')
    },
    pass(ms: number) {
      nowMs += ms
    },
  }
}

test('a few connections hold nothing back', async () => {
  const { answered, ask, connect } = open()
  ask(1)
  connect(7)
  ask(2)
  assert.deepEqual(answered, [1, 2])
  await turn()
  await turn()
  connect(7)
  ask(3)
  assert.deepEqual(answered, [1, 2, 3])
})

test('in a burst answers wait for the turn without a connection, in their order; who has gone is passed over', async () => {
  const { answered, ask, connect } = open()
  connect(8)
  ask(1)
  ask(2, true)
  await turn()
  connect(1)
  ask(3)
  await turn()
  assert.deepEqual(answered, [])
  await turn()
  assert.deepEqual(answered, [1, 3])
  ask(4)
  assert.deepEqual(answered, [1, 3, 4])
})

test('a burst without an end holds answers for a bounded time', async () => {
  const { answered, ask, connect, pass } = open()
  connect(8)
  ask(1)
  for (let i = 0; i < 20 && answered.length === 0; i++) {
    connect(1)
    pass(1)
    await turn()
    assert.ok(i < 11, 'held for too long')
  }
  assert.deepEqual(answered, [1])
})
