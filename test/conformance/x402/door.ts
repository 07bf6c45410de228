import assert from 'node:assert/strict'
import {
  type Endpoint,
  type FurtherOperationId,
  type OperationId,
  PRICED_ENDPOINTS,
} from '@ti/core/contract/endpoints.ts'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { openApiText } from '@ti/core/contract/openapi.ts'
import { createOperations } from '@ti/core/query/operations.ts'
import type { Query } from '@ti/core/query/query.ts'
import { readsOf } from '@ti/core/query/reads.ts'
import { createClientAddress } from '@ti/service/access/rate-limits/client-address.ts'
import type { Windows } from '@ti/service/access/rate-limits/windows.ts'
import type { Cashier } from '@ti/service/access/x402/types.ts'
import type { Logger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { createHttpFace } from '@ti/service/faces/http/face.ts'
import { createRequestIds } from '@ti/service/faces/http/request-id.ts'
import { createMcpFace } from '@ti/service/faces/mcp/face.ts'
import { type Answer, exchange, requestText } from '../../support/exchange.ts'
import { fakeKeys, READY } from '../../support/fake-service.ts'
import { type Receipt, receiptIn } from '../../support/payments-fixtures.ts'
import { sharedWith } from '../../support/shared.ts'
import { createJudge } from '../http/judge.ts'

const { mint, trader, deployer } = EXAMPLE_ADDRESSES

/** A call of each operation that has data. */
export type PricedOperationId = OperationId | FurtherOperationId

export const PATHS: Readonly<Record<PricedOperationId, string>> = {
  snapshot: `/v1/tokens/${mint}`,
  trades: `/v1/tokens/${mint}/trades`,
  new: '/v1/tokens/new',
  pumps: '/v1/tokens/pumps',
  graduated: '/v1/tokens/graduated',
  agents: '/v1/tokens/agents',
  survivors: '/v1/tokens/survivors',
  trader: `/v1/traders/${trader}`,
  deployer: `/v1/devs/${deployer}/tokens`,
  who: `/v1/tokens/${mint}/who`,
  check: `/v1/tokens/${mint}/check`,
  explain: `/v1/tokens/${mint}/explain`,
  actor: '/v1/actors/41',
  positions: `/v1/wallets/${trader}/positions`,
  history: `/v1/tokens/${mint}/trades/history`,
  trader_windows: `/v1/traders/${trader}/windows`,
  deployer_windows: `/v1/devs/${deployer}/windows`,
}

export interface Sales {
  /** price of all payments whose answer came with the receipt that they landed */
  units: number
  /** by the signature of a payment, the request id in its answer */
  readonly answers: Map<string, string>
}

/** A payment has one answer, however often it is read. */
function sell(sales: Sales, { transaction }: Receipt, units: number, body: string): void {
  const { meta } = JSON.parse(body) as { meta: { request_id: string } }
  const known = sales.answers.get(transaction)
  if (known === undefined) sales.units += units
  assert.equal(meta.request_id, known ?? meta.request_id, 'two answers for one payment')
  sales.answers.set(transaction, meta.request_id)
}

export interface Sent {
  readonly method?: string
  /** address of the client, on loopback */
  readonly from?: string
}

export interface ToolAnswer {
  readonly status: number
  readonly isError: boolean
  readonly content: Readonly<Record<string, unknown>>
  /** message of our error, where there is one */
  readonly message: string
  readonly receipt: Receipt | null
}

/** Both faces on one port, and ways to knock. */
export interface Door {
  readonly baseUrl: string
  /** one request; what an operation answers is judged by the OpenAPI document */
  ask(path: string, headers?: Readonly<Record<string, string>>, sent?: Sent): Promise<Answer>
  /** one tool call over MCP */
  call(tool: string, args: object, meta?: object, headers?: Readonly<Record<string, string>>): Promise<ToolAnswer>
  /** any message to the MCP path */
  post(message: unknown, headers?: Readonly<Record<string, string>>, from?: string): Promise<Answer>
}

export interface DoorOptions {
  readonly cashier: Cashier
  readonly windows: Windows
  readonly query: Query
  readonly logger: Logger
  readonly sales: Sales
}

const PUBLIC_URL = 'https://api.example.com'
const OPENAPI = openApiText({ formulasVersion: '1' })
const judge = createJudge(JSON.parse(OPENAPI) as object)
const operations = judge.operations.map(({ path, id, judge }) => ({
  id,
  judge,
  literal: !path.includes('{'),
  fits: new RegExp(`^${path.replace(/\{\w+\}/, '[^/]*')}$`),
}))

let clients = 0

/** An address that nobody has asked from before: its rate windows are new. */
export function nextClient(): string {
  const n = clients++
  return `127.${10 + Math.floor(n / 62_500)}.${1 + (Math.floor(n / 250) % 250)}.${1 + (n % 250)}`
}

/** The documented operation a path leads to. */
function operationAt(path: string) {
  const [plain = ''] = path.split('?', 1)
  const found = operations.filter(({ fits }) => fits.test(plain))
  return found.find(({ literal }) => literal) ?? found[0]
}

/** by its name in the OpenAPI document */
const priceOf = (name: string): number =>
  PRICED_ENDPOINTS.find(({ id, operationId = id }: Endpoint) => operationId === name)!.priceUnits

export async function openDoor(options: DoorOptions): Promise<Door & { close(): Promise<void> }> {
  const { cashier, windows, query, logger, sales } = options
  const clientAddress = createClientAddress([])
  const served = createOperations(readsOf(query))
  const shared = {
    keys: fakeKeys(),
    windows,
    clientAddress,
    cashier,
    logger,
    publicUrl: PUBLIC_URL,
    validateResponses: true,
  }
  const status = () => READY
  const mcp = createMcpFace({
    ...shared,
    shared: sharedWith({}),
    status,
    metrics: createMetrics(),
    operations: served,
    newRequestId: createRequestIds(),
  })
  const face = createHttpFace({
    ...shared,
    status,
    operations: served,
    metrics: createMetrics(),
    openApi: OPENAPI,
    routes: [mcp.route],
  })
  const { port } = await face.listen('127.0.0.1', 0)
  const baseUrl = `http://127.0.0.1:${port}`

  async function ask(path: string, headers = {}, { method = 'GET', from }: Sent = {}): Promise<Answer> {
    const answer = await exchange(baseUrl, requestText(method, path, headers), method !== 'HEAD', from)
    assert.ok(answer !== null, `${method} ${path}: no answer`)
    const operation = operationAt(path)
    if (operation !== undefined && (method === 'GET' || method === 'HEAD') && answer.status < 500) {
      operation.judge(answer, `${method} ${path}`, method)
      const receipt = receiptIn(answer.headers)
      if (answer.status === 200 && receipt?.success === true) {
        sell(sales, receipt, priceOf(operation.id), answer.body.toString())
      }
    }
    return answer
  }

  async function post(message: unknown, headers = {}, from?: string): Promise<Answer> {
    const body = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)).toString('latin1')
    const all = {
      host: 'localhost',
      'content-type': 'application/json',
      'content-length': `${body.length}`,
      ...headers,
    }
    const answer = await exchange(baseUrl, `${requestText('POST', '/mcp', all)}${body}`, true, from)
    assert.ok(answer !== null, 'no answer')
    return answer
  }

  return {
    baseUrl,
    ask,
    post,
    async call(tool, args, meta, headers) {
      const params = { name: tool, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) }
      const answer = readTool(await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers))
      const endpoint = PRICED_ENDPOINTS.find((one) => one.tool === tool)
      if (!answer.isError && answer.receipt?.success === true) {
        sell(sales, answer.receipt, endpoint!.priceUnits, JSON.stringify(answer.content))
      }
      return answer
    },
    async close() {
      await face.close()
      await mcp.close()
    },
  }
}

interface Message {
  readonly result?: {
    readonly isError?: boolean
    readonly content: readonly { readonly text: string }[]
    readonly _meta?: Record<string, unknown>
  }
  readonly error?: { readonly message: string }
}

export function readTool(answer: Answer): ToolAnswer {
  const { result, error } = JSON.parse(answer.body.toString()) as Message
  const { isError = result === undefined, content: texts = [], _meta: meta = {} } = result ?? {}
  const content = JSON.parse(texts[0]?.text ?? '{}') as Record<string, unknown>
  const own = (meta['token-intelligence/error'] ?? content.error ?? error) as { readonly message?: string } | undefined
  const receipt = (meta['x402/payment-response'] ?? null) as Receipt | null
  return { status: answer.status, isError, content, message: own?.message ?? '', receipt }
}
