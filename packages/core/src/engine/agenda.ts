/**
 * A schedule of token checks, ordered by slot and then token id. A token has one live entry (its `wakeSlot`); callers
 * skip the stale entries of earlier wakes.
 */
export interface Agenda {
  add(slot: number, token: number): void
  /** The earliest scheduled slot, or Infinity if the agenda is empty. */
  next(): number
  /** Removes and returns the token ids due at `next()`, ascending and without duplicates. */
  take(): number[]
}

export function createAgenda(): Agenda {
  const bySlot = new Map<number, number[]>()
  const heap: number[] = []

  function siftUp(index: number): void {
    const slot = heap[index]!
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (heap[parent]! <= slot) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = slot
  }

  function siftDown(): void {
    const slot = heap.pop()!
    const size = heap.length
    if (size === 0) return
    let index = 0
    for (let child = 1; child < size; child = 2 * index + 1) {
      if (child + 1 < size && heap[child + 1]! < heap[child]!) child++
      if (heap[child]! >= slot) break
      heap[index] = heap[child]!
      index = child
    }
    heap[index] = slot
  }

  return {
    add(slot, token) {
      const tokens = bySlot.get(slot)
      if (tokens !== undefined) {
        tokens.push(token)
        return
      }
      bySlot.set(slot, [token])
      siftUp(heap.push(slot) - 1)
    },
    next: () => heap[0] ?? Number.POSITIVE_INFINITY,
    take() {
      const slot = heap[0]!
      const tokens = bySlot.get(slot)!
      bySlot.delete(slot)
      siftDown()
      tokens.sort((a, b) => a - b)
      return tokens.filter((token, index) => token !== tokens[index - 1])
    },
  }
}
