import { createServer, type RequestListener } from 'node:http'
import { LIMITS } from '../../config/limits.ts'
import type { HttpFace } from './face.ts'

/** milliseconds for a whole request */
const REQUEST_MS = 10_000

/** A face of a few small answers, for a node that answers no readers, or none yet. */
export function createPlainFace(answer: RequestListener): Pick<HttpFace, 'listen' | 'close'> {
  const server = createServer({ maxHeaderSize: LIMITS.headerBytes }, answer)
  server.requestTimeout = REQUEST_MS
  return {
    listen: (host, port) =>
      new Promise((done, fail) => {
        server.once('error', fail)
        server.listen(port, host, () => done({ host, port }))
      }),
    async close() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}
