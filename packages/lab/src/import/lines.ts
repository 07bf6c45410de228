import { createReadStream } from 'node:fs'

/** bytes of one line of JSONL or CSV input: the largest real line seen is a block of a few MB */
const IMPORT_LINE_BYTES_MAX = 64 << 20

/** Thrown for unusable material. The message, the reason, appears in the report beside the file's name. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
}

/** The file's non-empty lines without their ends, with the bytes read so far. Long lines are rejected. */
export async function* linesOf(path: string): AsyncIterable<{ readonly line: string; readonly bytes: number }> {
  let rest: Buffer = Buffer.alloc(0)
  let parts: Buffer[] = []
  let length = 0
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end))
      rest = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
      parts = []
      length = 0
      start = end + 1
      const line = textOf(rest)
      if (line !== '') yield { line, bytes }
    }
    if (start < chunk.length) {
      parts.push(chunk.subarray(start))
      length += chunk.length - start
      if (length > IMPORT_LINE_BYTES_MAX) throw new Unusable(`a line is longer than ${IMPORT_LINE_BYTES_MAX} bytes`)
    }
  }
  const line = textOf(Buffer.concat(parts))
  if (line !== '') yield { line, bytes }
}

const textOf = (bytes: Buffer): string =>
  bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim()
