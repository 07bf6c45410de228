export interface Slices {
  /** milliseconds that only go forward, and how many of them pass without a pause */
  readonly now: () => number
  readonly sliceMs: number
}

/** Work on each item in turn, with pauses in which the event loop goes on. */
export async function inSlices<T>(items: Iterable<T>, { now, sliceMs }: Slices, work: (item: T) => void) {
  let pausedMs = now()
  for (const item of items) {
    work(item)
    if (now() - pausedMs < sliceMs) continue
    await new Promise(setImmediate)
    pausedMs = now()
  }
}
