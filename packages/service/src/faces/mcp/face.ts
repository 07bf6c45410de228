import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { extensionsOf } from '@ti/core/contract/discovery.ts'
import type { Operation } from '@ti/core/query/operations.ts'
import type { KeyUse } from '../../access/accounts/key-use.ts'
import { createCalls, type Supplied } from '../../access/call.ts'
import type { Keys } from '../../access/keys.ts'
import type { ClientAddress } from '../../access/rate-limits/client-address.ts'
import type { Window, Windows } from '../../access/rate-limits/windows.ts'
import { type Readiness, rateHeaders, rateLimitMessage } from '../../access/refusals.ts'
import type { Cashier, Client } from '../../access/x402/types.ts'
import type { WatchServices } from '../../alerts/watch-json.ts'
import type { Logger } from '../../base/log.ts'
import type { Metrics } from '../../base/metrics.ts'
import { whenSent } from '../../base/response-sent.ts'
import { JSON_TYPE, write } from '../answer.ts'
import { argumentsOf } from '../arguments.ts'
import { codingTaken } from '../negotiate.ts'
import { packed } from '../packing.ts'
import type { Route } from '../router.ts'
import { createToolCalls, HOW_TO_PAY } from './calls.ts'
import type { Exchange } from './exchange.ts'
import { countCalls } from './metrics.ts'
import { isObject, RECEIPT_META, takePayment } from './payment.ts'
import { type Received, type Refusal, receive } from './receive.ts'
import { apiError } from './results.ts'
import { createServing } from './serving.ts'
import { createTools } from './tools.ts'
import { createWatchTools } from './watch-tools.ts'

interface McpFaceOptions {
  readonly operations: readonly Operation[]
  readonly keys: Keys
  /** counts the use of keys; left out: use is not counted */
  readonly keyUse?: Pick<KeyUse, 'count'> | undefined
  /** left out: there are no watches */
  readonly watches?: WatchServices | undefined
  readonly windows: Windows
  /** the client's address as rate windows name it */
  readonly clientAddress: ClientAddress
  /** null: only keys are accepted, no payments per call */
  readonly cashier: Cashier | null
  readonly status: () => Readiness
  readonly logger: Logger
  readonly publicUrl: string
  readonly metrics: Metrics
  /** allowed host names without ports, besides the public URL's and the loopback names */
  readonly allowedHosts?: readonly string[]
  readonly newRequestId: () => string
  /** counts an answer by HTTP status and milliseconds */
  readonly record?: (status: number, ms: number) => void
  /** validates every answer against its schema before sending; for development */
  readonly validateResponses?: boolean
}

export interface McpFace {
  readonly route: Route
  close(): Promise<void>
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** the headers that the protocol uses; keys and cookies stay out of the SDK */
const PROTOCOL_HEADER = /^mcp-/

/** an answer that is not yet written */
interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly extra: readonly string[]
  readonly close?: boolean
}

/** The endpoint table's tools over MCP, in both protocol eras. */
export function createMcpFace(options: McpFaceOptions): McpFace {
  const { operations, keys, cashier, logger, publicUrl, newRequestId } = options
  const { validateResponses = false, record = () => {} } = options
  const hosts = [new URL(publicUrl).hostname, ...LOOPBACK, ...(options.allowedHosts ?? [])]
  const payable = cashier !== null
  const tools = createTools(operations, payable)
  const calls = createCalls<Client>({
    ...options,
    validateResponses,
    address: ({ address }) => address,
    gone: (client) => client.gone(),
    resource: ({ endpoint }) => `mcp://tool/${endpoint.tool}`,
    extensions: ({ endpoint }) => extensionsOf(endpoint, 'mcp'),
    howToPay: HOW_TO_PAY,
  })
  const run = createToolCalls({ calls, logger, publicUrl, count: countCalls(options.metrics) })
  const serving = createServing({
    tools,
    run,
    watches: options.watches === undefined ? null : createWatchTools({ ...options, services: options.watches }),
    payable,
    publicUrl,
    onError: ({ name }) => logger.debug({ error: name }, 'MCP request refused'),
  })

  /** Finds the tool that a message calls and the number of calls it counts as, and takes the payment out of the message. */
  async function callIn(received: Received): Promise<CallIn> {
    if (received.kind !== 'message' || !isObject(received.message)) return NO_CALL
    const { method, params } = received.message
    if (method !== 'tools/call' || !isObject(params)) return NO_CALL
    const payment = takePayment(params)
    const operation = typeof params.name === 'string' ? tools.byName.get(params.name) : undefined
    if (operation === undefined) return NO_CALL
    const { argument, query } = argumentsOf(operation.endpoint, isObject(params.arguments) ? params.arguments : {})
    const answers = await calls.weigh(operation, argument, query)
    return { isCall: true, answers, payment: cashier === null ? null : payment }
  }

  async function answer(
    request: IncomingMessage,
    received: Exclude<Received, { kind: 'gone' }>,
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { window } = exchange
    // a call reports the limit in its result, which a model reads; any other message has no result
    if (!window.allowed && !exchange.isCall) return rateLimited(exchange.requestId, window)
    if (received.kind === 'refused') return refused(received, rateHeaders(window))
    const response = await serving.serve(received.message, protocolHeaders(request), exchange, signal)
    const body = await response.text()
    const type = response.headers.get('content-type') ?? JSON_TYPE
    return { status: response.status, type, body, extra: rateHeaders(exchange.limited ?? window) }
  }

  /** Answers a request and returns the status sent, or 499 if the client had hung up. */
  async function serve(request: IncomingMessage, response: ServerResponse, address: string, requestId: string) {
    const abort = new AbortController()
    // an answer queued behind an earlier one on its connection gets no event when that connection closes
    whenSent(request, response, (whole) => {
      if (!whole) abort.abort()
    })
    const { signal } = abort
    const received = await receive(request, hosts)
    const key = keys.check(request.headers.authorization, request.socket)
    const { isCall, answers, payment } = await callIn(received)
    const caller = { key, payment }
    const client = { address, gone: () => signal.aborted }
    // messages other than calls do not use up a free key's few calls
    const window = await calls.count(caller, client, isCall, answers)
    if (received.kind === 'gone' || signal.aborted) return 499
    const exchange: Exchange = { requestId, caller, window, client, isCall, answers, limited: null, delivered: null }
    try {
      const made = await answer(request, received, exchange, signal)
      // the event loop reports a client's hang-up in the next turn; its answer then stays due
      if (exchange.delivered !== null) await nextTurn()
      const { whole, begun } = await send(request, response, requestId, made)
      // an answer without the receipt would be an SDK error: the payer has not received the paid answer
      exchange.delivered?.(whole && made.body.includes(RECEIPT_META), begun)
      exchange.delivered = null
      return made.status
    } catch (error) {
      if (signal.aborted) return 499
      throw error
    } finally {
      exchange.delivered?.(false, false)
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const start = performance.now()
    const requestId = newRequestId()
    let status: number
    try {
      status = await serve(request, response, options.clientAddress(request), requestId)
    } catch (error) {
      logger.error({ err: error, request_id: requestId }, 'MCP request failed')
      status = 500
      if (response.headersSent) response.destroy()
      else await send(request, response, requestId, internalError(requestId))
    }
    const ms = performance.now() - start
    record(status, ms)
    if (logger.isLevelEnabled('debug')) logger.debug({ request_id: requestId, path: '/mcp', status, ms }, 'request')
  }

  return {
    route: { method: '*', path: '/mcp', readsBody: true, handle },
    close: () => serving.close(),
  }
}

interface CallIn {
  readonly isCall: boolean
  readonly answers: number
  readonly payment: Supplied | null
}

const NO_CALL: CallIn = { isCall: false, answers: 1, payment: null }

function protocolHeaders(request: IncomingMessage): Headers {
  // every answer is one JSON body, so a client need not accept both types to get it
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })
  for (const [name, value] of Object.entries(request.headers)) {
    if (PROTOCOL_HEADER.test(name) && typeof value === 'string') headers.set(name, value)
  }
  return headers
}

function rateLimited(requestId: string, window: Window): Answer {
  const { resetS } = window
  const error = apiError('rate_limited', rateLimitMessage(window), requestId, { retry_after: resetS })
  const extra = [...rateHeaders(window), 'retry-after', `${resetS}`]
  return { status: 429, type: JSON_TYPE, body: JSON.stringify({ error }), extra }
}

function refused({ status, code, text, close = false }: Refusal, rate: readonly string[]): Answer {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message: text }, id: null })
  const extra = status === 405 ? [...rate, 'allow', 'POST'] : rate
  return { status, type: JSON_TYPE, body, extra, close }
}

const internalError = (requestId: string): Answer => ({
  status: 500,
  type: JSON_TYPE,
  body: JSON.stringify({ error: apiError('internal_error', 'internal error', requestId) }),
  extra: [],
})

/** Resolves with two flags: the whole answer was handed to the kernel, and a part of it may have been. */
async function send(request: IncomingMessage, response: ServerResponse, requestId: string, made: Answer) {
  const { status, type, extra, close } = made
  const { body, coding } = await packed(Buffer.from(made.body), codingTaken(request.headers['accept-encoding']))
  return new Promise<{ whole: boolean; begun: boolean }>((resolve) => {
    whenSent(request, response, (whole, begun) => resolve({ whole, begun }))
    if (response.destroyed || request.socket.destroyed) return
    if (close === true) response.shouldKeepAlive = false
    const kind = body.length === 0 ? [] : ['content-type', type]
    const fixed = [
      ...['content-length', `${body.length}`, 'x-request-id', requestId],
      ...['cache-control', 'no-store', 'vary', 'Accept-Encoding'],
      ...(coding === null ? [] : ['content-encoding', coding]),
    ]
    write(response, status, [...kind, ...fixed, ...extra], body)
  })
}
