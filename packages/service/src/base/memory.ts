import { totalmem } from 'node:os'

/** `most` bytes, or `share` of the memory available to this process if that is less: its container's, else the machine's. */
export function memoryShare(share: number, most: number): number {
  // without a container limit, Node reports 0 or more memory than any machine has
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.floor(Math.min(most, share * Math.min(limit, totalmem())))
}
