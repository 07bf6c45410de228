import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Reports once whether the whole response was handed to the kernel, and whether any of it may have been. Call it before
 * writing the response.
 */
export function whenSent(
  request: IncomingMessage,
  response: ServerResponse,
  onEnd: (whole: boolean, begun: boolean) => void,
): void {
  const { socket } = request
  if (response.destroyed || socket.destroyed) return onEnd(false, false)
  // an answer queued behind an earlier one on its connection gets no event when that connection closes
  const closing = response.socket === null ? socket : response
  const sent = (): void => {
    closing.off('close', lost)
    // Node also emits `finish` when the rest of a response is discarded with its connection
    onEnd(!socket.destroyed && socket.errored === null, true)
  }
  const lost = (): void => {
    response.off('finish', sent)
    // without a socket of its own, it was still queued behind the earlier answer
    onEnd(false, response.socket !== null || closing === response)
  }
  response.prependOnceListener('finish', sent)
  // a connection may have as many answers queued as the client pipelines
  closing.setMaxListeners(Math.max(closing.getMaxListeners(), closing.listenerCount('close') + 2))
  closing.once('close', lost)
}
