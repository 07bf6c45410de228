import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { createAgenda } from './agenda.ts'

test('gives slots in order, tokens of one slot ascending and once', () => {
  const entry = fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 9 }))
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const agenda = createAgenda()
      for (const [slot, token] of entries) agenda.add(slot, token)
      const taken: number[][] = []
      while (agenda.next() !== Number.POSITIVE_INFINITY) taken.push([agenda.next(), ...agenda.take()])
      const expected = [...new Set(entries.map(([slot]) => slot))]
        .sort((a, b) => a - b)
        .map((slot) => [
          slot,
          ...[...new Set(entries.filter(([s]) => s === slot).map(([, token]) => token))].sort((a, b) => a - b),
        ])
      assert.deepEqual(taken, expected)
    }),
  )
})

test('an entry added while running is found', () => {
  const agenda = createAgenda()
  agenda.add(10, 1)
  agenda.add(30, 3)
  assert.deepEqual(agenda.take(), [1])
  agenda.add(20, 2)
  assert.equal(agenda.next(), 20)
})
