/** What a generator returns in the end, when all its steps are taken at once. */
export function drained<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
