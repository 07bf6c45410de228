import assert from 'node:assert/strict'
import { ErrorEnvelope } from '@ti/core/contract/resources.ts'
import { type Answer, exchange } from '../../support/exchange.ts'
import { createFakeCashier, type McpService, type McpServiceOptions, startMcp } from './service.ts'

/** Messages to the MCP face as they are written to the socket, and what is read of its answers. */
export type Headers = Readonly<Record<string, string>>

/** A request as it is written, whatever it says; `body` is bytes in a latin-1 string. */
export function raw(service: McpService, method: string, headers: Headers, body = ''): Promise<Answer | null> {
  const all = { host: 'localhost', 'content-length': `${body.length}`, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return exchange(service.url.href, `${method} /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`, method !== 'HEAD')
}

export async function post(service: McpService, message: unknown, headers: Headers = {}): Promise<Answer> {
  const body = typeof message === 'string' ? message : Buffer.from(JSON.stringify(message)).toString('latin1')
  const answer = await raw(service, 'POST', { 'content-type': 'application/json', ...headers }, body)
  assert.ok(answer !== null, 'no answer')
  return answer
}

export const callOf = (name: string, args: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
export const LIST = callOf('list_new_tokens')
export const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
export const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })

export interface Message {
  readonly id: unknown
  readonly error?: { readonly code: number; readonly message: string }
  readonly result?: {
    readonly isError?: boolean
    readonly content: readonly { readonly text: string }[]
    /** of what went wrong */
    readonly structuredContent: Json
    readonly _meta?: Json
  }
}
type Json = Record<string, never>
export const messageOf = (answer: Answer): Message => JSON.parse(answer.body.toString()) as Message
export const resultOf = (answer: Answer): NonNullable<Message['result']> => {
  const { result } = messageOf(answer)
  assert.ok(result !== undefined, answer.body.toString())
  return result
}
/** The data of an answer, which are in its text and nowhere else. */
export function dataOf(answer: Answer): Json {
  const { content, structuredContent, isError } = resultOf(answer)
  assert.ok(isError !== true && structuredContent === undefined && content.length === 1, answer.body.toString())
  return JSON.parse(content[0]!.text) as Json
}
export const errorOf = (answer: Answer): ErrorEnvelope['error'] =>
  ErrorEnvelope.parse(resultOf(answer).structuredContent).error

export function rateOf(answer: Answer): string {
  const { headers } = answer
  assert.match(headers.get('x-request-id') ?? '', /^req_\d+$/)
  return `${headers.get('x-ratelimit-remaining')}/${headers.get('x-ratelimit-limit')} ${headers.get('x-ratelimit-reset')}`
}

/** A service whose log must be without warnings and errors when the test ends, unless the test brought its own query. */
export async function open(t: { after(fn: () => Promise<void>): void }, options: McpServiceOptions = {}) {
  const cashier = createFakeCashier()
  const service = await startMcp({ cashier, ...options })
  t.after(async () => {
    await service.close()
    const wrong = service.logged.filter((line) => /"level":"(error|warn|fatal)"/.test(line))
    if (options.query === undefined) assert.deepEqual(wrong, [])
  })
  return { service, cashier }
}
