export type Closing = () => unknown

/**
 * Closes everything, whatever fails, because what stays open keeps its files and locks. Throws the first failure at the end.
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
