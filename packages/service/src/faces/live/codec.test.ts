import assert from 'node:assert/strict'
import { test } from 'node:test'
import { binaryPush } from '../../../../../test/support/channels-socket.ts'
import fc from '../../../../../test/support/property.ts'
import {
  type ClientMessage,
  decodeBinary,
  decodeText,
  encode,
  REF_LENGTH,
  TOPIC_LENGTH,
  type Version,
} from './codec.ts'

const VERSIONS = [1, 2] as const

/** A client's frame of the version, from JSON texts. */
const frame = (
  version: Version,
  joinRef: string,
  ref: string,
  topic: string,
  event: string,
  payload: string,
): string =>
  version === 2
    ? `[${joinRef},${ref},${topic},${event},${payload}]`
    : `{"join_ref":${joinRef},"ref":${ref},"topic":${topic},"event":${event},"payload":${payload}}`

/** Null or a message that can be answered: refs and topic are bounded JSON texts, and a reply carries them unchanged. */
function checkDecoded(version: Version, message: ClientMessage | null): void {
  if (message === null) return
  assert.deepEqual(Object.keys(message).sort(), ['event', 'joinRef', 'payload', 'ref', 'topic'])
  const { joinRef, ref, topic, event, payload } = message
  assert.equal(event === null || typeof event === 'string', true, 'the event is a string or null')
  assert.notEqual(payload, undefined)
  assert.equal(Math.max(joinRef.length, ref.length) <= REF_LENGTH, true, 'refs are bounded')
  assert.equal(topic.length <= TOPIC_LENGTH, true, 'the topic is bounded')
  const text = encode(version, { joinRef, ref, topic, event: 'phx_reply', payload: '{}' })
  const sent = JSON.parse(text)
  assert.equal(JSON.stringify(sent), text, 'compact and canonical')
  const back = version === 2 ? sent : [JSON.parse(joinRef), sent.ref, sent.topic, sent.event, sent.payload]
  assert.deepEqual(
    back.map((value: unknown) => JSON.stringify(value)),
    [joinRef, ref, topic, '"phx_reply"', '{}'],
  )
}

const version = fc.constantFrom(...VERSIONS)
/** What a client may well send in a place where it does not belong. */
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('1', 1, null, 'phoenix', 'tokens:live', 'phx_join', 'heartbeat', {}),
)

test('any text is decoded to null or to a message', () => {
  const keys = fc.constantFrom('topic', 'event', 'payload', 'ref', 'join_ref', '__proto__', 'toJSON')
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.array(anyValue, { minLength: 3, maxLength: 7 }).map((values) => JSON.stringify(values)),
    fc.array(fc.tuple(keys, anyValue), { maxLength: 8 }).map((pairs) => JSON.stringify(Object.fromEntries(pairs))),
  )
  let messages = 0
  const look = (which: Version, from: string) => {
    const message = decodeText(which, from)
    if (message !== null) messages++
    checkDecoded(which, message)
  }
  fc.assert(fc.property(version, text, look), { numRuns: 4_000 })
  assert.equal(messages > 100, true, `${messages} were messages`)
})

test('any bytes are decoded to null or to a message', () => {
  const part = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('1', 'phoenix', 'heartbeat'))
  const whole = fc
    .tuple(part, part, part, part, fc.string())
    .map(([joinRef, ref, topic, event, data]) => binaryPush(joinRef, ref, topic, event, data))
  const mutated = fc
    .tuple(whole, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }), fc.nat(9))
    .map(([bytes, changes, cut]) => {
      for (const [at, byte] of changes) bytes[at % Math.min(bytes.length, 12)] = byte
      return bytes.subarray(0, cut < 7 ? bytes.length : Math.floor((bytes.length * (cut - 6)) / 4))
    })
  const json = fc.tuple(anyValue, anyValue).map(([ref, topic]) => JSON.stringify({ ref, topic, event: '', payload: 0 }))
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 600 }).map((array) => Buffer.from(array)),
    whole,
    mutated,
    json.map((text) => Buffer.from(text)),
  )
  let messages = 0
  const look = (which: Version, from: Buffer) => {
    const message = decodeBinary(which, from)
    if (message !== null) messages++
    checkDecoded(which, message)
  }
  fc.assert(fc.property(version, bytes, look), { numRuns: 4_000 })
  assert.equal(messages > 100, true, `${messages} were messages`)
})

/** Any UTF-16 at all, also halves of surrogate pairs; at most 40 units, so that the JSON text stays within the bound. */
const anyString = fc.oneof(
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u2028', 'é', '\u{1f600}', 'a'), maxLength: 20 }),
)

test('refs and topics come back as they were sent', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  const ref = fc.oneof(anyString, number, fc.integer(), fc.maxSafeInteger(), fc.constantFrom(null, true, [1, ['2']]))
  const look = (which: Version, values: [unknown, unknown, unknown]) => {
    const [joinRef, ref, topic] = values.map((value) => JSON.stringify(value)) as [string, string, string]
    const message = decodeText(which, frame(which, joinRef, ref, topic, '"e"', '{"a":1}'))
    assert.deepEqual(message, { joinRef, ref, topic, event: 'e', payload: { a: 1 } })
    const sent = encode(which, { joinRef, ref, topic, event: 'é"', payload: '{"a":1}' })
    assert.equal(
      sent,
      which === 2
        ? `[${joinRef},${ref},${topic},"é\\"",{"a":1}]`
        : `{"topic":${topic},"event":"é\\"","payload":{"a":1},"ref":${ref}}`,
    )
    assert.equal(Buffer.from(sent).toString(), sent, 'fit for UTF-8')
  }
  fc.assert(fc.property(version, fc.tuple(ref, ref, ref), look), { numRuns: 2_000 })
})

test('strings of binary frames come back as they were sent', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 })
  const look = (joinRef: string, ref: string, topic: string, event: string) => {
    assert.deepEqual(decodeBinary(2, binaryPush(joinRef, ref, topic, event, 'x')), {
      joinRef: JSON.stringify(joinRef),
      ref: JSON.stringify(ref),
      topic: JSON.stringify(topic),
      event,
      payload: null,
    })
  }
  fc.assert(fc.property(text, text, text, text, look), { numRuns: 1_000 })
  const long = 'x'.repeat(255)
  assert.equal(decodeBinary(2, binaryPush(long, long, long, long))?.joinRef, `"${long}"`)
  assert.equal(decodeBinary(2, binaryPush('\ufeff', '', '', ''))?.joinRef, '"\ufeff"', 'a BOM is a character')
  assert.equal(decodeBinary(2, binaryPush('"'.repeat(255), '1', 'phoenix', 'heartbeat')), null)
})

test('the bounds of refs and topics', () => {
  const ofLength = (length: number) => `"${'x'.repeat(length - 2)}"`
  for (const which of VERSIONS) {
    const decodes = (joinRef: string, ref: string, topic: string) =>
      decodeText(which, frame(which, joinRef, ref, topic, '"e"', '0')) !== null
    const ref = ofLength(257)
    const topic = ofLength(TOPIC_LENGTH)
    assert.equal(decodes(ref, ref, topic), true, 'the longest')
    assert.equal(decodes(ofLength(258), ref, topic), false, 'join_ref')
    assert.equal(decodes(ref, ofLength(258), topic), false, 'ref')
    assert.equal(decodes(ref, ref, ofLength(TOPIC_LENGTH + 1)), false, 'topic')
    // no JSON text says what these were: echoed, they would be null
    assert.equal(decodes('1e999', '1', topic), false, 'no number')
    assert.equal(decodes('"\\u0022"', '"1"', '"\\u0074okens:live"'), true, 'escapes')
    assert.equal(decodeText(which, frame(which, '0', '1.0', '"\\u0074"', '"e"', '0'))?.topic, '"t"')
  }
})

test('what is nested deep does not throw', () => {
  const open = 32 << 10
  for (const deep of [`${'['.repeat(open)}${']'.repeat(open)}`, `${'{"a":'.repeat(9_000)}0${'}'.repeat(9_000)}`]) {
    for (const which of VERSIONS) {
      assert.equal(decodeText(which, frame(which, deep, '1', '"t"', '"e"', '{}')), null, 'join_ref')
      assert.equal(decodeText(which, frame(which, '1', deep, '"t"', '"e"', '{}')), null, 'ref')
      assert.equal(decodeText(which, frame(which, '1', '1', deep, '"e"', '{}')), null, 'topic')
      // never written out, so its depth does not matter
      assert.equal(decodeText(which, frame(which, '1', '1', '"t"', deep, deep))?.event, null, 'event and payload')
      assert.equal(decodeText(which, deep), null, 'the frame itself')
      assert.equal(decodeText(which, '['.repeat(64 << 10)), null, 'never closed')
    }
  }
})
