import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Coding } from '@ti/core/base/coding.ts'
import { extensionsOf } from '@ti/core/contract/discovery.ts'
import { coded, latin1 } from '@ti/core/query/envelope.ts'
import type { Operation } from '@ti/core/query/operations.ts'
import type { KeyUse } from '../../access/accounts/key-use.ts'
import { createCalls, type Supplied } from '../../access/call.ts'
import type { KeyCheck, Keys } from '../../access/keys.ts'
import type { ClientAddress } from '../../access/rate-limits/client-address.ts'
import type { Window, Windows } from '../../access/rate-limits/windows.ts'
import { type Readiness, rateLimitMessage, rateLines } from '../../access/refusals.ts'
import type { Shared } from '../../access/shared/shared.ts'
import type { Cashier, Client } from '../../access/x402/types.ts'
import type { WatchServices } from '../../alerts/watch-json.ts'
import type { Logger } from '../../base/log.ts'
import type { Metrics } from '../../base/metrics.ts'
import { writeWhole } from '../../base/node-fields.ts'
import { whenLost } from '../../base/response-sent.ts'
import { EXPOSED_HEADERS, JSON_TYPE, sendPreflight } from '../answer.ts'
import { codingTaken } from '../negotiate.ts'
import { packed } from '../packing.ts'
import type { Route } from '../router.ts'
import { createToolCalls, HOW_TO_PAY } from './calls.ts'
import type { Exchange } from './exchange.ts'
import { countCalls } from './metrics.ts'
import { isObject, takePayment } from './payment.ts'
import { type Body, type PlainCall, plainAnswer, plainCall } from './plain.ts'
import { createReceive, LOOPBACK, type Received, type Refusal } from './receive.ts'
import { apiError } from './results.ts'
import { createServing, identityOf } from './serving.ts'
import { createTools, type ToolCall } from './tools.ts'
import { createWatchTools } from './watch-tools.ts'

interface McpFaceOptions {
  readonly operations: readonly Operation[]
  readonly keys: Keys
  /** counts the use of keys; left out: use is not counted */
  readonly keyUse?: Pick<KeyUse, 'count'> | undefined
  /** left out: there are no watches */
  readonly watches?: WatchServices | undefined
  readonly windows: Windows
  readonly shared: Shared
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

/** what scripts of other origins may send; we begin no session, but clients may send the id of one */
const HEADERS = 'Authorization, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID'
const CROSS_ORIGIN = `access-control-allow-origin: *\r\naccess-control-expose-headers: ${EXPOSED_HEADERS}, Mcp-Session-Id\r\n`

/** the headers that the protocol uses; keys and cookies stay out of the SDK */
const PROTOCOL_HEADER = /^mcp-/

/** an answer that is not yet written */
interface Answer extends Body {
  readonly status: number
  readonly type: string
  /** null: no window counted it */
  readonly window: Window | null
  /** further header lines */
  readonly lines?: string
  readonly close?: boolean
}

/** The endpoint table's tools over MCP, in both protocol eras. */
export function createMcpFace(options: McpFaceOptions): McpFace {
  const { operations, keys, cashier, logger, publicUrl, newRequestId } = options
  const { validateResponses = false, record = () => {} } = options
  const hosts = [new URL(publicUrl).hostname, ...LOOPBACK, ...(options.allowedHosts ?? [])]
  const payable = cashier !== null
  const identity = identityOf(publicUrl)
  const receive = createReceive(hosts)
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
    identity,
    onError: ({ name }) => logger.debug({ error: name }, 'MCP request refused'),
  })

  /** Finds the tool that a message calls and the number of calls it counts as, and takes the payment out of the message. */
  async function callIn(received: Received, { headers }: IncomingMessage, from: From): Promise<CallIn> {
    if (received.kind !== 'message' || !isObject(received.message)) return NO_CALL
    const { method, params } = received.message
    if (method !== 'tools/call' || !isObject(params)) return NO_CALL
    const payment = takePayment(params)
    const call = tools.call(params.name, isObject(params.arguments) ? params.arguments : {})
    if (call === null) return NO_CALL
    const { operation, argument, query, problem } = call
    const { key, client } = from
    const weighed = { operation, argument, query, caller: { key, payment }, from: client }
    const answers = problem === null ? await calls.weigh(weighed) : 1
    const message = payment === null ? plainCall(received.message, params, headers) : null
    return { isCall: true, answers, payment: cashier === null ? null : payment, plain: message && { ...message, call } }
  }

  async function answer(
    {
      received,
      plain,
    }: { readonly received: Exclude<Received, { kind: 'gone' | 'preflight' }>; readonly plain: CallIn['plain'] },
    exchange: Exchange,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answer> {
    const { window } = exchange
    // a call reports the limit in its result, which a model reads; any other message has no result
    if (!window.allowed && !exchange.isCall) return rateLimited(exchange.requestId, window)
    if (received.kind === 'refused') return refused(received, window)
    if (plain !== null) {
      const made = plainAnswer(await run(plain.call, exchange), plain, identity)
      return { status: 200, type: 'application/json', ...made, window: exchange.limited ?? window }
    }
    const made = await serving.serve(received.message, protocolHeaders(request), exchange, hangUp(request, response))
    const end = latin1(Buffer.from(await made.arrayBuffer()))
    const type = made.headers.get('content-type') ?? JSON_TYPE
    return { status: made.status, type, opening: null, end, window: exchange.limited ?? window }
  }

  /** Answers a request and returns the status sent, or 499 if the client had hung up. */
  async function serve(request: IncomingMessage, response: ServerResponse, address: string, requestId: string) {
    const received = await receive(request)
    if (received.kind === 'preflight') return sendPreflight(response, requestId, 'POST', HEADERS)
    const key = keys.check(request.headers.authorization, request.socket)
    const client = { address, gone: () => request.socket.destroyed }
    const { isCall, answers, payment, plain } = await callIn(received, request, { key, client })
    const caller = { key, payment }
    // messages other than calls do not use up a free key's few calls
    const window = await calls.count(caller, client, isCall, answers)
    if (received.kind === 'gone' || client.gone()) return 499
    const exchange: Exchange = { requestId, caller, window, client, isCall, answers, limited: null }
    try {
      const made = await answer({ received, plain }, exchange, request, response)
      await send(response, requestId, made)
      return made.status
    } catch (error) {
      if (client.gone()) return 499
      throw error
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
      else await send(response, requestId, internalError(requestId))
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

interface From {
  readonly key: KeyCheck
  readonly client: Client
}

interface CallIn {
  readonly isCall: boolean
  readonly answers: number
  readonly payment: Supplied | null
  /** null: the SDK answers it */
  readonly plain: (PlainCall & { readonly call: ToolCall }) | null
}

const NO_CALL: CallIn = { isCall: false, answers: 1, payment: null, plain: null }

/** Aborts when the client hangs up. An answer queued behind an earlier one gets no event when its connection closes. */
function hangUp(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const abort = new AbortController()
  whenLost(request, response, () => abort.abort())
  return abort.signal
}

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
  return { ...json(429, { error }), window, lines: `retry-after: ${resetS}\r\n` }
}

function refused({ status, code, text, close = false }: Refusal, window: Window): Answer {
  const made = json(status, { jsonrpc: '2.0', error: { code, message: text }, id: null })
  return { ...made, window, close, lines: status === 405 ? 'allow: POST\r\n' : '' }
}

const internalError = (requestId: string): Answer =>
  json(500, { error: apiError('internal_error', 'internal error', requestId) })

const json = (status: number, value: object): Answer => ({
  status,
  type: JSON_TYPE,
  opening: null,
  end: latin1(Buffer.from(JSON.stringify(value))),
  window: null,
})

async function send(response: ServerResponse, requestId: string, made: Answer): Promise<void> {
  const { status, type, window, lines = '', close = false } = made
  const { body, coding } = await encoded(made, codingTaken(response.req.headers['accept-encoding']))
  if (close) response.shouldKeepAlive = false
  const head =
    (body.length === 0 ? '' : `content-type: ${type}\r\n`) +
    `x-request-id: ${requestId}\r\ncache-control: no-store\r\nvary: Accept-Encoding\r\n` +
    (coding === null ? '' : `content-encoding: ${coding}\r\n`) +
    // a page that is refused reads nothing
    (status === 403 || response.req.headers.origin === undefined ? '' : CROSS_ORIGIN) +
    (window === null ? '' : rateLines(window))
  writeWhole(response, status, ['content-length', `${body.length}`], head + lines, body)
}

async function encoded({ opening, end }: Answer, coding: Coding | null) {
  if (opening !== null) return { body: coding === null ? opening.text + end : coded(opening, end, coding), coding }
  if (coding === null) return { body: end, coding }
  const made = await packed(Buffer.from(end, 'latin1'), coding)
  return { body: latin1(made.body), coding: made.coding }
}
