import type { IncomingMessage, ServerResponse } from 'node:http'

/** Calls `onLost` if the connection ends before the whole response was handed to the kernel. Call it before writing. */
export function whenLost({ socket }: IncomingMessage, response: ServerResponse, onLost: () => void): void {
  if (response.destroyed || socket.destroyed) return onLost()
  // an answer queued behind an earlier one on its connection gets no event when that connection closes
  const closing = response.socket === null ? socket : response
  response.prependOnceListener('finish', () => {
    closing.off('close', onLost)
    // Node also emits `finish` when the rest of a response is discarded with its connection
    if (socket.destroyed || socket.errored !== null) onLost()
  })
  // a connection may have as many answers queued as the client pipelines
  closing.setMaxListeners(Math.max(closing.getMaxListeners(), closing.listenerCount('close') + 2))
  closing.once('close', onLost)
}
