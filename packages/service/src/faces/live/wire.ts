/**
 * Texts as WebSocket frames of a server (RFC 6455, 5.2), one behind the other. The bytes are the caller's for good: they
 * are written to many sockets at once and must never change while one of them has not taken them.
 */
export function frameTexts(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  // not from Node's pool: what waits for one slow reader would keep the memory of others alive
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + headerBytes(length) + length, 0))
  let at = 0
  texts.forEach((text, i) => {
    const length = lengths[i]!
    at = writeHeader(bytes, at, length)
    at += bytes.write(text, at, length === text.length ? 'latin1' : 'utf8')
  })
  return bytes
}

/** whole, text, not masked */
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
