import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { encode, envelopeV1, envelopeV2 } from '../support/payments-fixtures.ts'

/** Something that is sold, and what a call for it has to answer. */
export interface Good {
  readonly path: string
  /** null: not sold over MCP */
  readonly tool: string | null
  readonly args: Readonly<Record<string, unknown>>
  /** smallest units */
  readonly amount: number
  /** JSON of the answer's `data`, where it is known */
  readonly expected: string | null
}

/** The ways a payment comes in: two headers, two places of a tool call. */
export const WAYS = ['v2', 'v1', 'argument', 'meta'] as const
export type Way = (typeof WAYS)[number]

export interface Paper {
  /** base64 of the partially signed transaction */
  readonly transaction: string
  readonly amount: number
  readonly payTo: string
  readonly feePayer: string
}

/** What a client made of an answer. */
export type Verdict =
  /** data and a receipt of success; `madeFor`: the id of the request that the answer was made for */
  | {
      readonly kind: 'data'
      readonly signature: string
      readonly payer: string
      readonly data: string
      readonly madeFor: string
    }
  /** an answer that was not charged for */
  | { readonly kind: 'free'; readonly data: string }
  | { readonly kind: 'refused'; readonly message: string }
  /** 503 */
  | { readonly kind: 'wait'; readonly message: string }
  | { readonly kind: 'bad request' | 'not found' | 'limited' }
  /** no whole answer: the connection broke, or there was none */
  | { readonly kind: 'lost' }
  /** the client itself left */
  | { readonly kind: 'left' }
  | { readonly kind: 'odd'; readonly text: string }

export interface Ask {
  readonly good: Good
  readonly way: Way
  /** a payment, or what is sent in its place */
  readonly paper?: Paper | string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** loopback address it comes from */
  readonly from: string
  /** milliseconds after which the client leaves */
  readonly patienceMs: number
}

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const envelopeOf = ({ transaction, amount, payTo, feePayer }: Paper, version: 1 | 2): object =>
  version === 1 ? envelopeV1(transaction) : envelopeV2(transaction, amount, payTo, feePayer)

/** Text that goes out as a payment header or argument; what is junk stays as it is. */
export const paymentText = (paper: Paper | string, version: 1 | 2): string =>
  typeof paper === 'string' ? paper : encode(envelopeOf(paper, version))

/** One call; never throws. */
export async function ask(url: string, wanted: Ask): Promise<Verdict> {
  const overMcp = wanted.way === 'argument' || wanted.way === 'meta'
  const reply = await (overMcp ? callTool(url, wanted) : get(url, wanted))
  if (typeof reply === 'string') return { kind: reply }
  try {
    return overMcp ? readTool(reply) : readHttp(reply)
  } catch (error) {
    return odd(reply, error)
  }
}

const odd = ({ status, body }: Reply, error: unknown): Verdict => ({
  kind: 'odd',
  text: `${status} ${(error as Error).message} ${body.slice(0, 300)}`,
})

function get(url: string, { good, way, paper, headers, from, patienceMs }: Ask): Promise<Reply | 'lost' | 'left'> {
  const name = way === 'v1' ? 'x-payment' : 'payment-signature'
  const payment = paper === undefined ? {} : { [name]: paymentText(paper, way === 'v1' ? 1 : 2) }
  return send(url + good.path, 'GET', { ...headers, ...payment }, from, patienceMs)
}

function callTool(url: string, { good, way, paper, headers, from, patienceMs }: Ask): Promise<Reply | 'lost' | 'left'> {
  const args: Record<string, unknown> = { ...good.args }
  let meta = {}
  if (paper !== undefined && way === 'argument') args.x_payment = paymentText(paper, 2)
  if (paper !== undefined && way === 'meta') {
    meta = { _meta: { 'x402/payment': typeof paper === 'string' ? paper : envelopeOf(paper, 2) } }
  }
  const params = { name: good.tool, arguments: args, ...meta }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const all = { 'content-type': 'application/json', ...headers }
  return send(`${url}/mcp`, 'POST', all, from, patienceMs, body)
}

function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  localAddress: string,
  patienceMs: number,
  body = '',
): Promise<Reply | 'lost' | 'left'> {
  return new Promise((done) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const request = httpRequest(url, { method, localAddress, agent: false, headers: { ...headers, ...length } })
    const leave = (): void => {
      done('left')
      request.destroy()
    }
    // what has arrived by then is read first
    const patience = setTimeout(() => setImmediate(leave), patienceMs)
    const end = (reply: Reply | 'lost'): void => {
      clearTimeout(patience)
      done(reply)
    }
    request.on('error', () => end('lost'))
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => void chunks.push(chunk))
      response.on('error', () => end('lost'))
      response.on('close', () => {
        const { statusCode: status = 0, headers, complete } = response
        end(complete ? { status, headers, body: Buffer.concat(chunks).toString() } : 'lost')
      })
    })
    request.end(body)
  })
}

interface Receipt {
  readonly success: boolean
  readonly transaction: string
  readonly payer: string
}

interface ErrorBody {
  readonly error?: { readonly code: string; readonly message: string; readonly retry_after?: number }
}

interface Sold {
  readonly data?: unknown
  readonly meta?: { readonly request_id: string }
}

function sold({ data, meta }: Sold, receipt: Receipt | null): Verdict {
  const text = JSON.stringify(data)
  if (receipt === null) return { kind: 'free', data: text }
  if (!receipt.success) throw new Error('data beside the receipt of a failure')
  const { transaction: signature, payer } = receipt
  return { kind: 'data', signature, payer, data: text, madeFor: meta!.request_id }
}

function readHttp({ status, headers, body }: Reply): Verdict {
  const given = JSON.parse(body) as ErrorBody & Sold
  const header = headers['payment-response'] ?? headers['x-payment-response']
  const receipt = header === undefined ? null : JSON.parse(Buffer.from(String(header), 'base64').toString())
  if (status === 200 && given.data !== undefined) return sold(given, receipt)
  if (given.data !== undefined) throw new Error('data in an answer that is no 200')
  if (receipt?.success === true) throw new Error('a receipt of success without data')
  if (status === 402) return { kind: 'refused', message: given.error!.message }
  if (status === 503) return { kind: 'wait', message: given.error!.message }
  if (status === 400) return { kind: 'bad request' }
  if (status === 404) return { kind: 'not found' }
  if (status === 429) return { kind: 'limited' }
  throw new Error('an unexpected status')
}

interface ToolAnswer {
  readonly result: {
    readonly isError?: boolean
    readonly content: readonly { readonly text: string }[]
    readonly _meta?: Readonly<Record<string, unknown>>
  }
}

function readTool({ status, body }: Reply): Verdict {
  if (status === 429) return { kind: 'limited' }
  const { isError = false, content: texts, _meta: meta = {} } = (JSON.parse(body) as ToolAnswer).result
  const content = JSON.parse(texts[0]!.text) as ErrorBody & Sold & { readonly x402Version?: number }
  const receipt = (meta['x402/payment-response'] as Receipt | undefined) ?? null
  if (!isError) return sold(content, receipt)
  if (content.data !== undefined) throw new Error('data in a failed result')
  if (receipt?.success === true) throw new Error('a receipt of success without data')
  if (content.x402Version === 2) return { kind: 'refused', message: String((content as { error?: unknown }).error) }
  switch (content.error?.code) {
    case 'internal_error':
      if (content.error.retry_after === undefined) throw new Error('an error of its own')
      return { kind: 'wait', message: content.error.message }
    case 'bad_request':
      return { kind: 'bad request' }
    case 'not_found':
      return { kind: 'not found' }
    case 'rate_limited':
      return { kind: 'limited' }
    default:
      throw new Error('an unexpected result')
  }
}
