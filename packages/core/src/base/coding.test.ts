import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, inflateRawSync } from 'node:zlib'
import { begin, CODINGS, type Coding, finish } from './coding.ts'

const undo = { br: brotliDecompressSync, gzip: gunzipSync } as const
const coded = (coding: Coding, beginning: Buffer, end: string): Buffer =>
  Buffer.from(finish(coding, begin(coding, beginning), end), 'latin1')

for (const coding of CODINGS) {
  test(`${coding}: a beginning and an end are one stream, whatever their lengths`, () => {
    for (const length of [0, 1, 2, 1_000, 65_535, 65_536, 300_000]) {
      for (const text of [Buffer.alloc(length, 'ab'), randomBytes(length)]) {
        for (const ending of [1, 2, 127, 8_192, 65_535]) {
          const end = latin1(randomBytes(ending))
          const whole = undo[coding](coded(coding, text, end))
          assert.ok(whole.equals(Buffer.concat([text, Buffer.from(end, 'latin1')])), `${length} and ${ending}`)
        }
      }
    }
  })

  test(`${coding}: one beginning takes many ends; an end it cannot hold is refused`, () => {
    const beginning = begin(coding, Buffer.from('{"data":[1,2,3]'))
    for (const end of ['}', ',"meta":{}}', ',"meta":{"x":"ÿ"}}']) {
      assert.equal(latin1(undo[coding](Buffer.from(finish(coding, beginning, end), 'latin1'))), `{"data":[1,2,3]${end}`)
    }
    assert.throws(() => finish(coding, beginning, ''), RangeError)
    assert.throws(() => finish(coding, beginning, 'x'.repeat(65_536)), RangeError)
  })
}

test('gzip is one member, as browsers read no second one, and gzip itself finds nothing wrong with it', () => {
  const bytes = coded('gzip', Buffer.from('a'.repeat(5_000)), 'the end')
  assert.equal(inflateRawSync(bytes.subarray(10, -8)).toString(), `${'a'.repeat(5_000)}the end`)
  const checked = spawnSync('gzip', ['-dc'], { input: bytes })
  assert.equal(checked.stdout.toString(), `${'a'.repeat(5_000)}the end`)
  assert.equal(checked.stderr.toString(), '')
})

function latin1(bytes: Buffer): string {
  return bytes.toString('latin1')
}
