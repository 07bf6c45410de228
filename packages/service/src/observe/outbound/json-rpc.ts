import { type Counts, count, createCounts } from '@ti/core/base/counts.ts'
import { parseJson } from '../../base/bounded-text.ts'
import { createBucket, inTurn, perSecond } from '../../base/bucket.ts'
import { backoff, type Clock, steadyClock } from '../../base/clock.ts'
import { createSemaphore } from '../../base/semaphore.ts'
import { createNodeTransport, type Reply, type Transport } from './node-transport.ts'

/** bytes of one answer of a node, unpacked: a full block has 2 to 8 MB as JSON */
export const ANSWER_BYTES = 64 << 20
/** milliseconds one request may take: a block of several MB over a slow line */
const TIMEOUT_MS = 20_000
/** milliseconds one request for accounts, signatures or transactions may take, as payments, deposits and observers make them */
export const QUICK_TIMEOUT_MS = 10_000
/** connections to one node */
export const CONNECTIONS = 16
/** times a request is tried, and milliseconds between the first two and between any two tries: together some 8 s */
const ATTEMPTS = 6
export const BACKOFF = { firstMs: 250, mostMs: 10_000 } as const
/** milliseconds without requests after "too many" that names no time, and the longest time that is believed */
const LIMITED_MS = 1_000
const RETRY_AFTER_MS = 60_000
/** requests a second: what small plans allow, and polling whole blocks needs 5; the most that SOURCE may set */
export const REQUESTS_PER_SECOND = 20
export const REQUESTS_PER_SECOND_MAX = 1_000

/**
 * Why there is no result. `refused`: the node's own error, with its code; `limited`: too many requests; `http`: another
 * status than 200; `budget`: as many requests were made as were allowed. Never with the node's address: it may carry a key.
 */
type RpcReason =
  | 'refused'
  | 'limited'
  | 'http'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'malformed'
  | 'budget'
  | 'aborted'

export interface RpcFailed {
  readonly ok: false
  readonly reason: RpcReason
  /** the node's error code; null if it did not answer */
  readonly code: number | null
  /** the node's message of a refusal */
  readonly message?: string
}

export type RpcAnswer = { readonly ok: true; readonly result: unknown } | RpcFailed

export interface CallOptions {
  /** attempts at most; ATTEMPTS by default */
  readonly attempts?: number
  /** called with every answer; true if a later one may differ. A request without an answer is always tried again */
  readonly again?: (answer: RpcAnswer) => boolean
}

export interface RpcClient {
  call(method: string, params: readonly unknown[], signal: AbortSignal, options?: CallOptions): Promise<RpcAnswer>
  /** the node answered the last request that ended, even with an error; the clock's time of its last answer, -1 none yet */
  readonly reachable: boolean
  readonly answeredAt: number
  /** requests sent, and whether the budget is used up */
  readonly requests: number
  readonly exhausted: boolean
  /** `rpc:<method>` and `rpc_failed:<reason>` */
  readonly counts: Counts
  close(): Promise<void>
}

interface RpcClientOptions {
  readonly url: URL
  /** null: as many as its callers make */
  readonly requestsPerSecond?: number | null
  /** requests in all; without it there is no end */
  readonly requestsMax?: number
  readonly counts?: Counts
  readonly timeoutMs?: number
  /** bytes of an answer, unpacked */
  readonly bytesMax?: number
  /** requests at once: more wait in turn */
  readonly connections?: number
  readonly transport?: Transport
  readonly clock?: Clock
  readonly random?: () => number
}

export function createRpcClient(options: RpcClientOptions): RpcClient {
  const { counts = createCounts(), clock = steadyClock, random = Math.random, timeoutMs = TIMEOUT_MS } = options
  const { requestsMax = Number.POSITIVE_INFINITY, requestsPerSecond = REQUESTS_PER_SECOND } = options
  const { bytesMax = ANSWER_BYTES, connections: atOnce = CONNECTIONS } = options
  const transport = options.transport ?? createNodeTransport(options.url, bytesMax, atOnce)
  const bucket = requestsPerSecond === null ? null : createBucket(perSecond(requestsPerSecond), clock.now)
  const take = bucket === null ? null : inTurn(bucket, clock)
  // callers bound their calls; none is turned away here
  const connections = createSemaphore({ atOnce, waiting: Number.POSITIVE_INFINITY })
  let requests = 0
  let reachable = true
  let answeredAt = -1

  async function once(method: string, params: readonly unknown[], signal: AbortSignal): Promise<RpcAnswer> {
    if (take !== null && !(await take(signal))) return failed('aborted')
    // the others wait in turn, so that the time of a request is its own
    const answer = await connections.run(async () =>
      signal.aborted ? failed('aborted') : send(method, params, signal),
    )
    return answer!
  }

  async function send(method: string, params: readonly unknown[], signal: AbortSignal): Promise<RpcAnswer> {
    if (requests >= requestsMax) return failed('budget')
    const id = ++requests
    count(counts, `rpc:${method}`)
    const limit = createDeadline(timeoutMs, signal, clock)
    try {
      const reply = await transport.post(JSON.stringify({ jsonrpc: '2.0', id, method, params }), limit.signal)
      const answer = read(reply, id)
      reachable = answer.ok || answer.reason === 'refused' || answer.reason === 'too_large'
      if (reachable) answeredAt = clock.now()
      if (!answer.ok && answer.reason === 'limited') bucket?.pause(pauseOf(reply.retryAfter))
      return answer
    } catch {
      if (signal.aborted) return failed('aborted')
      reachable = false
      return failed(limit.passed() ? 'timeout' : 'unreachable')
    } finally {
      limit.done()
    }
  }

  return {
    async call(method, params, signal, { attempts = ATTEMPTS, again = () => false } = {}) {
      for (let n = 0; ; n++) {
        const answer = await once(method, params, signal)
        if (!answer.ok) count(counts, `rpc_failed:${answer.reason}`)
        const repeat = isTransient(answer) || again(answer)
        if (!repeat || n + 1 >= attempts || signal.aborted) return answer
        await clock.sleep(backoff(n, BACKOFF.firstMs, BACKOFF.mostMs, random), signal)
      }
    },
    get reachable() {
      return reachable
    },
    get answeredAt() {
      return answeredAt
    },
    get requests() {
      return requests
    },
    get exhausted() {
      return requests >= requestsMax
    },
    counts,
    close: () => transport.close(),
  }
}

const failed = (reason: RpcReason, code: number | null = null): RpcFailed => ({ ok: false, reason, code })

const isTransient = (answer: RpcAnswer): boolean =>
  !answer.ok && ['limited', 'http', 'unreachable', 'timeout', 'malformed'].includes(answer.reason)

/** The expected shape of an answer; each part of it may be anything. */
interface Envelope {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null
}

/** Codes by which nodes and their gateways report too many requests, as a status or as an error. */
const TOO_MANY = new Set([429, -32429])

function read({ status, text }: Reply, id: number): RpcAnswer {
  if (TOO_MANY.has(status)) return failed('limited')
  if (text === null) return failed('too_large')
  const answer = parseJson(text) as Envelope | null
  // an error of the node may come with any status
  const { code, message } = answer?.error ?? {}
  if (typeof code === 'number' && TOO_MANY.has(code)) return failed('limited', code)
  if (typeof code === 'number')
    return { ...failed('refused', code), message: typeof message === 'string' ? message : '' }
  if (status !== 200) return failed(status === 503 ? 'limited' : 'http')
  if (answer === null || answer.id !== id || answer.result === undefined) return failed('malformed')
  return { ok: true, result: answer.result }
}

/** The milliseconds of Retry-After (seconds or a date), with a bound: no server makes us wait for a day. */
function pauseOf(header: string | null): number {
  if (header === null) return LIMITED_MS
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Math.min(RETRY_AFTER_MS, Math.max(0, (Number.isFinite(seconds) ? seconds : 0) * 1000))
}

/** One signal for an abort from outside and for the time that is up. */
function createDeadline(ms: number, outer: AbortSignal, clock: Clock) {
  const stop = new AbortController()
  const timer = new AbortController()
  let late = false
  const abort = (): void => stop.abort()
  void clock.sleep(ms, timer.signal).then(() => {
    if (timer.signal.aborted) return
    late = true
    stop.abort()
  })
  outer.addEventListener('abort', abort, { once: true })
  if (outer.aborted) abort()
  return {
    signal: stop.signal,
    passed: () => late,
    done() {
      timer.abort()
      outer.removeEventListener('abort', abort)
    },
  }
}
