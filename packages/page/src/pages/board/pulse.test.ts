import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame, TokenEvent } from '@ti/core/contract/streams.ts'
import { type Beat, createPulse, newerCap, withLaunch } from './pulse.ts'

const frame = (mint: string, mcap: number, ...buys: boolean[]): Frame =>
  ({ data: { mint, trades: buys.map((is_buy) => ({ is_buy, mcap })) } }) as unknown as Frame

/** A clock that the test moves. */
function surroundings() {
  let now = 1_000_000_000
  let calls: (() => void)[] = []
  return {
    now: () => now,
    later: (_: number, call: () => void) => void calls.push(call),
    planned: () => calls.length,
    pass(ms: number) {
      now += ms
      const due = calls
      calls = []
      for (const call of due) call()
    },
  }
}

test('many frames are one writing of the newest', () => {
  const around = surroundings()
  const pulse = createPulse(around)
  const seen: Beat[] = []
  pulse.watch('a', (beat) => seen.push(beat))
  for (let i = 0; i < 50; i += 1) pulse.frame(frame('a', 100 + i, true))
  pulse.frame(frame('a', 90, false, true))
  assert.equal(around.planned(), 1)
  assert.equal(seen.length, 1, 'only what was known when it began to watch')
  around.pass(400)
  assert.equal(seen.length, 2)
  assert.deepEqual({ ...seen[1], at: 0 }, { mcap: 90, at: 0, buys: 51, sells: 1 })
})

test('trades leave the minute again, and what nobody watches is forgotten', () => {
  const around = surroundings()
  const pulse = createPulse(around)
  let last: Beat | null = null
  pulse.watch('a', (beat) => {
    last = beat
  })
  pulse.frame(frame('a', 5, true))
  pulse.frame(frame('b', 7, true))
  around.pass(400)
  assert.equal(last!.buys, 1)
  around.pass(70_000)
  pulse.frame(frame('c', 1, true))
  around.pass(400)
  assert.deepEqual([last!.buys, last!.mcap], [0, 5])
  let other: Beat | null = null
  pulse.watch('b', (beat) => {
    other = beat
  })
  assert.equal(other!.mcap, null)
})

test('who stopped watching is not called', () => {
  const around = surroundings()
  const pulse = createPulse(around)
  let calls = 0
  const stop = pulse.watch('a', () => {
    calls += 1
  })
  pulse.frame(frame('a', 5, true))
  stop()
  around.pass(400)
  assert.equal(calls, 1)
})

test('the newer market cap counts', () => {
  const beat = (at: number): Beat => ({ mcap: 7, at, buys: 0, sells: 0 })
  assert.equal(newerCap(5, 10_000, beat(10_500)), 7)
  assert.equal(newerCap(5, 10_000, beat(2_000)), 5)
  assert.equal(newerCap(5, 10_000, { ...beat(20_000), mcap: null }), 5)
})

test('launches: newest first, each once, few', () => {
  const created = (mint: string) =>
    ({ type: 'token_created', data: { mint, symbol: mint, name: mint, deployed_at: null } }) as unknown as TokenEvent
  let launches: ReturnType<typeof withLaunch> = []
  for (const mint of ['a', 'b', 'b', 'c', 'd', 'e']) launches = withLaunch(launches, created(mint), 1)
  assert.equal(launches.map(({ mint }) => mint).join(''), 'edcb')
  assert.equal(withLaunch(launches, { type: 'token_dex_paid', data: {} } as TokenEvent, 1), launches)
})
