import { randomBytes } from 'node:crypto'

/** The client's side of a WebSocket, by hand: for crowds of sockets whose bytes are compared and not parsed. */

export const upgradeRequest = (port: number, key: string): string =>
  `GET /socket/websocket?vsn=2.0.0&api_key=${key} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\n` +
  `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`

/** A masked text frame of less than 126 bytes; the mask of zeros leaves the text as it is. */
export function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  if (payload.length > 125) throw new Error('too long for a short frame')
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

export interface ServerFrame {
  readonly opcode: number
  readonly payload: Buffer
  /** where the next frame begins */
  readonly end: number
}

/** The frame at `at`; null while it is not whole. */
export function serverFrame(bytes: Buffer, at: number): ServerFrame | null {
  if (bytes.length < at + 2) return null
  const short = bytes[at + 1]!
  const header = short < 126 ? 2 : short === 126 ? 4 : 10
  if (bytes.length < at + header) return null
  const length =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
  const end = at + header + length
  if (bytes.length < end) return null
  return { opcode: bytes[at]! & 15, payload: bytes.subarray(at + header, end), end }
}

/** Unasked for, which the protocol allows: a sign of life that nobody answers. */
export const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
