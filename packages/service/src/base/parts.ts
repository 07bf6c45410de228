/** milliseconds to wait for open requests when stopping */
export const SHUTDOWN_MS = 5_000

export type Closing = () => unknown

/**
 * Closes every part even if one fails, because an open part keeps its files and locks. Throws the first failure at the end.
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

/** Parts that were opened one after the other, and are closed in the reverse order. */
export interface Parts {
  /** Adds a part and returns it. */
  add<T extends { close(): unknown } | null>(part: T): T
  /** Closes all parts as `closeAll` does. */
  close(): Promise<void>
}

/** Runs `open`. If it fails, the parts that it has added are closed, so that they do not block the next try. */
export async function openParts<T>(open: (parts: Parts) => T | Promise<T>): Promise<T> {
  const closings: Closing[] = []
  const close = (): Promise<void> => closeAll(closings.splice(0).reverse())
  try {
    return await open({
      add(part) {
        if (part !== null) closings.push(() => part.close())
        return part
      },
      close,
    })
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}
