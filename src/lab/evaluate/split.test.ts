import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { SLOTS } from '../../engine/constants.ts'
import { splitByTime } from './split.ts'

test('twelve days: 60/20/20 with a full day of embargo before each boundary', () => {
  const span = 12 * SLOTS.day
  const slots = Array.from({ length: 1200 }, (_, i) => 500 + Math.floor((span * i) / 1200))
  const { parts, boundaries, embargoSlots, shortened } = splitByTime(slots)
  assert.equal(embargoSlots, SLOTS.day)
  assert.equal(shortened, false)
  const count = (part: string | null): number => parts.filter((p) => p === part).length
  assert.deepEqual([count('train'), count('validate'), count('test'), count(null)], [620, 140, 240, 200])
  slots.forEach((slot, i) => {
    if (parts[i] === 'train') assert.ok(slot < boundaries[0] - SLOTS.day)
    if (parts[i] === 'test') assert.ok(slot >= boundaries[1])
  })
})

test('a day: the embargo is a tenth of the span, and the split says so', () => {
  const slots = Array.from({ length: 100 }, (_, i) => i * 2160)
  const { embargoSlots, shortened, parts } = splitByTime(slots)
  assert.equal(embargoSlots, Math.floor((99 * 2160 + 1) / 10))
  assert.equal(shortened, true)
  for (const part of ['train', 'validate', 'test']) assert.ok(parts.includes(part as 'train'))
})

test('nothing of an earlier part was created within the embargo of a later one', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5_000_000 }), { maxLength: 60 }), (slots) => {
      const { parts, embargoSlots } = splitByTime(slots)
      const of = (part: string): number[] => slots.filter((_, i) => parts[i] === part)
      for (const [early, late] of [
        ['train', 'validate'],
        ['train', 'test'],
        ['validate', 'test'],
      ] as const) {
        for (const a of of(early)) for (const b of of(late)) assert.ok(b - a > embargoSlots)
      }
    }),
  )
})

test('no tokens, no parts', () => {
  assert.deepEqual(splitByTime([]).parts, [])
})
