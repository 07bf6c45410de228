import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, createAsking } from './target.ts'

/** Calls with Pro keys from a process of its own, so that it waits for the service and not for what a test does meanwhile. */
export interface Caller {
  /** asks again and again for so many milliseconds; statuses and milliseconds of the answers */
  measure(forMs: number): Promise<readonly Pick<Answer, 'status' | 'ms'>[]>
  stop(): void
}

/** A bare node:http server that answers whoever has a key with this body, and everybody else with 429. */
export interface Bare {
  readonly port: number
  stop(): void
}

/** milliseconds between an answer and the next call */
const BETWEEN_MS = 5
/** as in the service */
const BACKLOG = 4_096

type Role = readonly ['caller', { readonly port: number; readonly keys: readonly string[] }] | readonly ['bare', string]

const start = (...role: Role): ChildProcess => fork(import.meta.filename, [JSON.stringify(role)])

export function forkCaller(port: number, keys: readonly string[]): Caller {
  const child = start('caller', { port, keys })
  return {
    async measure(forMs) {
      child.send(forMs)
      const [answers] = await once(child, 'message')
      return answers
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

export async function forkBare(body: string): Promise<Bare> {
  const child = start('bare', body)
  const [port] = await once(child, 'message')
  return { port, stop: () => void child.kill('SIGKILL') }
}

function call(port: number, keys: readonly string[]): void {
  const ask = createAsking(port, keys, new Agent({ keepAlive: true, maxSockets: 1 }))
  process.on('message', async (forMs: number) => {
    const answers: Pick<Answer, 'status' | 'ms'>[] = []
    for (const end = performance.now() + forMs; performance.now() < end; await pause(BETWEEN_MS)) {
      const { status, ms } = await ask('/v1/tokens/new')
      answers.push({ status, ms })
    }
    process.send!(answers)
  })
}

function serveBare(body: string): void {
  const server = createServer(({ headers }, response) => {
    const isPro = headers.authorization !== undefined
    response.writeHead(isPro ? 200 : 429, { 'content-type': 'application/json; charset=utf-8' })
    response.end(isPro ? body : '{}')
  })
  server.listen(0, '127.0.0.1', BACKLOG, () => process.send!((server.address() as AddressInfo).port))
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  const role = JSON.parse(process.argv[2]!) as Role
  if (role[0] === 'caller') call(role[1].port, role[1].keys)
  else serveBare(role[1])
  process.on('disconnect', () => process.exit(0))
}
