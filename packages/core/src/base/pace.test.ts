import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPace } from './pace.ts'

const after = (units: number, ms: number): number => {
  const pace = createPace({ first: units, most: 4_000, targetMs: 5 })
  pace.took(units, ms)
  return pace.units()
}

test('pieces get shorter where they take longer than they should, and longer again, within bounds', () => {
  assert.equal(after(1_000, 5), 1_000)
  assert.equal(after(1_000, 6.25), 800)
  assert.equal(after(1_000, 400), 500)
  assert.equal(after(1_000, 4), 1_250)
  assert.equal(after(1_000, 0), 2_000)
  assert.equal(after(4_000, 1), 4_000)
  assert.equal(after(1, 400), 1)
  const pace = createPace({ first: 4_000, most: 4_000, targetMs: 5 })
  for (let i = 0; i < 20; i++) pace.took(pace.units(), pace.units() * 0.01)
  assert.equal(pace.units(), 500, 'a machine on which a unit takes 10 µs')
})

test('a piece that ended early makes no longer ones, but it may make shorter ones', () => {
  const pace = createPace({ first: 32, most: 256, targetMs: 5 })
  for (let i = 0; i < 20; i++) pace.took(3, 0.1)
  assert.equal(pace.units(), 32)
  pace.took(64, 2.5)
  assert.equal(pace.units(), 128, 'a longer piece than was asked for tells as much')
  pace.took(12, 10)
  assert.equal(pace.units(), 6)
  assert.equal(createPace({ first: 32, most: 8, targetMs: 5 }).units(), 8)
})
