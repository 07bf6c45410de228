export interface Slices {
  /** A monotonic clock in milliseconds. The loop yields after `sliceMs` of them. */
  readonly now: () => number
  readonly sliceMs: number
}

/** Handles each item in turn and yields to the event loop in between. */
export async function inSlices<T>(items: Iterable<T>, { now, sliceMs }: Slices, work: (item: T) => void) {
  let pausedMs = now()
  for (const item of items) {
    work(item)
    if (now() - pausedMs < sliceMs) continue
    await new Promise(setImmediate)
    pausedMs = now()
  }
}
