import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RawBlock } from '@ti/core/model/raw.ts'
import fc from '../../../../../test/support/property.ts'
import type { SourceItem } from '../source.ts'
import { createSlotOrder } from './slot-order.ts'

const block = (slot: number, parent: number, time = slot): RawBlock => ({ slot, parent, time, transactions: [] })
const shown = (items: readonly SourceItem[]) =>
  items.map((it) => (it.kind === 'raw' ? it.block.slot : it.kind === 'gap' ? [it.from, it.to] : it))

test('a parent that was not had is the end of a gap; skipped slots are none', () => {
  const order = createSlotOrder({ slot: 10, time: 5 })
  assert.deepEqual(shown(order.take(block(13, 10))), [13])
  assert.deepEqual(shown(order.take(block(20, 17))), [[14, 17], 20])
  assert.deepEqual(shown(order.take(block(20, 17))), [], 'once')
  order.giveUp(21)
  assert.deepEqual(shown(order.take(block(22, 20))), [22], 'what was given up did not exist')
  assert.equal(order.missing, 4)
  assert.equal(order.reach, 22)
})

test('without a parent the gap is what was given up', () => {
  const order = createSlotOrder({ slot: 10, time: 5 })
  for (const slot of [11, 12, 15]) order.giveUp(slot)
  order.giveUp(16, 19)
  assert.deepEqual(shown(order.take(block(18, -1, 0))), [[11, 12], [15, 17], 18])
  const last = order.take(block(19, -1, 0))[0]
  assert.ok(last?.kind === 'raw' && last.block.time === 5, 'a block without a time is as old as the one before')
  order.giveUp(20, 25)
  assert.deepEqual(order.end(), [{ kind: 'gap', from: 20, to: 25 }])
})

test('an empty store begins anywhere', () => {
  assert.deepEqual(shown(createSlotOrder({ slot: -1, time: 0 }).take(block(9, 8))), [9])
})

test('against a model: every block that exists is had or in a gap, in order, and no skipped stretch alone is a gap', () => {
  const scene = fc.array(fc.record({ skip: fc.nat(3), had: fc.boolean() }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(scene, (steps) => {
      const order = createSlotOrder({ slot: 100, time: 1 })
      const items: SourceItem[] = []
      const exist: number[] = []
      let slot = 100
      for (const { skip, had } of [...steps, { skip: 0, had: true }]) {
        const parent = slot
        slot += 1 + skip
        exist.push(slot)
        if (had) items.push(...order.take(block(slot, parent)))
      }
      let reached = 100
      const covered = new Set<number>()
      for (const item of items) {
        const [from, to] =
          item.kind === 'gap' ? [item.from, item.to] : item.kind === 'raw' ? [item.block.slot, item.block.slot] : [0, 0]
        assert.ok(from > reached && to >= from, 'order')
        reached = to
        for (let at = from; at <= to; at++) covered.add(at)
        if (item.kind === 'gap')
          assert.ok(
            exist.some((one) => one >= from && one <= to),
            'a gap of nothing',
          )
      }
      for (const one of exist) assert.ok(covered.has(one), `slot ${one}`)
    }),
  )
})
