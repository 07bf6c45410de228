import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** A proxy in front of a service for programs that cannot name another host than the one they call. Its address. */
export async function proxyAs(t: TestContext, host: string, baseUrl: string): Promise<string> {
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, host }
    const onward = request(baseUrl + asked.url, { method: asked.method, headers }, (came) => {
      came.pipe(answer.writeHead(came.statusCode!, came.headers))
    })
    asked.pipe(onward.on('error', () => answer.destroy()))
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  t.after(() => new Promise((done) => proxy.close(done).closeAllConnections()))
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
