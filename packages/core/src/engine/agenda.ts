/**
 * Slots at which tokens are due for another check. A token has one live entry (its `wakeSlot`); the caller recognises and
 * skips entries left by an earlier wake. Order: slot, then token id.
 */
export interface Agenda {
  add(slot: number, token: number): void
  /** earliest slot on the agenda, Infinity when empty */
  next(): number
  /** removes and returns the token ids of `next()`, ascending, each once */
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
