import { type Counts, count } from '@ti/core/base/counts.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import type { GapItem, RawItem } from '../source.ts'

/**
 * Blocks as they come, from any endpoint or filler, in any order and any number of times → the chain, each slot once.
 * A block is released when its parent is settled: released, or given up. The parents of waiting
 * blocks tell which slots between are missing. Pure: no clock, no network.
 */
export type ReorderBuffer = ReturnType<typeof createReorderBuffer>

interface Waiting {
  readonly block: RawBlock
  readonly bytes: number
}

export function createReorderBuffer(start: number, counts: Counts) {
  let settled = start
  /** slot of the last block that was released */
  let tip = start
  /** blocks that wait follow on each other without a hole up to this slot */
  let linked = start
  let heldBytes = 0
  let missing = 0
  let gap: GapItem | null = null
  const waiting = new Map<number, Waiting>()
  /** slots of `waiting`, ascending */
  const order: number[] = []
  const skipped = new Set<number>()

  /** index of the first waiting slot after `slot` */
  function placeAfter(slot: number): number {
    let low = 0
    let high = order.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (order[middle]! <= slot) low = middle + 1
      else high = middle
    }
    return low
  }

  function remove(slot: number): void {
    heldBytes -= waiting.get(slot)!.bytes
    waiting.delete(slot)
    order.splice(placeAfter(slot) - 1, 1)
  }

  /** Moves `linked` forward over blocks whose parent is there. */
  function link(): void {
    for (let place = placeAfter(linked); place < order.length; place++) {
      const slot = order[place]!
      if (linked >= 0 && waiting.get(slot)!.block.parent > linked) return
      linked = slot
    }
  }

  /** After a change behind `slot`. */
  function relinkFrom(slot: number): void {
    if (slot < linked) linked = settled
    link()
  }

  /** A block says that the slots between its parent and itself have none: what waits there is orphaned. */
  function dropOrphans({ slot, parent }: RawBlock): void {
    for (const orphan of order.slice(placeAfter(parent), placeAfter(slot))) {
      remove(orphan)
      count(counts, 'orphans')
    }
  }

  function makeRoom(slot: number, most: number): void {
    while (heldBytes > most && order.at(-1)! > slot) {
      remove(order.at(-1)!)
      count(counts, 'evicted')
    }
  }

  return {
    /** everything up to this slot is released or given up; -1: nothing yet */
    get settled(): number {
      return settled
    },
    /** bytes of blocks that wait for others, or for the reader */
    get heldBytes(): number {
      return heldBytes
    },
    /** slots given up so far */
    get missing(): number {
      return missing
    },
    /** highest slot that waits; -1: none does */
    get newest(): number {
      return order.at(-1) ?? -1
    },
    /** true when the slot need not be offered: settled, or waiting */
    has: (slot: number): boolean => slot <= settled || waiting.has(slot),
    /**
     * `full`: with it more than `most` bytes would be held. The next block is taken even then, but no second one. One that is
     * `urgent` takes the room of those that wait behind it: they are missing then.
     */
    offer(block: RawBlock, bytes: number, most: number, urgent = false): 'taken' | 'old' | 'full' {
      const { slot } = block
      if (slot <= settled || waiting.has(slot)) return 'old'
      const after = order[placeAfter(slot)]
      if (after !== undefined && waiting.get(after)!.block.parent < slot) {
        count(counts, 'orphans')
        return 'old'
      }
      const isNext = settled < 0 || block.parent <= settled
      if (urgent) makeRoom(slot, most - bytes)
      if (heldBytes + bytes > most && !(isNext && heldBytes <= most)) return 'full'
      dropOrphans(block)
      waiting.set(slot, { block, bytes })
      order.splice(placeAfter(slot), 0, slot)
      heldBytes += bytes
      relinkFrom(block.parent)
      return 'taken'
    },
    /** the slot is dead: what was held of it is dropped */
    drop(slot: number): void {
      if (!waiting.has(slot)) {
        // a released block cannot be taken back
        if (slot === tip) count(counts, 'dead_after_told')
        return
      }
      remove(slot)
      count(counts, 'dead_dropped')
      relinkFrom(slot - 1)
    },
    /** a node says that this slot has no block */
    skip: (slot: number): void => {
      if (slot > settled) skipped.add(slot)
    },
    /** releases the next gap or block; null while it is not there */
    next(): RawItem | GapItem | null {
      if (gap !== null) {
        const given = gap
        gap = null
        return given
      }
      const slot = order[0]
      if (slot === undefined || slot > linked) return null
      const { block, bytes } = waiting.get(slot)!
      if (block.parent < tip) count(counts, 'forks')
      order.shift()
      waiting.delete(slot)
      heldBytes -= bytes
      settle(slot)
      tip = slot
      return { kind: 'raw', block }
    },
    /** the first slots that are missing before a block that waits: [from, to], `to` surely has a block */
    hole(): { readonly from: number; readonly to: number } | null {
      const after = order[placeAfter(linked)]
      return after === undefined ? null : { from: linked + 1, to: waiting.get(after)!.block.parent }
    },
    /** missing slots up to `last`, in order, without those said to have no block, and those that `but` is true for */
    wanted(most: number, last: number, but: (slot: number) => boolean): number[] {
      const slots: number[] = []
      let before = linked
      for (let place = placeAfter(linked); place < order.length && slots.length < most; place++) {
        const slot = order[place]!
        const { parent } = waiting.get(slot)!.block
        for (let s = before + 1; s <= Math.min(parent, last) && slots.length < most; s++)
          if ((s === parent || !skipped.has(s)) && !but(s)) slots.push(s)
        if (slot > last) break
        before = slot
      }
      return slots
    },
    /**
     * Gives up missing slots up to `to`; false when they are not the next, or when one block alone waits behind them: only
     * the one after it shows that it is of the chain.
     */
    giveUp(to: number): boolean {
      const after = order[0]
      if (gap !== null || after === undefined || after <= linked || order.length < 2) return false
      const last = Math.min(to, waiting.get(after)!.block.parent)
      let from = settled + 1
      while (from < last && skipped.has(from)) from++
      if (from > last) return false
      gap = { kind: 'gap', from, to: last }
      missing += last - from + 1
      settle(last)
      link()
      return true
    },
  }

  function settle(slot: number): void {
    settled = slot
    if (linked < slot) linked = slot
    if (skipped.size > 0) for (const s of skipped) if (s <= slot) skipped.delete(s)
  }
}
