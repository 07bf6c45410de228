import { pipeline, type Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Refused } from './reasons.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A header that may occur once; null if absent. Readers disagree about a header sent twice, so it is refused. */
export function single(headers: Headers, name: string): string | null {
  const value = headers[name]
  if (Array.isArray(value)) throw new Refused(name === 'content-encoding' ? 'encoding' : 'headers')
  return value ?? null
}

/** `type/subtype` in lower case; without a header it is bytes, as HTTP has it. */
export function mediaType(headers: Headers): string {
  const [essence = ''] = (single(headers, 'content-type') ?? 'application/octet-stream').split(';')
  return essence.trim().toLowerCase()
}

/** `accept` holds types, or `image/*` for all of a kind. */
export const isAccepted = (type: string, accept: readonly string[]): boolean =>
  accept.some((one) => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))))

/** Some servers compress although we request identity; one encoding is decoded, never two. */
function decoderOf(headers: Headers): Transform | null {
  switch (single(headers, 'content-encoding')?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      // the default window of a decoder is 16 MB, and larger ones stay off
      return createBrotliDecompress({ params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 0 } })
    default:
      throw new Refused('encoding')
  }
}

/**
 * Hands the body's decoded bytes to `take`, piece by piece; answers how many there were. The bound holds for what was
 * announced, for what came, and for what it decodes to, each as it grows.
 */
export async function readBody(
  body: Readable,
  headers: Headers,
  bytesMax: number,
  take: (piece: Buffer) => void,
): Promise<number> {
  const announced = single(headers, 'content-length')
  if (announced !== null && Number(announced) > bytesMax) throw new Refused('too_large')
  const decoder = decoderOf(headers)
  if (decoder === null) return counted(body, bytesMax, take)
  // decoding is driven by the consumer, so at most one chunk of each is held; errors reach the reader of the end
  const decoded = pipeline(
    body,
    (source) => bounded(source, bytesMax),
    decoder,
    () => {},
  )
  try {
    return await counted(decoded, bytesMax, take)
  } catch (error) {
    throw isZlibError(error) ? new Refused('encoding', error) : error
  }
}

async function counted(body: Readable, bytesMax: number, take: (piece: Buffer) => void): Promise<number> {
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > bytesMax) throw new Refused('too_large')
    take(piece)
  }
  return bytes
}

/** Compressed data may be as large as its content may be; more would not be compression. */
async function* bounded(body: AsyncIterable<Buffer>, bytesMax: number): AsyncIterable<Buffer> {
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > bytesMax) throw new Refused('too_large')
    yield piece
  }
}

const isZlibError = (error: unknown): boolean => /^(Z_|ERR_BROTLI|ERR__ERROR_|ERR_PADDING)/.test(codeOf(error))
const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)
