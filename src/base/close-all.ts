export type Closing = () => unknown

/**
 * Closes one after the other, whatever fails: what stays open holds its files and locks against whoever opens them again. The
 * first failure is thrown at the end.
 */
export async function closeAll(all: Iterable<Closing>): Promise<void> {
  const failures: unknown[] = []
  for (const close of all) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
