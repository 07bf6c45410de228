export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

/** The promise's outcome, or a DeadlineError after `ms`; what comes later is ignored. */
export function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(`not finished within ${ms} ms`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
