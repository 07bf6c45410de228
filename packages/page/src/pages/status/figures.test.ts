import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppStatus } from '@ti/core/contract/app.ts'
import { perSecond, stateInWords, summaryOf, ticksOf, unknownWords, wordOf } from './figures.ts'

test('counts become rates by the time that passed', () => {
  assert.deepEqual(perSecond([4, 0, 5], [100, 102, 104]), [null, 0, 2.5])
  assert.deepEqual(perSecond([4, 10], [100, 120]), [null, 0.5])
  assert.deepEqual(perSecond([4, 10], [100, 100]), [null, null])
})

test('the axis has whole minutes', () => {
  assert.deepEqual(
    ticksOf(1_000, 1_600).map(({ at }) => at),
    [1_080, 1_260, 1_440],
  )
  assert.deepEqual(
    ticksOf(1_000, 1_130).map(({ at }) => at),
    [1_020, 1_080],
  )
  assert.deepEqual(ticksOf(1_000, 1_010), [])
})

test('the state in one sentence', () => {
  const status = { ready: true, reason: null, lag_slots: 1, uptime_s: 7_200, tokens_live: 1 } as AppStatus
  assert.equal(stateInWords(status), 'Ready and 0 s behind the chain. It follows 1 live token and has run for 2 h.')
  assert.match(stateInWords({ ...status, lag_slots: null }), /unknown distance/)
  assert.equal(stateInWords({ ...status, ready: false }), 'Not ready: the service is starting.')
})

test('a line in words, also where nothing is known', () => {
  assert.deepEqual(summaryOf([3, null, 1, 2]), { now: 2, lowest: 1, highest: 3 })
  assert.deepEqual(summaryOf([3, null]), { now: null, lowest: 3, highest: 3 })
  assert.deepEqual(summaryOf([null]), { now: null, lowest: null, highest: null })
})

test('names of counters are words', () => {
  assert.equal(wordOf('reconnects_total'), 'Reconnects total')
})

test('what cannot be read is named by the program and its own word for it, else by its first bytes', () => {
  const kind = { program: 'pump', what: 'event', why: 'unknown', name: '', count: 3, last_slot: 9 } as const
  const of = (rest: object) => unknownWords({ ...kind, discriminator: '6fb06d8b316cd5fb', length: 232, ...rest })
  assert.equal(of({}), 'pump event 6fb06d8b316cd5fb, 232 bytes: not known')
  assert.equal(
    of({ name: 'TradeEvent', why: 'length', length: 406 }),
    'pump TradeEvent, 406 bytes: length differs from every known layout',
  )
  assert.equal(of({ length: -1 }), 'pump event 6fb06d8b316cd5fb, several lengths: not known')
  assert.equal(of({ discriminator: '', length: -1 }), 'pump: other events')
})
