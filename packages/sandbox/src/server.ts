import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OperatorError } from '@ti/service/base/errors.ts'
import type { Logger } from '@ti/service/base/log.ts'
import type { Ledger } from './ledger.ts'
import { RPC_CODE, RpcError } from './rpc-error.ts'
import type { Method } from './transaction-methods.ts'

/** bytes of a JSON-RPC request (the longest real one names 256 signatures), and calls of a batch */
export const REQUEST_BYTES = 128 << 10
export const BATCH = 50
/** milliseconds a request may take to arrive, and open connections */
export const REQUEST_MS = 10_000
const CONNECTIONS = 256

/** JSON-RPC 2.0 over HTTP, only on 127.0.0.1. A malformed call gets an error answer and never crashes the server. */
interface RpcServer {
  readonly url: string
  close(): Promise<void>
}

interface RpcOptions {
  readonly port: number
  readonly ledger: Ledger
  readonly methods: ReadonlyMap<string, Method>
  readonly logger?: Logger | undefined
}

export async function startRpcServer({ port, ledger, methods, logger }: RpcOptions): Promise<RpcServer> {
  const call = createCaller(ledger, methods, logger)
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    serve(request, response, call).catch((error: unknown) => {
      // usually because the client is gone
      logger?.debug({ err: error }, 'the sandbox could not answer')
      response.destroy()
    })
  })
  server.maxConnections = CONNECTIONS
  await listen(server, port)
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new OperatorError(`the sandbox chain cannot listen on 127.0.0.1:${port} (${error.code}): choose another port`, {
          cause: error,
        }),
      )
    })
    server.listen(port, '127.0.0.1', () => resolve())
  })

type Caller = (body: unknown) => Promise<object>

function createCaller(ledger: Ledger, methods: ReadonlyMap<string, Method>, logger: Logger | undefined): Caller {
  const { gate } = ledger

  const run = async (name: string, params: readonly unknown[]): Promise<unknown> => {
    const method = methods.get(name)
    const counted = method === undefined ? 'unknown' : name
    gate.calls[counted] = (gate.calls[counted] ?? 0) + 1
    if (method === undefined) {
      logger?.warn({ method: name.slice(0, 64) }, 'the sandbox does not know this RPC method')
      throw new RpcError(RPC_CODE.unknownMethod, 'Method not found')
    }
    await gate.before?.(name, params)
    if (gate.reject.has(name)) throw new RpcError(RPC_CODE.internal, `the sandbox rejects ${name} (knob)`)
    ledger.catchUp()
    return method(params)
  }

  const answer = async (request: unknown): Promise<object> => {
    const { id, method, params = [] } = isObject(request) ? request : {}
    const known = typeof id === 'string' || Number.isFinite(id) || id === null ? id : null
    try {
      if (typeof method !== 'string' || id === undefined || !Array.isArray(params)) {
        throw new RpcError(RPC_CODE.invalidRequest, 'Invalid request')
      }
      return { jsonrpc: '2.0', result: await run(method, params), id: known }
    } catch (error) {
      return { jsonrpc: '2.0', error: errorOf(error), id: known }
    }
  }

  return async (body) => {
    if (!Array.isArray(body)) return answer(body)
    if (body.length === 0 || body.length > BATCH) {
      return failure(RPC_CODE.invalidRequest, `a batch has 1 to ${BATCH} calls`)
    }
    const answers: object[] = []
    for (const request of body) answers.push(await answer(request))
    return answers
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function errorOf(error: unknown): object {
  if (!(error instanceof RpcError)) {
    const message = error instanceof Error ? error.message : 'unknown'
    return { code: RPC_CODE.internal, message: `Internal error: ${message}` }
  }
  const { code, message, data } = error
  return data === undefined ? { code, message } : { code, message, data }
}

const failure = (code: number, message: string): object => ({ jsonrpc: '2.0', error: { code, message }, id: null })

async function serve(request: IncomingMessage, response: ServerResponse, call: Caller): Promise<void> {
  const { origin } = request.headers
  // keeps pages of other hosts, and DNS names that resolve to this machine, from reaching it through a browser
  if (!isLoopback(`http://${request.headers.host}`) || (origin !== undefined && !isLoopback(origin))) {
    return write(response, 403, failure(RPC_CODE.invalidRequest, 'only for this machine'))
  }
  if (origin !== undefined) {
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('vary', 'origin')
  }
  if (request.method === 'OPTIONS') {
    response.setHeader('access-control-allow-methods', 'POST')
    response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
    response.writeHead(204).end()
    return
  }
  if (request.method !== 'POST') return write(response, 405, failure(RPC_CODE.invalidRequest, 'POST only'))
  // requests that browsers send without a preflight are not JSON
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return write(response, 415, failure(RPC_CODE.invalidRequest, 'application/json only'))
  }
  const text = await readBody(request)
  if (text === null) return write(response, 413, failure(RPC_CODE.invalidRequest, 'the request is too large'))
  write(response, 200, await answerText(text, call))
}

async function answerText(text: string, call: Caller): Promise<object> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return failure(RPC_CODE.parse, 'Parse error')
  }
  return call(body)
}

function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > REQUEST_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function write(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body))
  // the rest of a rejected body is not read
  if (status === 413) response.setHeader('connection', 'close')
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes)
}
