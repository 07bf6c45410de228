/** A value that several components show, in the shape of `useSyncExternalStore`. */
interface Shared<T> {
  state(): T
  /** returns the function that unsubscribes */
  onChange(tell: () => void): () => void
  show(next: T): void
}

export function createShared<T>(first: T): Shared<T> {
  const listeners = new Set<() => void>()
  let state = first
  return {
    state: () => state,
    onChange(tell) {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    show(next) {
      state = next
      for (const tell of listeners) tell()
    },
  }
}
