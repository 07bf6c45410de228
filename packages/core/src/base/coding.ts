import { brotliCompressSync, constants, crc32, deflateRawSync } from 'node:zlib'

/** Content codings, best first. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** The compressed beginning of a body whose end is written later, many times over: one stream with it, not two. */
export interface Beginning {
  /** bytes as latin-1 */
  readonly text: string
  /** of the plain bytes, for gzip's trailer */
  readonly crc: number
  readonly length: number
}

/** Levels at which 60 kB of JSON take half a millisecond; the next ones take twice as long for 2% */
const BROTLI_LEVEL = 4
const GZIP_LEVEL = 5
/** bits of brotli's window: 256 kB, more than an answer has */
const BROTLI_WINDOW = 18

/** magic, deflate, no flags, no time, unknown system (RFC 1952, 2.3) */
const GZIP_HEADER = '\x1f\x8b\x08\0\0\0\0\0\0\xff'
/** RFC 7932, 9.2: a last meta-block that is empty */
const BROTLI_END = '\x03'
/** bytes of an end: what one uncompressed block of either coding holds */
const END_MAX = 65_535

const latin1 = (bytes: Buffer): string => bytes.toString('latin1')

/** Both codings can be brought to a byte's boundary without ending the stream, and have blocks that are not compressed. */
export function begin(coding: Coding, bytes: Buffer): Beginning {
  const of = { length: bytes.length }
  if (coding === 'gzip') {
    const options = { level: GZIP_LEVEL, finishFlush: constants.Z_SYNC_FLUSH }
    return { ...of, text: GZIP_HEADER + latin1(deflateRawSync(bytes, options)), crc: crc32(bytes) }
  }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL,
    [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const options = { finishFlush: constants.BROTLI_OPERATION_FLUSH, params }
  return { ...of, text: latin1(brotliCompressSync(bytes, options)), crc: 0 }
}

/** The whole stream; `end` is bytes as latin-1, 1 to 65,535 of them, and goes in as it is. */
export function finish(coding: Coding, { text, crc, length }: Beginning, end: string): string {
  if (end.length === 0 || end.length > END_MAX) throw new RangeError(`an end of ${end.length} bytes`)
  if (coding === 'br') {
    // RFC 7932, 9.2: not last, four nibbles of length, the length less one, uncompressed; then bits up to the byte
    return text + littleEndian(((end.length - 1) << 3) | (1 << 19), 3) + end + BROTLI_END
  }
  // RFC 1951, 3.2.4: last, stored, its length and the complement
  const stored = `\x01${littleEndian(end.length, 2)}${littleEndian(~end.length, 2)}`
  const whole = crc32(Buffer.from(end, 'latin1'), crc)
  return text + stored + end + littleEndian(whole, 4) + littleEndian(length + end.length, 4)
}

function littleEndian(value: number, bytes: number): string {
  let text = ''
  for (let i = 0; i < bytes; i++) text += String.fromCharCode((value >>> (8 * i)) & 0xff)
  return text
}
