import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../../test/support/property.ts'
import { createWheel } from './wheel.ts'

test('an item is first visited a whole turn after it came, then once a turn', () => {
  const visited: string[] = []
  const wheel = createWheel<string>(3, (item) => visited.push(item))
  const turn = () => {
    visited.length = 0
    for (let i = 0; i < 3; i++) {
      wheel.tick()
      visited.push('|')
    }
    return visited.join('')
  }
  wheel.tick()
  wheel.add('a')
  wheel.add('a')
  assert.equal(turn(), '||a|')
  wheel.tick()
  wheel.add('b')
  assert.equal(turn(), '|a|b|')
  wheel.remove('a')
  wheel.remove('a')
  wheel.remove('never there')
  assert.equal(turn(), '||b|')
})

test('a visit may remove the item itself and its neighbours', () => {
  const visited: string[] = []
  const wheel = createWheel<string>(1, (item) => {
    visited.push(item)
    if (item !== 'c') for (const gone of ['a', 'b']) wheel.remove(gone)
  })
  for (const item of ['a', 'b', 'c']) wheel.add(item)
  wheel.tick()
  wheel.tick()
  assert.deepEqual(visited, ['a', 'c', 'c'])
})

test('whatever comes and goes, a turn visits each that was there throughout exactly once', () => {
  const moves = fc.array(fc.tuple(fc.constantFrom('add', 'remove', 'tick'), fc.nat(9)), { maxLength: 60 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), moves, (slots, all) => {
      let visits: number[] = []
      const wheel = createWheel<number>(slots, (item) => visits.push(item))
      const there = new Set<number>()
      for (const [move, item] of all) {
        if (move === 'tick') wheel.tick()
        else {
          wheel[move as 'add' | 'remove'](item)
          if (move === 'add') there.add(item)
          else there.delete(item)
        }
      }
      visits = []
      for (let i = 0; i < slots; i++) wheel.tick()
      assert.deepEqual(
        visits.sort((a, b) => a - b),
        [...there].sort((a, b) => a - b),
      )
    }),
  )
})
