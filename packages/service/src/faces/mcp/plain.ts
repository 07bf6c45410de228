import type { IncomingHttpHeaders } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  type Implementation,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { type Forms, latin1, type Opening } from '@ti/core/query/envelope.ts'
import { isObject, type Json } from './payment.ts'
import type { Reply } from './results.ts'

/**
 * A call that needs nothing of the protocol beyond its answer. The SDK builds a server, a transport, a request and a response
 * for each message, which is ten times the work of the call itself; these messages go past it and get the same answer.
 */
export interface PlainCall {
  readonly id: string | number
  readonly isModern: boolean
}

const MODERN = '2026-07-28'
const MESSAGE: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
const NOTHING: ReadonlySet<string> = new Set()
const PARAMS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta'])
const ENVELOPE: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
])
/** characters of an id: it goes uncompressed into a compressed answer */
const ID_LENGTH = 256

function hasOnly(object: Json, names: ReadonlySet<string>): boolean {
  for (const name in object) if (!names.has(name)) return false
  return true
}

const isId = (id: unknown): id is string | number =>
  typeof id === 'string' ? id.length <= ID_LENGTH : Number.isSafeInteger(id)

/** envelopes that the SDK has judged: a client sends the same one with every call */
const judged = new Map<string, boolean>()
/** kinds of clients at a time; a full map begins again, at the price of one more look each */
const JUDGED_MAX = 100
/** characters of an envelope that is remembered: a client's name, version and capabilities */
const ENVELOPE_LENGTH = 1_000

/** The rest of the message was compared before, so that the SDK's word on it depends on its envelope only. */
function isModernEnvelope(message: Json, meta: Json): boolean {
  const text = JSON.stringify(meta)
  const known = judged.get(text)
  if (known !== undefined) return known
  const asked = { httpMethod: 'POST', protocolVersionHeader: MODERN, mcpMethodHeader: 'tools/call', body: message }
  const isModern = classifyInboundRequest(asked).kind === 'modern'
  if (judged.size >= JUDGED_MAX) judged.clear()
  if (text.length <= ENVELOPE_LENGTH) judged.set(text, isModern)
  return isModern
}

/** Null: the message is for the SDK, because it has more than a plain call or is malformed. */
export function plainCall(message: Json, params: Json, headers: IncomingHttpHeaders): PlainCall | null {
  const { jsonrpc, id } = message
  if (jsonrpc !== '2.0' || !isId(id) || !hasOnly(message, MESSAGE) || !hasOnly(params, PARAMS)) return null
  const { name, arguments: given = {}, _meta: meta = {} } = params
  if (!isObject(given) || !isObject(meta)) return null
  const version = headers['mcp-protocol-version'] as string | undefined
  const isModern = version === MODERN
  if (isModern) {
    if (headers['mcp-method'] !== 'tools/call' || headers['mcp-name'] !== name || !hasOnly(meta, ENVELOPE)) return null
    if (!isModernEnvelope(message, meta)) return null
  } else if (!hasOnly(meta, NOTHING) || (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)))
    return null
  return { id, isModern }
}

/** An answer as UTF-8 bytes in latin-1 strings: the part that is kept with its data, if any, and the rest. */
export interface Body {
  readonly opening: Opening | null
  readonly end: string
}

/** No escape of JSON touches a byte above 127, so that bytes are quoted as they are. */
const quoted = (bytes: string): string => JSON.stringify(bytes).slice(1, -1)

const ASCII = /^[\0-\x7f]*$/
const bytesOf = (text: string): string => (ASCII.test(text) ? text : latin1(Buffer.from(text)))

const OPENING = '{"result":{"content":[{"type":"text","text":"'
const opened = new WeakMap<Forms, Opening>()

/** The beginning of a result up to the data's end, kept with the data. */
function openingOf(forms: Forms): Opening {
  const known = opened.get(forms)
  if (known !== undefined) return known
  const opening = { text: OPENING + quoted(forms.text), coded: {} }
  opened.set(forms, opening)
  return opening
}

export function plainAnswer({ answer, result }: Reply, { id, isModern }: PlainCall, identity: Implementation): Body {
  if (isModern)
    Object.assign(result, { resultType: 'complete', _meta: { ...result._meta, [SERVER_INFO_META_KEY]: identity } })
  const ending = `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
  if (answer === null) return { opening: null, end: bytesOf(`{"result":${JSON.stringify(result)}${ending}`) }
  const { _meta, resultType } = result
  const rest = JSON.stringify({ _meta, resultType })
  const end = bytesOf(`"}],${rest.slice(1)}${ending}`)
  if (answer.forms === null) return { opening: null, end: OPENING + quoted(answer.body) + end }
  return { opening: openingOf(answer.forms), end: quoted(answer.end) + end }
}
