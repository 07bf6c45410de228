import { totalmem } from 'node:os'

/** `most` bytes, or a share of the memory that this process may use where that is less: its container's, else the machine's. */
export function memoryShare(share: number, most: number): number {
  // Node says 0, or more than any machine has, where a container has no limit
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.floor(Math.min(most, share * Math.min(limit, totalmem())))
}
