import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

/** Asks a running service, as its users do, and how long a bare server takes beside it: that is what the machine costs. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly ms: number
}

/** Keep-alive connections; the keys take turns, because each has so many calls a minute. */
export function createAsking(keys: readonly string[]) {
  const agent = new Agent({ keepAlive: true })
  let asks = 0
  const ask = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const began = performance.now()
    return new Promise((done, fail) => {
      const asking = request(url, { agent, headers }, (response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => done({ status: response.statusCode ?? 0, body, ms: performance.now() - began }))
      })
      asking.on('error', fail).end()
    })
  }
  return {
    ask,
    keyed: (url: string) => ask(url, { authorization: `Bearer ${keys[asks++ % keys.length]}` }),
    close: () => agent.destroy(),
  }
}

export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

export const longest = (values: readonly number[]): number => Math.max(...values)

export const words = (values: readonly number[]): string =>
  `p50 ${quantile(values, 0.5).toFixed(1)}, p99 ${quantile(values, 0.99).toFixed(1)}, at most ${longest(values).toFixed(1)} ms of ${values.length}`

/** A server of `node:http` in a process of its own. */
export async function startBare(): Promise<{ readonly url: string; stop(): void }> {
  const child = fork(fileURLToPath(import.meta.url), ['bare'], { execArgv: ['--import', import.meta.resolve('tsx')] })
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill('SIGKILL') }
}

if (process.argv[2] === 'bare') {
  const server = createServer((_request, response) => response.end('{}'))
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}
