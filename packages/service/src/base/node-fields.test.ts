import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { bytesUnderWay, writeWhole } from './node-fields.ts'

/** Everything that comes back for one request. */
async function ask(t: TestContext, method: string, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.write(`${method} / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
  await once(socket, 'close')
  return text
}

const BODY = 'caf\u00e9 \u00ff'
const HEAD = ['content-length', `${BODY.length}`, 'x-a', 'b']
const LINES = 'x-c: d: e\r\nx-f: g\r\n'
const withoutDate = (text: string): string => text.replace(/\r\nDate: [^\r]+/i, '')
const parts = (text: string) => {
  const [head = '', body] = withoutDate(text).split('\r\n\r\n')
  return { lines: head.split('\r\n').sort(), body }
}

for (const method of ['GET', 'HEAD']) {
  test(`an answer in one piece has the bytes of an answer in two: ${method}`, async (t) => {
    const two = await ask(t, method, (_, response) =>
      response.writeHead(200, [...HEAD, 'x-c', 'd: e', 'x-f', 'g']).end(BODY, 'latin1'),
    )
    const one = await ask(t, method, (_, response) => writeWhole(response, 200, HEAD, LINES, BODY))
    assert.deepEqual(parts(one), parts(two))
    assert.equal(one.endsWith(BODY), method === 'GET')
  })
}

test('this Node keeps a whole answer in one write', async (t) => {
  let writes = 0
  await ask(t, 'GET', (_, response) => {
    const socket = response.socket!
    const write = socket.write.bind(socket)
    const counted: typeof socket.write = (...given: unknown[]) => {
      writes++
      return Reflect.apply(write, socket, given)
    }
    socket.write = counted
    writeWhole(response, 200, HEAD, LINES, BODY)
  })
  assert.equal(writes, 1)
})

test('what the kernel has not taken is counted', async (t) => {
  let waiting = 0
  await ask(t, 'GET', ({ socket }, response) => {
    socket.write(Buffer.alloc(64 << 20))
    waiting = bytesUnderWay(socket)
    response.destroy()
  })
  assert.ok(waiting > 0, `${waiting} bytes`)
})
