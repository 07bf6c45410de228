import { isUtf8 } from 'node:buffer'

/** characters of a ref as JSON text: the 255 a binary frame can carry, and quotes; a channel keeps two of them */
export const REF_LENGTH = 257
/** characters of a topic as JSON text: ours have 13, but the refusal of an unknown one repeats it, and clients of other
 * services build long names from filters */
export const TOPIC_LENGTH = 1_024

/** The serializer of a socket. 1: a frame is an object (no `vsn` in the URL); 2: an array of five. */
export type Version = 1 | 2

/**
 * A ref or a topic as JSON text (`"1"` with its quotes, `1`, `null`): echoed unchanged, compared as text. Numbers are
 * JavaScript numbers: `1.0` becomes `1`, and integers beyond 2^53 the nearest double.
 */
export type Json = string

/** A message from a client. `event` is null if it is not a string; `payload` is any JSON value, null in a binary frame. */
export interface ClientMessage {
  readonly joinRef: Json
  readonly ref: Json
  readonly topic: Json
  readonly event: string | null
  readonly payload: unknown
}

/** A message to a client. `payload` is the JSON text of an object: official clients cannot handle null there. */
export interface ServerMessage {
  readonly joinRef: Json
  readonly ref: Json
  readonly topic: Json
  readonly event: string
  readonly payload: string
}

/** A text frame; null: malformed, the socket closes with 1011. Never throws. */
export function decodeText(version: Version, text: string): ClientMessage | null {
  const value = parse(text)
  if (version === 2) {
    if (!Array.isArray(value) || value.length < 5) return null
    return message(value[0], value[1], value[2], value[3], value[4])
  }
  if (typeof value !== 'object' || value === null || !KEYS_V1.every((key) => Object.hasOwn(value, key))) return null
  const { join_ref, ref, topic, event, payload } = value as Record<string, unknown>
  return message(join_ref ?? null, ref, topic, event, payload)
}

const KEYS_V1 = ['topic', 'event', 'payload', 'ref']

/** Lengths of join_ref, ref, topic and event, a byte each, follow the kind. */
const HEADER_BYTES = 5
const KIND_PUSH = 0

/**
 * A binary frame: in version 2 `<kind 0, four lengths, join_ref, ref, topic, event, data>`, in version 1 still JSON text.
 * The data is not JSON and is ignored. Null: malformed, the socket closes with 1011. Never throws.
 */
export function decodeBinary(version: Version, bytes: Buffer): ClientMessage | null {
  if (version === 1) return isUtf8(bytes) ? decodeText(1, bytes.toString('utf8')) : null
  if (bytes.length < HEADER_BYTES || bytes[0] !== KIND_PUSH) return null
  const parts: string[] = []
  let at = HEADER_BYTES
  for (let i = 1; i < HEADER_BYTES; i++) {
    const part = bytes.subarray(at, at + bytes[i]!)
    if (part.length !== bytes[i] || !isUtf8(part)) return null
    parts.push(part.toString('utf8'))
    at += part.length
  }
  return message(parts[0], parts[1], parts[2], parts[3], null)
}

/** Encodes a frame as compact JSON. Version 1 has no field for the join_ref. */
export function encode(version: Version, { joinRef, ref, topic, event, payload }: ServerMessage): string {
  return version === 2
    ? `[${joinRef},${ref},${topic},${JSON.stringify(event)},${payload}]`
    : `{"topic":${topic},"event":${JSON.stringify(event)},"payload":${payload},"ref":${ref}}`
}

function message(
  first: unknown,
  second: unknown,
  third: unknown,
  event: unknown,
  payload: unknown,
): ClientMessage | null {
  const joinRef = write(first, REF_LENGTH)
  const ref = write(second, REF_LENGTH)
  const topic = write(third, TOPIC_LENGTH)
  if (joinRef === null || ref === null || topic === null) return null
  return { joinRef, ref, topic, event: typeof event === 'string' ? event : null, payload }
}

/** The value's JSON text; null: too long, nested too deeply to serialize, or not a finite number (`1e999`). */
function write(value: unknown, lengthMax: number): Json | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  try {
    const json = JSON.stringify(value)
    return json.length <= lengthMax ? json : null
  } catch {
    return null
  }
}

/** The JSON value; undefined if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
