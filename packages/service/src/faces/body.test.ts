import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { BODY_MS, DRAIN_BYTES, readBody } from './body.ts'

const BODY_BYTES = 64 << 10

const arriving = (headers: Record<string, string> = {}) => {
  const stream = Object.assign(new PassThrough(), { headers })
  return { stream, body: readBody(stream as unknown as IncomingMessage, { bodyBytes: BODY_BYTES }) }
}

test('a whole body, in pieces that split a character', async () => {
  const { stream, body } = arriving()
  const bytes = Buffer.from('{"a":"é"}')
  for (const byte of bytes) stream.write(Buffer.from([byte]))
  stream.end()
  assert.deepEqual(await body, { kind: 'whole', text: '{"a":"é"}' })
})

test('the largest body, and one byte more', async () => {
  const largest = arriving()
  largest.stream.end(Buffer.alloc(BODY_BYTES, 'a'))
  assert.equal((await largest.body).kind, 'whole')
  const larger = arriving()
  larger.stream.end(Buffer.alloc(BODY_BYTES + 1, 'a'))
  assert.deepEqual(await larger.body, { kind: 'large', open: false })
})

test('far too large a body is not read to its end', async () => {
  const announced = arriving({ 'content-length': String(DRAIN_BYTES + 1) })
  assert.deepEqual(await announced.body, { kind: 'large', open: true })
  const endless = arriving()
  for (let i = 0; i <= DRAIN_BYTES >> 16; i++) endless.stream.write(Buffer.alloc(1 << 16))
  assert.deepEqual(await endless.body, { kind: 'large', open: true })
})

test('a body that stops arriving is late', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { stream, body } = arriving()
  stream.write('{')
  t.mock.timers.tick(BODY_MS)
  assert.deepEqual(await body, { kind: 'late' })
})

test('a client that goes away, by itself or by an error', async () => {
  for (const error of [undefined, new Error('reset')]) {
    const { stream, body } = arriving()
    stream.write('{')
    stream.destroy(error)
    assert.deepEqual(await body, { kind: 'broken' })
  }
})
