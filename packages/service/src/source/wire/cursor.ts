import { WireError } from './error.ts'

/** A position in protobuf bytes. Every function checks against `end`: nothing is ever read outside the message. */
export interface Cursor {
  readonly bytes: Buffer
  at: number
}

const SHIFT = 128

/** A varint as a number; exact below 2^53. Ten bytes at most, as protobuf has it. */
export function varint(cursor: Cursor, end: number): number {
  const { bytes } = cursor
  let at = cursor.at
  if (at < end) {
    const first = bytes[at]!
    if (first < 128) {
      cursor.at = at + 1
      return first
    }
  }
  let value = 0
  let scale = 1
  const last = Math.min(at + 10, end)
  while (at < last) {
    const byte = bytes[at++]!
    value += (byte & 127) * scale
    if (byte < 128) {
      cursor.at = at
      return value
    }
    scale *= SHIFT
  }
  throw new WireError(`varint without an end at byte ${cursor.at}`)
}

/** Reads the length of a length-delimited field and returns where that field ends. */
export function fieldEnd(cursor: Cursor, end: number): number {
  const length = varint(cursor, end)
  const stop = cursor.at + length
  if (!(stop <= end)) throw new WireError(`field of ${length} bytes at byte ${cursor.at} passes the end of its message`)
  return stop
}

/** Steps over a field that is not read. */
export function skip(cursor: Cursor, tag: number, end: number): void {
  if (tag < 8) throw new WireError(`field number 0 at byte ${cursor.at}`)
  switch (tag & 7) {
    case 0:
      varint(cursor, end)
      return
    case 1:
      cursor.at += 8
      break
    case 2:
      cursor.at = fieldEnd(cursor, end)
      return
    case 5:
      cursor.at += 4
      break
    default:
      throw new WireError(`wire type ${tag & 7} at byte ${cursor.at}`)
  }
  if (cursor.at > end) throw new WireError('fixed-width field passes the end of its message')
}
