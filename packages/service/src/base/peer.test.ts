import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { OperatorError } from './errors.ts'
import { createPeer } from './peer.ts'
import { isShortage } from './shortage.ts'

type Calls = {
  add(a: number, b: number): number
  later(text: string): Promise<string>
  fail(error: string): never
  note(text: string): void
}

/** Two threads' ends of one channel, in this thread. */
function setUp(t: { after(close: () => void): void }) {
  const { port1, port2 } = new MessageChannel()
  t.after(() => port1.close())
  const noted: string[] = []
  const errors: Readonly<Record<string, Error>> = {
    short: Object.assign(new Error('no room', { cause: Object.assign(new Error('inner'), { errcode: 13 }) }), {
      code: 'ENOSPC',
      syscall: 'write',
      path: '/data',
    }),
    operator: new OperatorError('choose another PORT', { exitCode: 4 }),
  }
  const own: Calls = {
    add: (a, b) => a + b,
    later: async (text) => text.toUpperCase(),
    fail(error) {
      throw errors[error]
    },
    note: (text) => void noted.push(text),
  }
  createPeer(port2, own)
  return { peer: createPeer<Calls>(port1, {}), noted }
}

test('calls are answered each by its own result, whichever is first', async (t) => {
  const { peer } = setUp(t)
  const answers = await Promise.all([peer.call('later', 'a'), peer.call('add', 2, 3), peer.call('later', 'b')])
  assert.deepEqual(answers, ['A', 5, 'B'])
})

test('what is told arrives before the result of a later call', async (t) => {
  const { peer, noted } = setUp(t)
  for (const text of ['one', 'two']) peer.tell('note', text)
  await peer.call('add', 1, 1)
  assert.deepEqual(noted, ['one', 'two'])
})

test('an error keeps its class, its codes and its causes', async (t) => {
  const { peer } = setUp(t)
  const short = (await peer.call('fail', 'short').catch((error: unknown) => error)) as NodeJS.ErrnoException
  assert.deepEqual([short.message, short.code, short.syscall, short.path], ['no room', 'ENOSPC', 'write', '/data'])
  assert.ok(isShortage(short))
  assert.equal((short.cause as { errcode?: number }).errcode, 13)
  const operator = await peer.call('fail', 'operator').catch((error: unknown) => error)
  assert.ok(operator instanceof OperatorError)
  assert.equal(operator.exitCode, 4)
})

test('closing rejects what is open and what comes later', async (t) => {
  const { peer } = setUp(t)
  const open = peer.call('later', 'a')
  peer.close(new Error('the thread has ended'))
  await assert.rejects(open, /has ended/)
  await assert.rejects(peer.call('add', 1, 1), /has ended/)
})
