import './own-fetch.ts'
import { setMaxListeners } from 'node:events'
import { type Counts, count, createCounts } from '@ti/core/base/counts.ts'
import { Client, type Dispatcher, Pool } from 'undici'
import { createInFlight } from '../../base/in-flight.ts'
import { type Headers, isAccepted, mediaType, readBody, single } from './body.ts'
import { CONNECT_MS, judgedAddresses, openConnection } from './connect.ts'
import { type Network, SYSTEM_NETWORK } from './network.ts'
import { type Refusal, Refused, reasonOf } from './reasons.ts'
import { type NamedBy, readOrigin, readTarget, type Target } from './target.ts'

/** requests on their way, in all (the observers' own bounds add up to 31) and to one host */
const IN_FLIGHT = 32
const PER_HOST = 6
/** redirects that are followed: a gateway needs one or two */
const REDIRECTS = 3
/** bytes of an answer's headers */
const HEADER_BYTES = 16_384

/** The purpose of a request; with the outcome it names a count. */
type Purpose =
  | ('metadata' | 'image' | 'dex' | 'price' | 'list' | 'rpc')
  | ('facilitator' | 'webhook' | 'telegram' | 'discord')

export interface OutboundRequest {
  readonly url: string
  readonly purpose: Purpose
  /** origin of the host: the operator's allowed origins apply only to the operator's own hosts */
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

/** A message that is handed over: JSON text, and whatever the other side answers. */
export interface OutboundPost
  extends Pick<OutboundRequest, 'url' | 'purpose' | 'namedBy' | 'bytesMax' | 'timeoutMs' | 'signal'> {
  readonly json: string
  /** beside those that every request has; names in lower case */
  readonly headers?: Readonly<Record<string, string>>
}

export type Posted =
  | {
      readonly ok: true
      /** any, also of a redirect: none is followed */
      readonly status: number
      /** headers that were sent once; names in lower case */
      readonly headers: Readonly<Record<string, string>>
      /** null where it is over `bytesMax`, did not arrive whole, or `bytesMax` is 0: the status counts all the same */
      readonly text: string | null
    }
  | { readonly ok: false; readonly reason: Refusal }

/** A question to a service of the operator's, whose whole answer is needed, whatever its status. */
export interface OutboundQuestion
  extends Pick<OutboundRequest, 'url' | 'purpose' | 'bytesMax' | 'timeoutMs' | 'signal'> {
  /** null: a GET */
  readonly json: string | null
  /** beside those that every request has; names in lower case */
  readonly headers?: Readonly<Record<string, string>>
  /** accepts an answer in gzip */
  readonly gzip?: boolean
}

type Answered =
  | {
      readonly ok: true
      /** any, also of a redirect: none is followed */
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  | { readonly ok: false; readonly reason: Refusal }

type Read = { readonly ok: true; readonly bytes: number } | { readonly ok: false; readonly reason: Refusal }

interface Received {
  readonly type: string
  readonly bytes: number
}
type Outcome<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly reason: Refusal }

/** The only way out for requests that strangers can influence. Never throws because of a server or a name. */
export interface Outbound {
  get(request: OutboundRequest): Promise<Fetched>
  /** the same, the body handed over in pieces and not kept */
  read(request: OutboundRequest, take: (piece: Buffer) => void): Promise<Read>
  /** `purpose:reason`, or `purpose:ok` */
  readonly counts: Counts
  readonly inFlight: number
  /** ends requests in flight; afterwards every request is refused as closed */
  close(): void
}

/** The same way out for questions to the operator's own services. */
export interface Asking extends Pick<Outbound, 'counts' | 'close'> {
  ask(question: OutboundQuestion): Promise<Answered>
}

/** The same way out for messages. */
export interface Poster extends Pick<Outbound, 'counts' | 'close'> {
  /** hands a message over; `bytesMax` of 0 leaves the answer's body unread */
  post(request: OutboundPost): Promise<Posted>
  /** why a URL of a stranger's would be refused before anything is sent, its name resolved; null: it would be tried */
  refusalOf(url: string): Promise<Refusal | null>
  /** strangers may name this machine */
  readonly loopback: boolean
}

export interface OutboundOptions {
  /** origins (`http://10.0.0.5:8080`) that the operator's own URLs may name, wherever they are */
  readonly allow?: readonly string[]
  /** strangers may name this machine, by any port: only where there are none */
  readonly loopback?: boolean
  readonly inAll?: number
  readonly perHost?: number
}

export const createOutbound = (options: OutboundOptions = {}): Outbound & Poster & Asking =>
  createOutboundOn(SYSTEM_NETWORK, options)

/** For tests, which play the internet on loopback. The filter is not part of the network: it cannot be left out. */
export function createOutboundOn(network: Network, options: OutboundOptions): Outbound & Poster & Asking {
  const { allow = [], loopback = false, inAll = IN_FLIGHT, perHost = PER_HOST } = options
  const allowed = new Set(allow.flatMap((text) => readOrigin(text) ?? []))
  const places = createInFlight()
  const counts = createCounts()
  const closing = new AbortController()
  // no more than origins are allowed
  const pools = new Map<string, Pool>()
  // one for each request on its way
  setMaxListeners(inAll + 1, closing.signal)

  const read: Outbound['read'] = async (request, take) => {
    const result = await answered(request, take)
    count(counts, `${request.purpose}:${result.ok ? 'ok' : result.reason}`)
    return result
  }

  const answered = (request: OutboundRequest, take: (piece: Buffer) => void): Promise<Outcome<Received>> =>
    held(request, (signal) => followed(request, take, signal))

  /** Runs a request within the bounds of requests in flight and of its own time. */
  async function held<T extends object>(
    request: Pick<OutboundRequest, 'timeoutMs' | 'signal'>,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<Outcome<T>> {
    if (closing.signal.aborted || request.signal?.aborted === true) return { ok: false, reason: 'closed' }
    const place = places.enter([{ subject: ALL, most: inAll }])
    if (!place.ok) return { ok: false, reason: 'busy' }
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new Refused('timeout')), request.timeoutMs)
    const stop = (): void => deadline.abort(new Refused('closed'))
    for (const signal of [closing.signal, request.signal]) signal?.addEventListener('abort', stop, { once: true })
    try {
      return { ok: true, ...(await run(deadline.signal)) }
    } catch (error) {
      // an error after the deadline is a consequence of it
      return { ok: false, reason: reasonOf(deadline.signal.aborted ? deadline.signal.reason : error) }
    } finally {
      clearTimeout(timer)
      for (const signal of [closing.signal, request.signal]) signal?.removeEventListener('abort', stop)
      place.leave()
    }
  }

  /** Redirects are followed by hand: once one leaves the operator's origin, its host counts as a stranger's. */
  async function followed(request: OutboundRequest, take: (piece: Buffer) => void, signal: AbortSignal) {
    let { namedBy } = request
    let target = targetOf(request.url, namedBy)
    for (let hops = 0; ; hops++) {
      const outcome = await visited(target, request, take, signal)
      if (outcome.moved === undefined) return outcome
      if (hops >= REDIRECTS || request.json !== undefined) throw new Refused('redirects')
      const next = URL.canParse(outcome.moved, target.url.href) ? new URL(outcome.moved, target.url) : null
      if (next === null || (target.url.protocol === 'https:' && next.protocol === 'http:'))
        throw new Refused('redirect')
      if (next.origin !== target.url.origin) namedBy = 'stranger'
      target = targetOf(next.href, namedBy)
    }
  }

  function targetOf(url: string, namedBy: NamedBy): Target {
    const found = readTarget(url, namedBy, allowed, loopback)
    if (!found.ok) throw new Refused(found.reason)
    return found.target
  }

  async function visited(
    target: Target,
    request: OutboundRequest,
    take: (piece: Buffer) => void,
    signal: AbortSignal,
  ): Promise<Received & { moved?: string }> {
    return connected(target, request, head(target.url, request), signal, async (response) => {
      const moved = locationOf(response)
      if (moved !== null) return { moved, type: '', bytes: 0 }
      const type = mediaType(response.headers)
      if (!isAccepted(type, request.accept)) throw new Refused('content_type')
      return { type, bytes: await readBody(response.body, response.headers, request.bytesMax, take) }
    })
  }

  async function posted(request: OutboundPost, signal: AbortSignal) {
    const target = targetOf(request.url, request.namedBy)
    return connected(target, request, postHead(target.url, request), signal, async (response) => ({
      status: response.statusCode,
      headers: onceSent(response.headers),
      text: await textOf(response, request.bytesMax),
    }))
  }

  async function asked(question: OutboundQuestion, signal: AbortSignal) {
    const target = targetOf(question.url, 'operator')
    return connected(target, question, questionHead(target.url, question), signal, async (response) => ({
      status: response.statusCode,
      headers: onceSent(response.headers),
      text: await wholeText(response, question.bytesMax),
    }))
  }

  /** Connections to the origins that the operator allowed stay open between requests. */
  function poolTo(target: Target): Pool {
    const { origin } = target.url
    const known = pools.get(origin)
    if (known !== undefined) return known
    const pool = new Pool(origin, { connections: perHost, ...clientOptions(target, network, closing.signal) })
    pools.set(origin, pool)
    return pool
  }

  /** The client of a request, and what is done with it afterwards. */
  function clientFor(target: Target, signal: AbortSignal): { readonly client: Pool | Client; end(): void } {
    if (target.allowed) return { client: poolTo(target), end() {} }
    // a connection serves one request: nothing of one stranger's answer can reach another's
    const client = new Client(target.url.origin, clientOptions(target, network, signal))
    return { client, end: () => void client.destroy().catch(() => {}) }
  }

  async function connected<T>(
    target: Target,
    { timeoutMs }: Pick<OutboundRequest, 'timeoutMs'>,
    options: RequestHead,
    signal: AbortSignal,
    take: (response: Dispatcher.ResponseData) => Promise<T>,
  ): Promise<T> {
    const place = places.enter([{ subject: `host ${target.host}`, most: perHost }])
    if (!place.ok) throw new Refused('busy')
    const { client, end } = clientFor(target, signal)
    try {
      const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
      const response = await client.request({ ...options, ...limits, reset: !target.allowed, signal })
      response.body.on('error', () => {})
      try {
        return await take(response)
      } finally {
        // an unread rest of the body ends its connection
        response.body.destroy()
      }
    } finally {
      end()
      place.leave()
    }
  }

  return {
    async get(request) {
      const pieces: Buffer[] = []
      const result = await answered(request, (piece) => pieces.push(piece))
      count(counts, `${request.purpose}:${result.ok ? 'ok' : result.reason}`)
      if (!result.ok) return result
      return { ok: true, status: 200, contentType: result.type, bytes: Buffer.concat(pieces) }
    },
    read,
    async post(request) {
      const result = await held(request, (signal) => posted(request, signal))
      count(counts, `${request.purpose}:${result.ok ? 'ok' : result.reason}`)
      return result
    },
    async ask(question) {
      const result = await held(question, (signal) => asked(question, signal))
      count(counts, `${question.purpose}:${result.ok ? 'ok' : result.reason}`)
      return result
    },
    async refusalOf(url) {
      const request = { timeoutMs: CONNECT_MS }
      const result = await held(request, async (signal) => ({
        addresses: await judgedAddresses(targetOf(url, 'stranger'), network, signal),
      }))
      return result.ok ? null : result.reason
    },
    loopback,
    counts,
    get inFlight() {
      return places.of(ALL)
    },
    close() {
      closing.abort()
      for (const pool of pools.values()) pool.destroy().catch(() => {})
    },
  }
}

/** No cookies, no proxy of the environment, no session of TLS; every connection is dialled with the checks. */
function clientOptions(target: Target, network: Network, signal: AbortSignal): Client.Options {
  return {
    maxHeaderSize: HEADER_BYTES,
    pipelining: 1,
    connect: (_options, done) => {
      openConnection(target, network, signal).then(
        (socket) => done(null, socket),
        (error) => done(error, null),
      )
    },
  }
}

type RequestHead = Omit<Dispatcher.RequestOptions, 'origin'>

function head(url: URL, { accept, json }: OutboundRequest): RequestHead {
  const headers = { 'user-agent': USER_AGENT, accept: accept.join(', '), 'accept-encoding': 'identity' }
  const path = url.pathname + url.search
  if (json === undefined) return { method: 'GET', path, headers }
  return { method: 'POST', path, body: json, headers: { ...headers, 'content-type': 'application/json' } }
}

const postHead = (url: URL, { json, headers = {} }: OutboundPost): RequestHead => ({
  method: 'POST',
  path: url.pathname + url.search,
  body: json,
  headers: {
    ...headers,
    'user-agent': USER_AGENT,
    accept: '*/*',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
  },
})

function questionHead(url: URL, { json, headers = {}, gzip = false }: OutboundQuestion): RequestHead {
  const own = {
    ...headers,
    'user-agent': USER_AGENT,
    accept: 'application/json',
    'accept-encoding': gzip ? 'gzip' : 'identity',
  }
  const path = url.pathname + url.search
  if (json === null) return { method: 'GET', path, headers: own }
  return { method: 'POST', path, body: json, headers: { ...own, 'content-type': 'application/json' } }
}

const onceSent = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((one): one is [string, string] => typeof one[1] === 'string'))

/** A delivered message stays delivered if the body of the answer fails. */
async function textOf(response: Dispatcher.ResponseData, bytesMax: number): Promise<string | null> {
  if (bytesMax === 0) return null
  return wholeText(response, bytesMax).catch(() => null)
}

async function wholeText({ body, headers }: Dispatcher.ResponseData, bytesMax: number): Promise<string> {
  const pieces: Buffer[] = []
  await readBody(body, headers as Headers, bytesMax, (piece) => pieces.push(piece))
  return Buffer.concat(pieces).toString()
}

const ALL = 'all'
const USER_AGENT = 'token-intelligence/0.1'
const MOVED = new Set([301, 302, 303, 307, 308])

/** The target of a redirect; null for the answer itself. */
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
