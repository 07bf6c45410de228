import type { IncomingMessage } from 'node:http'
import { isJsonContentType, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import { readBody } from '../body.ts'

/** bytes of a message: a payment is at most 8 KiB, and everything else in a call is short */
export const MESSAGE_BYTES = 64 << 10

/** A request without a usable message: answered with a JSON-RPC error outside any call. */
export interface Refusal {
  readonly kind: 'refused'
  readonly status: 400 | 403 | 405 | 408 | 413 | 415
  readonly code: number
  readonly text: string
  /** the connection cannot be reused */
  readonly close?: boolean
}

export type Received =
  | { readonly kind: 'message'; readonly message: unknown }
  | Refusal
  /** a browser asks before it sends a page's message */
  | { readonly kind: 'preflight' }
  | { readonly kind: 'gone' }

const TRANSPORT = -32_000
const PARSE = -32_700
const INVALID = -32_600

const refusal = (status: Refusal['status'], text: string, code = TRANSPORT): Refusal => ({
  kind: 'refused',
  status,
  code,
  text,
})

export const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * `hosts` are host names without ports. A page of another site may use the public address, as anybody may: no cookie counts here. It
 * may not use the service of its visitor's own machine, nor reach one by a name of its own.
 */
function admit({ method, headers }: IncomingMessage, hosts: string[], isServed: boolean): Received | null {
  if (!isServed) return refusal(403, 'this host name is not served here')
  const isForeign = headers.origin !== undefined && validateHostHeader(headers.host, LOOPBACK).ok
  if (isForeign && !validateOriginHeader(headers.origin, hosts).ok) return refusal(403, 'this origin is not allowed')
  if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) return { kind: 'preflight' }
  if (method !== 'POST') return refusal(405, 'Method not allowed.')
  if (!isJsonContentType(headers['content-type'])) return refusal(415, 'Content-Type must be application/json')
  return null
}

/** Checks and reads a request, in this order: host, origin, method, type, size, JSON. */
export function createReceive(hosts: string[]): (request: IncomingMessage) => Promise<Received> {
  /** the last one that was served: clients keep to one, and to check it is to parse a URL */
  let served: string | undefined
  return (request) => {
    const { host } = request.headers
    const isServed = (host !== undefined && host === served) || validateHostHeader(host, hosts).ok
    if (isServed) served = host
    return receive(request, admit(request, hosts, isServed))
  }
}

async function receive(request: IncomingMessage, problem: Received | null): Promise<Received> {
  if (problem !== null) return problem
  const body = await readBody(request, { bodyBytes: MESSAGE_BYTES })
  switch (body.kind) {
    case 'whole':
      return parse(body.text)
    case 'large':
      return { ...refusal(413, `the message is larger than ${MESSAGE_BYTES} bytes`), close: body.open }
    case 'late':
      return { ...refusal(408, 'the message did not arrive in time'), close: true }
    case 'broken':
      return { kind: 'gone' }
  }
}

function parse(text: string): Received {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return refusal(400, 'Parse error: the body is not JSON', PARSE)
  }
  // a batch would get many answers for one place in the rate window, and newer revisions do not allow batches
  if (Array.isArray(message)) return refusal(400, 'Invalid Request: send one message a request', INVALID)
  return { kind: 'message', message }
}
