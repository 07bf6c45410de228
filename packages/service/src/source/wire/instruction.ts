import type { RawInnerGroup, RawInstruction } from '@ti/core/model/raw.ts'
import { type Cursor, fieldEnd, skip, varint } from './cursor.ts'

/**
 * Most instructions are only asked for their program. Getters on a shared prototype cost nothing until used, where two
 * views into the bytes for each instruction took a third of the reading time.
 */
class WireInstruction implements RawInstruction {
  constructor(
    readonly program: number,
    private readonly bytes: Buffer,
    private readonly accountsAt: number,
    private readonly accountsEnd: number,
    private readonly dataAt: number,
    private readonly dataEnd: number,
  ) {}
  get accounts(): Uint8Array {
    return this.bytes.subarray(this.accountsAt, this.accountsEnd)
  }
  get data(): Buffer {
    return this.bytes.subarray(this.dataAt, this.dataEnd)
  }
}

/** CompiledInstruction and InnerInstruction share their first three fields. */
export function readInstruction(cursor: Cursor, end: number): RawInstruction {
  let program = 0
  let accountsAt = 0
  let accountsEnd = 0
  let dataAt = 0
  let dataEnd = 0
  while (cursor.at < end) {
    const tag = varint(cursor, end)
    if (tag === 8) program = varint(cursor, end)
    else if (tag === 18) {
      accountsEnd = fieldEnd(cursor, end)
      accountsAt = cursor.at
      cursor.at = accountsEnd
    } else if (tag === 26) {
      dataEnd = fieldEnd(cursor, end)
      dataAt = cursor.at
      cursor.at = dataEnd
    } else skip(cursor, tag, end)
  }
  return new WireInstruction(program, cursor.bytes, accountsAt, accountsEnd, dataAt, dataEnd)
}

export function readInnerGroup(cursor: Cursor, end: number): RawInnerGroup {
  let outer = 0
  const instructions: RawInstruction[] = []
  while (cursor.at < end) {
    const tag = varint(cursor, end)
    if (tag === 8) outer = varint(cursor, end)
    else if (tag === 18) instructions.push(readInstruction(cursor, fieldEnd(cursor, end)))
    else skip(cursor, tag, end)
  }
  return { outer, instructions }
}
