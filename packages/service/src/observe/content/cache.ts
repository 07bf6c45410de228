import type { Clock } from '../clock.ts'

/** Answers by content, the one used longest ago forgotten first. */
interface Cache<V> {
  get(id: string): V | undefined
  /** kept for `forMs`; Infinity for content that its id identifies */
  set(id: string, value: V, forMs: number): void
  readonly size: number
}

export function createCache<V>(max: number, clock: Clock): Cache<V> {
  const kept = new Map<string, { value: V; until: number }>()
  return {
    get(id) {
      const entry = kept.get(id)
      if (entry === undefined) return undefined
      kept.delete(id)
      if (entry.until <= clock.ms()) return undefined
      kept.set(id, entry)
      return entry.value
    },
    set(id, value, forMs) {
      kept.delete(id)
      if (kept.size >= max) kept.delete(kept.keys().next().value!)
      kept.set(id, { value, until: clock.ms() + forMs })
    },
    get size() {
      return kept.size
    },
  }
}
