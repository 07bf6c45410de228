import type { RequestListener, Server } from 'node:http'

/** connections after each other that are a burst, and milliseconds for which it may hold answers back */
const BURST = 8
const HOLD_MS = 10

/**
 * Holds answers back while connections arrive in a burst. The event loop accepts one connection a turn, and a turn that answers
 * hundreds of others takes tens of milliseconds: the last of some hundred new clients would wait for seconds.
 */
export function holdWhileArriving(
  server: Pick<Server, 'on'>,
  answer: RequestListener,
  now = () => performance.now(),
): RequestListener {
  let arrived = 0
  let counted = 0
  let sinceMs = 0
  let held: Parameters<RequestListener>[] = []

  function look(): void {
    if (arrived > counted && now() - sinceMs < HOLD_MS) {
      counted = arrived
      setImmediate(look)
      return
    }
    const due = held
    arrived = counted = 0
    held = []
    for (const [request, response] of due) if (!request.socket.destroyed) answer(request, response)
  }

  server.on('connection', () => {
    if (arrived++ > 0) return
    sinceMs = now()
    setImmediate(look)
  })
  return (request, response) => {
    if (arrived < BURST) answer(request, response)
    else held.push([request, response])
  }
}
