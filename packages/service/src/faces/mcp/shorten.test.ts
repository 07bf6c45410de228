import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANSWER_BYTES } from '@ti/core/contract/tools.ts'
import { type Answer, envelope } from '@ti/core/query/envelope.ts'
import { shortened } from './shorten.ts'

const MORE = 'ask for more'
const answerOf = (data: unknown, summary?: object): Answer =>
  envelope(
    { bytes: Buffer.from(JSON.stringify(data)), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 5 },
    'req_1',
    ',"page":{"limit":50}',
    summary && Buffer.from(JSON.stringify(summary)),
  )

interface Read {
  readonly data: unknown
  readonly summary?: unknown
  readonly meta: { readonly request_id: string; readonly page: object; readonly left_out?: Record<string, unknown> }
}
const read = ({ body }: Answer): Read => JSON.parse(Buffer.from(body, 'latin1').toString())
const item = (no: number) => ({
  no,
  name: `“${no}” 😀`,
  description: 'buy me',
  website: 'https://x.example',
  wide: 'x'.repeat(200),
})

test('what fits is the same answer', () => {
  for (const data of [[], { a: 1 }, Array.from({ length: 40 }, (_, no) => item(no))]) {
    const answer = answerOf(data)
    assert.ok(answer.body.length < ANSWER_BYTES)
    assert.equal(shortened(answer, null, MORE), answer)
  }
  const long = answerOf(Array(4_000).fill('word'))
  assert.equal(shortened(long, Infinity, MORE), long)
})

test('what does not fit is cut until it does, and says where; the second time from memory', () => {
  const answer = answerOf({ rows: Array.from({ length: 100 }, (_, no) => item(no)), few: [1, 2] }, { total: 100 })
  const once = shortened(answer, null, MORE)
  assert.ok(once.body.length < ANSWER_BYTES)
  const { data, summary, meta } = read(once)
  const { rows, few } = data as { rows: object[]; few: number[] }
  const { no, name, wide } = item(rows.length - 1)
  assert.deepEqual(rows.at(-1), { no, name, wide })
  assert.ok(rows.length >= 30)
  assert.deepEqual([few, summary, meta.page, meta.request_id], [[1, 2], { total: 100 }, { limit: 50 }, 'req_1'])
  assert.deepEqual(meta.left_out, {
    lists: { 'data.rows': `the first ${rows.length} of 100` },
    fields: ['description', 'website'],
    more: MORE,
  })
  const again = shortened(answer, null, MORE)
  assert.equal(again.forms, once.forms)
  assert.equal(again.body, once.body)
  // a stored answer of a paid call has no parts
  assert.equal(shortened({ ...answer, forms: null, end: '' }, null, MORE).body, once.body)
})

test('a limit is that of each list, also of a short answer; what is whole says nothing', () => {
  const answer = answerOf([{ inner: [1, 2, 3] }, { inner: [1] }, { inner: [] }])
  const { data, meta } = read(shortened(answer, 2, MORE))
  assert.deepEqual(data, [{ inner: [1, 2] }, { inner: [1] }])
  assert.deepEqual(meta.left_out, {
    lists: { data: 'the first 2 of 3', 'data[].inner': 'the first 2 of up to 3' },
    more: MORE,
  })
  assert.deepEqual(read(shortened(answer, 3, MORE)), read(answer))
})

test('every answer can be made to fit', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 12 }, (_, no) => [`list_${no}`, Array(100).fill('é'.repeat(300))]),
  )
  const { body } = shortened(answerOf(wide), null, MORE)
  assert.ok(body.length < ANSWER_BYTES, `${body.length}`)
})
