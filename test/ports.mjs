// Ports for what is ended and started again on the same one: below those that systems give to connections and to listeners that
// ask for any, so that nobody is given one by chance in between.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const FIRST = 20_000
const LAST = 32_000

/** Held until they are let go: whoever looks for ports meanwhile gets others. */
export async function holdPorts(count) {
  const held = []
  while (held.length < count) {
    const probe = await listenAt(randomInt(FIRST, LAST))
    if (probe !== null) held.push(probe)
  }
  return {
    ports: held.map((probe) => probe.address().port),
    release: () => Promise.all(held.map((probe) => new Promise((done) => probe.close(done)))),
  }
}

export async function freePort() {
  const { ports, release } = await holdPorts(1)
  await release()
  return ports[0]
}

/** null where the port is in use */
const listenAt = (port) =>
  new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', (error) => (error.code === 'EADDRINUSE' ? done(null) : fail(error)))
    probe.listen(port, '127.0.0.1', () => done(probe))
  })
