/** Named counters that pure code may bump; the composition root copies them into metrics. */
export type Counts<Name extends string = string> = Map<Name, number>

/**
 * With names, each begins at 0 and the compiler accepts no other: a rule of an alarm sees the first event only if its series was
 * there before. Without names they come from outside, and a series begins with its first event.
 */
export const createCounts = <Name extends string = string>(names: readonly Name[] = []): Counts<Name> =>
  new Map(names.map((name) => [name, 0]))

export function count<Name extends string>(counts: Counts<Name>, name: NoInfer<Name>, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by)
}
