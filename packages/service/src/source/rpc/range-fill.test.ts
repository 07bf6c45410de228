import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCounts } from '@ti/core/base/counts.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import { createRangeFill } from './range-fill.ts'
import { createSlotOrder } from './slot-order.ts'

/** A chain from slot 100 on, in which every fifth slot is skipped, and a node that leaves `unlisted` out of its lists. */
function scene(unlisted: readonly number[], from = 100) {
  const isSkipped = (slot: number): boolean => slot % 5 === 3
  const blockAt = (slot: number): RawBlock => {
    const parent = isSkipped(slot - 1) ? slot - 2 : slot - 1
    return { slot, parent, time: slot, transactions: [] }
  }
  const asked: number[] = []
  const order = createSlotOrder({ slot: from - 1, time: 0 })
  const rangeFill = createRangeFill({
    order,
    counts: createCounts(),
    signal: new AbortController().signal,
    clock: { now: () => 0 },
    retry: async () => false,
    fetcher: {
      async fetch(slot) {
        asked.push(slot)
        return isSkipped(slot) ? 'skipped' : blockAt(slot)
      },
      async produced(from, to) {
        const all = Array.from({ length: to - from + 1 }, (_, i) => from + i)
        return all.filter((slot) => !isSkipped(slot) && !unlisted.includes(slot))
      },
    },
  })
  const slots: number[] = []
  const note = async (items: ReturnType<typeof rangeFill.fill>): Promise<void> => {
    for await (const item of items) slots.push(item.kind === 'raw' ? item.block.slot : -1)
  }
  return { note, rangeFill, slots, asked, isSkipped, blockAt }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('a list that leaves something out, in its middle or at its end: nothing is missing, nothing comes twice', async () => {
  for (const unlisted of [[104], [119], [118, 119], [116, 117], [100], range(100, 119)]) {
    const { note, rangeFill, slots, isSkipped, blockAt } = scene(unlisted)
    await note(rangeFill.fill(100, 119))
    // as a log tells of it: without a parent
    await note(rangeFill.join({ ...blockAt(120), parent: -1 }))
    const all = range(100, 120).filter((slot) => !isSkipped(slot))
    assert.deepEqual(slots, all, `without ${unlisted}`)
  }
})

test('a whole list costs a request a block, and one for each slot that is skipped at its end', async () => {
  const { note, rangeFill, asked } = scene([])
  await note(rangeFill.fill(100, 118))
  assert.deepEqual(asked, [...range(100, 117).filter((slot) => slot % 5 !== 3), 118])
})

test('an empty list costs a bounded number of requests', async () => {
  const { note, rangeFill, asked } = scene(range(100, 900))
  await note(rangeFill.fill(100, 900))
  assert.ok(asked.length <= 2 * 64, `${asked.length} requests`)
})
