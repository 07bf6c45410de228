import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Counts, createCounts } from '@ti/core/base/counts.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import fc from '../../../../../test/support/property.ts'
import { createReorderBuffer, type ReorderBuffer } from './reorder-buffer.ts'

const START = 100
const NEVER = (): boolean => false
const block = (slot: number, parent: number): RawBlock => ({ slot, parent, time: 0, transactions: [] })

/** The same by the plainest means: everything is looked up among all that waits, each time anew. */
function createModel(counts: Counts) {
  let settled = START
  let gap: [number, number] | null = null
  let waiting: { slot: number; parent: number; bytes: number }[] = []
  const skipped = new Set<number>()
  const bytes = (): number => waiting.reduce((sum, one) => sum + one.bytes, 0)
  const above = (slot: number) => waiting.filter((one) => one.slot > slot).sort((a, b) => a.slot - b.slot)[0]
  const linked = (): number => {
    let at = settled
    for (let one = above(at); one !== undefined && one.parent <= at; one = above(at)) at = one.slot
    return at
  }
  const count = (name: string, by: number): void => {
    if (by > 0) counts.set(name, (counts.get(name) ?? 0) + by)
  }
  return {
    bytes,
    settled: () => settled,
    offer(slot: number, parent: number, size: number, most: number, urgent: boolean) {
      if (slot <= settled || waiting.some((one) => one.slot === slot)) return 'old'
      if (waiting.some((one) => one.slot > slot && one.parent < slot)) {
        count('orphans', 1)
        return 'old'
      }
      while (urgent && bytes() + size > most && waiting.some((one) => one.slot > slot)) {
        const highest = Math.max(...waiting.map((one) => one.slot))
        if (bytes() <= most - size) break
        waiting = waiting.filter((one) => one.slot !== highest)
      }
      if (bytes() + size > most && !(parent <= settled && bytes() <= most)) return 'full'
      const orphans = waiting.filter((one) => one.slot > parent && one.slot < slot)
      count('orphans', orphans.length)
      waiting = [...waiting.filter((one) => !orphans.includes(one)), { slot, parent, bytes: size }]
      return 'taken'
    },
    drop(slot: number) {
      waiting = waiting.filter((one) => one.slot !== slot)
    },
    skip: (slot: number) => void skipped.add(slot),
    next(): string {
      if (gap !== null) {
        const itemsOf = `gap ${gap.join('-')}`
        gap = null
        return itemsOf
      }
      const first = above(settled)
      if (first === undefined || first.parent > settled) return 'nothing'
      settled = first.slot
      waiting = waiting.filter((one) => one !== first)
      return `block ${first.slot} ${first.parent}`
    },
    hole() {
      const one = above(linked())
      return one === undefined ? null : { from: linked() + 1, to: one.parent }
    },
    wanted(last: number): number[] {
      const slots: number[] = []
      for (let slot = linked() + 1; slot <= last; slot++) {
        const after = above(slot - 1)
        if (after === undefined || after.slot === slot || after.parent < slot) continue
        if (after.parent === slot || !skipped.has(slot)) slots.push(slot)
      }
      return slots
    },
    giveUp(to: number): boolean {
      const first = above(settled)
      if (gap !== null || first === undefined || first.parent <= settled || waiting.length < 2) return false
      const end = Math.min(to, first.parent)
      let from = settled + 1
      while (from < end && skipped.has(from)) from++
      if (from > end) return false
      gap = [from, end]
      settled = end
      return true
    },
  }
}

type Op =
  | {
      readonly kind: 'offer'
      readonly slot: number
      readonly back: number
      readonly size: number
      readonly urgent: boolean
    }
  | { readonly kind: 'drop' | 'skip' | 'giveUp'; readonly slot: number }
  | { readonly kind: 'next' }

const slots = fc.integer({ min: START - 3, max: START + 24 })
const ops: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('offer' as const),
      slot: slots,
      back: fc.constantFrom(1, 1, 1, 2, 3, 5),
      size: fc.integer({ min: 1, max: 10 }),
      urgent: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('next' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('drop', 'skip', 'giveUp'), slot: slots }) as fc.Arbitrary<Op>,
  },
)

const itemsOf = (buffer: ReorderBuffer): string => {
  const item = buffer.next()
  if (item === null) return 'nothing'
  return item.kind === 'gap' ? `gap ${item.from}-${item.to}` : `block ${item.block.slot} ${item.block.parent}`
}

test('the chain does what the slow model does', () => {
  const most = 40
  fc.assert(
    fc.property(fc.array(ops, { maxLength: 120 }), (steps) => {
      const counts = createCounts()
      const expected = createCounts()
      const buffer = createReorderBuffer(START, counts)
      const model = createModel(expected)
      for (const op of steps) {
        if (op.kind === 'offer') {
          const { slot, back, size, urgent } = op
          const answer = buffer.offer(block(slot, slot - back), size, most, urgent)
          assert.equal(answer, model.offer(slot, slot - back, size, most, urgent))
        } else if (op.kind === 'next') assert.equal(itemsOf(buffer), model.next())
        else if (op.kind === 'giveUp') assert.equal(buffer.giveUp(op.slot), model.giveUp(op.slot))
        else if (op.kind === 'drop') {
          buffer.drop(op.slot)
          model.drop(op.slot)
        } else if (op.slot > buffer.settled) {
          buffer.skip(op.slot)
          model.skip(op.slot)
        }
        assert.equal(buffer.settled, model.settled())
        assert.equal(buffer.heldBytes, model.bytes())
        assert.deepEqual(buffer.hole(), model.hole())
        assert.deepEqual(buffer.wanted(1_000, START + 15, NEVER), model.wanted(START + 15))
        assert.equal(counts.get('orphans'), expected.get('orphans'))
        assert.ok(buffer.heldBytes <= most + 10, `${buffer.heldBytes} bytes are held`)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('in whatever order and however often blocks come, each is emitted once and in order', () => {
  const input = fc.record({
    skips: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 30 }),
    order: fc.array(fc.nat(), { maxLength: 150 }),
    dead: fc.array(slots, { maxLength: 5 }),
  })
  fc.assert(
    fc.property(input, ({ skips, order, dead }) => {
      const blocks: RawBlock[] = []
      for (const skip of skips) {
        const parent = blocks.at(-1)?.slot ?? START
        blocks.push(block(parent + 1 + skip, parent))
      }
      const buffer = createReorderBuffer(START, createCounts())
      const seen: string[] = []
      const drain = (): void => {
        for (let item = itemsOf(buffer); item !== 'nothing'; item = itemsOf(buffer)) seen.push(item)
      }
      // in any order, with some said to be dead that come again
      for (const [i, n] of order.entries()) {
        buffer.offer(blocks[n % blocks.length]!, 1, 1_000)
        if (i < dead.length) buffer.drop(dead[i]!)
        if (n % 3 === 0) drain()
      }
      for (const one of blocks) buffer.offer(one, 1, 1_000)
      drain()
      assert.deepEqual(
        seen,
        blocks.map(({ slot, parent }) => `block ${slot} ${parent}`),
      )
      assert.equal(buffer.heldBytes, 0)
    }),
    { numRuns: 1_000 },
  )
})

test('an empty store begins with whatever block comes first', () => {
  const buffer = createReorderBuffer(-1, createCounts())
  assert.equal(buffer.offer(block(500, 499), 1, 10), 'taken')
  assert.equal(itemsOf(buffer), 'block 500 499')
  assert.equal(buffer.offer(block(499, 498), 1, 10), 'old')
  assert.equal(buffer.offer(block(503, 501), 1, 10), 'taken')
  assert.deepEqual(buffer.hole(), { from: 501, to: 501 })
})
