/** WebSocket frames (RFC 6455, 5.2) as bytes, read and written by hand: what no client would send, and what exactly came. */

export interface WireFrame {
  /** the whole first byte: final, reserved bits, opcode */
  readonly first: number
  readonly payload: Buffer
}

export const TEXT = 0x81
export const PING = 0x89
const CLOSE = 0x88

/** The frames of a server, and the bytes that are no whole frame yet. Masked frames are an error. */
export function readFrames(bytes: Buffer): { readonly frames: WireFrame[]; readonly rest: Buffer } {
  const frames: WireFrame[] = []
  let at = 0
  for (;;) {
    const size = sizeAt(bytes, at)
    if (size === null || at + size.head + size.length > bytes.length) break
    const start = at + size.head
    frames.push({ first: bytes[at]!, payload: bytes.subarray(start, start + size.length) })
    at = start + size.length
  }
  return { frames, rest: bytes.subarray(at) }
}

/** bytes of the head and of the payload */
function sizeAt(bytes: Buffer, at: number): { readonly head: number; readonly length: number } | null {
  if (bytes.length < at + 2) return null
  const second = bytes[at + 1]!
  if (second >= 0x80) throw new Error('a frame of the server is masked')
  if (second < 126) return { head: 2, length: second }
  if (second === 126) return bytes.length < at + 4 ? null : { head: 4, length: bytes.readUInt16BE(at + 2) }
  return bytes.length < at + 10 ? null : { head: 10, length: Number(bytes.readBigUInt64BE(at + 2)) }
}

/** Texts of whole text frames; anything else is an error. */
export function readTexts(bytes: Buffer): string[] {
  const { frames, rest } = readFrames(bytes)
  if (rest.length > 0) throw new Error(`${rest.length} bytes are no frame`)
  return frames.map(({ first, payload }) => {
    if (first !== TEXT) throw new Error(`a frame begins with 0x${first.toString(16)}`)
    return payload.toString('utf8')
  })
}

/** The code of a close frame; null where it is another frame, 1005 where it has none. */
export const closeCode = ({ first, payload }: WireFrame): number | null =>
  first !== CLOSE ? null : payload.length < 2 ? 1005 : payload.readUInt16BE(0)

const MASK = Buffer.from([0x1f, 0xa2, 0x33, 0xc4])

/** A frame of a client. */
export function clientFrame(first: number, payload: string | Buffer, masked = true): Buffer {
  const data = Buffer.from(payload as string)
  return Buffer.concat([
    clientHead(first, data.length, masked),
    masked ? data.map((byte, i) => byte ^ MASK[i % 4]!) : data,
  ])
}

/** Its head alone, with the length that it promises. */
export function clientHead(first: number, length: number, masked = true): Buffer {
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = first
  head[1] = (masked ? 0x80 : 0) | (head.length === 2 ? length : head.length === 4 ? 126 : 127)
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return masked ? Buffer.concat([head, MASK]) : head
}
