import type { Socket } from 'node:net'
import { bytesUnderWay } from '../../base/node-fields.ts'

/**
 * Detects whether the other end takes the bytes queued for it.
 * `unread`: bytes written that the kernel has not taken; `now`: monotonic milliseconds.
 */
export function createStallWatch(socket: Socket, unread: () => number, now: () => number) {
  let takenBytes = 0
  let takenMs = now()
  return {
    /** milliseconds during which no byte was taken although some were queued; 0 if none are queued */
    look(): number {
      const at = now()
      const taken = socket.bytesWritten - unread() - bytesUnderWay(socket)
      if (taken !== takenBytes || unread() === 0) takenMs = at
      takenBytes = taken
      return at - takenMs
    },
  }
}
