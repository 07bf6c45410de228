import type { Socket } from 'node:net'
import { bytesUnderWay } from '../../base/node-fields.ts'

/** Watches whether the other end takes what waits for it. */
interface StallWatch {
  /** milliseconds for which no byte was taken while some were waiting, as of this look; 0 where nothing waits */
  look(): number
}

/** `unread`: bytes written that the kernel has not taken; `now`: milliseconds that only go forward. */
export function createStallWatch(socket: Socket, unread: () => number, now: () => number): StallWatch {
  let takenBytes = 0
  let takenMs = now()
  return {
    look() {
      const at = now()
      const taken = socket.bytesWritten - unread() - bytesUnderWay(socket)
      if (taken !== takenBytes || unread() === 0) takenMs = at
      takenBytes = taken
      return at - takenMs
    },
  }
}
