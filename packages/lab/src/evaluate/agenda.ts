/** Actions due at slots; those of one slot run in the order in which they were added. */
export interface Agenda {
  at(slot: number, act: (slot: number) => void): void
  /** Runs what is due before `slot`, also what is added meanwhile. */
  runBefore(slot: number): void
}

export function createAgenda(): Agenda {
  const due = new Map<number, ((slot: number) => void)[]>()
  let next = -1
  return {
    at(slot, act) {
      const known = due.get(slot)
      if (known === undefined) due.set(slot, [act])
      else known.push(act)
    },
    runBefore(slot) {
      if (next < 0) next = slot
      for (; next < slot; next++) {
        // grows while it runs if something is added for the same slot
        for (const act of due.get(next) ?? []) act(next)
        due.delete(next)
      }
    },
  }
}
