/**
 * One timer for all sockets: each item is visited once a turn, one slot of items per tick. Ten thousand sockets then cost
 * a little all the time instead of a long pause or a timer each.
 */
interface Wheel<T> {
  add(item: T): void
  remove(item: T): void
  /** visits the next slot */
  tick(): void
}

/** An item is first visited a whole turn after it was added. `visit` may remove items. */
export function createWheel<T>(slots: number, visit: (item: T) => void): Wheel<T> {
  const wheel = Array.from({ length: slots }, () => new Set<T>())
  const slotOf = new Map<T, Set<T>>()
  let at = 0
  return {
    add(item) {
      if (slotOf.has(item)) return
      const slot = wheel[at]!
      slot.add(item)
      slotOf.set(item, slot)
    },
    remove(item) {
      slotOf.get(item)?.delete(item)
      slotOf.delete(item)
    },
    tick() {
      at = (at + 1) % slots
      for (const item of wheel[at]!) visit(item)
    },
  }
}
