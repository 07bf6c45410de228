import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame } from '@ti/core/contract/streams.ts'
import { createCaps } from './caps.ts'

function scene() {
  let now = 0
  const planned: { at: number; call: () => void }[] = []
  const caps = createCaps({ now: () => now, later: (ms, call) => void planned.push({ at: now + ms, call }) })
  return {
    caps,
    pass(ms: number) {
      now += ms
      for (const { call } of planned.splice(0).filter(({ at }) => at <= now || !planned.push({ at, call: () => {} })))
        call()
    },
  }
}

const frame = (mint: string, ...mcaps: number[]): Frame =>
  ({ data: { mint, trades: mcaps.map((mcap) => ({ mcap })) } }) as unknown as Frame

test('a cell gets the newest market cap of its token once for several frames, and what was known before it', () => {
  const { caps, pass } = scene()
  const seen: number[] = []
  caps.frame(frame('a', 1, 2))
  const stop = caps.watch('a', ({ usd }) => seen.push(usd))
  assert.deepEqual(seen, [2], 'known before')
  caps.frame(frame('a', 3))
  caps.frame(frame('a', 4))
  caps.frame(frame('b', 9))
  caps.frame(frame('a'))
  assert.deepEqual(seen, [2])
  pass(400)
  assert.deepEqual(seen, [2, 4])
  stop()
  caps.frame(frame('a', 5))
  pass(400)
  assert.deepEqual(seen, [2, 4])
})

test('before one paint at most 24 tokens are written, the rest before the next ones', () => {
  const { caps, pass } = scene()
  let writes = 0
  for (let i = 0; i < 30; i++) caps.watch(`${i}`, () => writes++)
  for (let i = 0; i < 30; i++) caps.frame(frame(`${i}`, 1))
  pass(400)
  assert.equal(writes, 24)
  pass(0)
  assert.equal(writes, 30)
})
