import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JetStreamApiError } from '@nats-io/jetstream'
import { OperatorError } from '../../base/errors.ts'
import { createAsking } from './asking.ts'

const said = (code: number) => new JetStreamApiError({ code, err_code: 10_000 + code, description: `${code}` })

/** With `silentMs` 0 the first request without an answer is one too many. */
function asking(silentMs: number) {
  const connection = {
    closed: false,
    renewed: 0,
    isClosed: () => connection.closed,
    async reconnect() {
      connection.renewed++
    },
  }
  return { connection, ...createAsking(connection, { reconnectMs: 1, silentMs }) }
}

const never = new AbortController().signal

test('it asks until it gets an answer', async () => {
  const { retry, connection } = asking(60_000)
  const answers = [said(503), new Error('timeout'), 7]
  const question = async () => {
    const answer = answers.shift()!
    if (answer instanceof Error) throw answer
    return answer
  }
  assert.equal(await retry(question, never), 7)
  assert.equal(connection.renewed, 0, 'an election is no reason to leave')
})

test('it ends when nobody waits any more, at a closed connection, and at what an operator must know', async () => {
  const { retry, connection } = asking(60_000)
  const away = async () => {
    throw said(503)
  }
  await assert.rejects(retry(away, AbortSignal.abort()), /503/)
  connection.closed = true
  await assert.rejects(retry(away, never), /503/)
  const wrong = new OperatorError('another log')
  await assert.rejects(
    asking(60_000).retry(() => Promise.reject(wrong), never),
    wrong,
  )
})

test('a server that answers nothing is left; one that refuses is not', async () => {
  const { once, connection } = asking(0)
  for (const error of [said(400), said(404), new OperatorError('another log')]) {
    await assert.rejects(
      once(() => Promise.reject(error)),
      error,
    )
  }
  assert.equal(connection.renewed, 0)
  await assert.rejects(
    once(() => Promise.reject(said(503))),
    /503/,
  )
  assert.equal(connection.renewed, 1)
})

test('what was answered in between counts', async () => {
  const { once, connection } = asking(60_000)
  const fail = () => once(() => Promise.reject(said(503))).catch(() => {})
  let now = 0
  const clock = performance.now
  performance.now = () => now
  try {
    await fail()
    now = 59_000
    await once(async () => 1)
    now = 61_000
    await fail()
    assert.equal(connection.renewed, 0)
    now = 122_000
    await fail()
    assert.equal(connection.renewed, 1)
    now = 123_000
    await fail()
    assert.equal(connection.renewed, 1, 'the next one has its time')
  } finally {
    performance.now = clock
  }
})
