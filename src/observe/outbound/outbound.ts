import { setMaxListeners } from 'node:events'
import { Client, type Dispatcher } from 'undici'
import { type Counts, count, createCounts } from '../../base/counts.ts'
import { LIMITS } from '../../config/limits.ts'
import { type Headers, isAccepted, mediaType, readBody, single } from './body.ts'
import { openConnection } from './connect.ts'
import { type Network, SYSTEM_NETWORK } from './network.ts'
import { createPlaces } from './places.ts'
import { type Refusal, Refused, reasonOf } from './reasons.ts'
import { type NamedBy, readOrigin, readTarget, type Target } from './target.ts'

/** What a request is for; with the outcome it names a count. */
type Purpose = 'metadata' | 'image' | 'dex' | 'price' | 'list' | 'rpc'

export interface OutboundRequest {
  readonly url: string
  readonly purpose: Purpose
  /** who named the host: the operator's allowed origins apply only to the operator's own hosts */
  readonly namedBy: NamedBy
  /** media types that are taken, like `application/json` or `image/*`; a missing one is `application/octet-stream` */
  readonly accept: readonly string[]
  /** bytes of the body, compressed or not */
  readonly bytesMax: number
  /** the whole request: names, connections, redirects and the body's last byte */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** POST this JSON text; a redirect is then refused */
  readonly json?: string
}

export type Fetched =
  | { readonly ok: true; readonly status: number; readonly contentType: string; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: Refusal }

type Read = { readonly ok: true; readonly bytes: number } | { readonly ok: false; readonly reason: Refusal }

/** The only way out for what strangers can influence. Never throws for what a server or a name does. */
export interface Outbound {
  get(request: OutboundRequest): Promise<Fetched>
  /** the same, the body handed over in pieces and not kept */
  read(request: OutboundRequest, take: (piece: Buffer) => void): Promise<Read>
  /** `purpose:reason`, or `purpose:ok` */
  readonly counts: Counts
  readonly inFlight: number
  /** ends what is on its way; afterwards every request is refused as closed */
  close(): void
}

export interface OutboundOptions {
  /** origins (`http://10.0.0.5:8080`) that the operator's own URLs may name, wherever they are */
  readonly allow?: readonly string[]
  readonly inAll?: number
  readonly perHost?: number
}

export const createOutbound = (options: OutboundOptions = {}): Outbound => createOutboundOn(SYSTEM_NETWORK, options)

/** For tests, which play the internet on loopback. The filter is not part of the network: it cannot be left out. */
export function createOutboundOn(network: Network, options: OutboundOptions): Outbound {
  const { allow = [], inAll = LIMITS.outboundInFlight, perHost = LIMITS.outboundPerHost } = options
  const allowed = new Set(allow.flatMap((text) => readOrigin(text) ?? []))
  const places = createPlaces({ inAll, perHost })
  const counts = createCounts()
  const closing = new AbortController()
  // one for each request on its way
  setMaxListeners(inAll + 1, closing.signal)

  const read: Outbound['read'] = async (request, take) => {
    const result = await answered(request, take)
    count(counts, `${request.purpose}:${result.ok ? 'ok' : result.reason}`)
    return result
  }

  async function answered(request: OutboundRequest, take: (piece: Buffer) => void): Promise<Read & { type?: string }> {
    if (closing.signal.aborted || request.signal?.aborted === true) return { ok: false, reason: 'closed' }
    if (!places.enter()) return { ok: false, reason: 'busy' }
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new Refused('timeout')), request.timeoutMs)
    const stop = (): void => deadline.abort(new Refused('closed'))
    for (const signal of [closing.signal, request.signal]) signal?.addEventListener('abort', stop, { once: true })
    try {
      return { ok: true, ...(await followed(request, take, deadline.signal)) }
    } catch (error) {
      // whatever broke after the end broke because of it
      return { ok: false, reason: reasonOf(deadline.signal.aborted ? deadline.signal.reason : error) }
    } finally {
      clearTimeout(timer)
      for (const signal of [closing.signal, request.signal]) signal?.removeEventListener('abort', stop)
      places.leave()
    }
  }

  /** Redirects are followed by hand: each is the word of a stranger, once it leaves where the operator sent us. */
  async function followed(request: OutboundRequest, take: (piece: Buffer) => void, signal: AbortSignal) {
    let { namedBy } = request
    let target = targetOf(request.url, namedBy)
    for (let hops = 0; ; hops++) {
      const outcome = await visited(target, request, take, signal)
      if (outcome.moved === undefined) return outcome
      if (hops >= LIMITS.outboundRedirects || request.json !== undefined) throw new Refused('redirects')
      const next = URL.canParse(outcome.moved, target.url.href) ? new URL(outcome.moved, target.url) : null
      if (next === null || (target.url.protocol === 'https:' && next.protocol === 'http:'))
        throw new Refused('redirect')
      if (next.origin !== target.url.origin) namedBy = 'stranger'
      target = targetOf(next.href, namedBy)
    }
  }

  function targetOf(url: string, namedBy: NamedBy): Target {
    const found = readTarget(url, namedBy, allowed)
    if (!found.ok) throw new Refused(found.reason)
    return found.target
  }

  async function visited(
    target: Target,
    request: OutboundRequest,
    take: (piece: Buffer) => void,
    signal: AbortSignal,
  ): Promise<{ moved?: string; type: string; bytes: number }> {
    if (!places.enterHost(target.host)) throw new Refused('busy')
    const client = clientTo(target, network, request.timeoutMs, signal)
    try {
      const response = await client.request({ ...head(target.url, request), signal })
      response.body.on('error', () => {})
      const moved = locationOf(response)
      if (moved !== null) return { moved, type: '', bytes: 0 }
      const type = mediaType(response.headers)
      if (!isAccepted(type, request.accept)) throw new Refused('content_type')
      return { type, bytes: await readBody(response.body, response.headers, request.bytesMax, take) }
    } finally {
      // a connection serves one request: nothing of one stranger's answer can reach another's
      client.destroy().catch(() => {})
      places.leaveHost(target.host)
    }
  }

  return {
    async get(request) {
      const pieces: Buffer[] = []
      const result = await answered(request, (piece) => pieces.push(piece))
      count(counts, `${request.purpose}:${result.ok ? 'ok' : result.reason}`)
      if (!result.ok) return result
      return { ok: true, status: 200, contentType: result.type ?? '', bytes: Buffer.concat(pieces) }
    },
    read,
    counts,
    get inFlight() {
      return places.taken
    },
    close() {
      closing.abort()
    },
  }
}

/** No cookies, no proxy of the environment, no session of TLS: a client knows one host, for one request. */
function clientTo(target: Target, network: Network, timeoutMs: number, signal: AbortSignal): Client {
  return new Client(target.url.origin, {
    maxHeaderSize: LIMITS.outboundHeaderBytes,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    pipelining: 1,
    connect: (_options, done) => {
      openConnection(target, network, signal).then(
        (socket) => done(null, socket),
        (error) => done(error, null),
      )
    },
  })
}

function head(url: URL, { accept, json }: OutboundRequest): Omit<Dispatcher.RequestOptions, 'origin'> {
  const headers = { 'user-agent': USER_AGENT, accept: accept.join(', '), 'accept-encoding': 'identity' }
  const path = url.pathname + url.search
  if (json === undefined) return { method: 'GET', path, headers, reset: true }
  return { method: 'POST', path, body: json, headers: { ...headers, 'content-type': 'application/json' }, reset: true }
}

const USER_AGENT = 'token-intelligence/0.1'
const MOVED = new Set([301, 302, 303, 307, 308])

/** Where a redirect leads; null for the answer itself. */
function locationOf({ statusCode: status, headers }: Dispatcher.ResponseData): string | null {
  if (status === 200) return null
  if (MOVED.has(status)) {
    const location = single(headers as Headers, 'location')
    if (location === null) throw new Refused('redirect')
    return location
  }
  if (status === 404 || status === 410) throw new Refused('missing')
  if (status === 429) throw new Refused('rate')
  throw new Refused(status >= 500 ? 'server' : 'status')
}
