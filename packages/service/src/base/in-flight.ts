/** The limit on one subject's operations in flight: all of them, or those of one address, payer or host. */
export interface InFlightBound {
  readonly subject: string
  readonly most: number
}

type Entered = { readonly ok: true; leave(): void } | { readonly ok: false; readonly full: string }

/** Limits operations in flight, by subject. There is no queue: a caller without a place does other work or tries later. */
export function createInFlight() {
  // at most one subject per operation in flight
  const counts = new Map<string, number>()
  const of = (subject: string): number => counts.get(subject) ?? 0

  function add(subject: string, by: 1 | -1): void {
    const left = of(subject) + by
    if (left === 0) counts.delete(subject)
    else counts.set(subject, left)
  }

  return {
    /** Takes a place of every subject until `leave` is called; or of none, and names the first subject that is full. */
    enter(bounds: readonly InFlightBound[]): Entered {
      const full = bounds.find(({ subject, most }) => of(subject) >= most)
      if (full !== undefined) return { ok: false, full: full.subject }
      for (const { subject } of bounds) add(subject, 1)
      let hasLeft = false
      return {
        ok: true,
        leave() {
          if (hasLeft) return
          hasLeft = true
          for (const { subject } of bounds) add(subject, -1)
        },
      }
    },
    of,
  }
}
