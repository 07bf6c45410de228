/** Named counters that pure code may bump; the composition root copies them into metrics. */
export type Counts = Map<string, number>

export const createCounts = (): Counts => new Map()

export function count(counts: Counts, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by)
}
