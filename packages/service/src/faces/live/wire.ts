/**
 * Encodes texts as WebSocket frames of a server (RFC 6455, 5.2), back to back. The buffer is never reused: it is written to
 * many sockets at once and must not change until each of them has taken it.
 */
export function frameTexts(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  // not from Node's pool: bytes queued for one slow reader would retain the memory of others
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + headerBytes(length) + length, 0))
  let at = 0
  texts.forEach((text, i) => {
    const length = lengths[i]!
    at = writeHeader(bytes, at, length)
    at += bytes.write(text, at, length === text.length ? 'latin1' : 'utf8')
  })
  return bytes
}

/** final, text, not masked */
const FINAL_TEXT = 0x81
const TWO_BYTES = 126
const EIGHT_BYTES = 127

const headerBytes = (length: number): number => (length < TWO_BYTES ? 2 : length < 65_536 ? 4 : 10)

function writeHeader(bytes: Buffer, at: number, length: number): number {
  bytes[at] = FINAL_TEXT
  if (length < TWO_BYTES) {
    bytes[at + 1] = length
    return at + 2
  }
  if (length < 65_536) {
    bytes[at + 1] = TWO_BYTES
    return bytes.writeUInt16BE(length, at + 2)
  }
  bytes[at + 1] = EIGHT_BYTES
  return bytes.writeUInt32BE(length, bytes.writeUInt32BE(0, at + 2))
}
