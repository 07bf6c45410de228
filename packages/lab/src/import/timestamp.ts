import { base64Decode } from '@ti/core/base/base64.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'

const SELF_CPI = 'e445a52e51cb9a1d'
/**
 * Events with a timestamp: discriminator → offset of the Unix seconds, after this many texts, and the smallest length
 * that contains it.
 */
const TIMES = new Map([
  ['bddb7fd34ee661ee', { texts: 0, at: 89, length: 129 }],
  ['67f4521f2cf57777', { texts: 0, at: 8, length: 360 }],
  ['3e2f370aa503dc2a', { texts: 0, at: 8, length: 360 }],
  // creations of 2024 end before it
  ['1b72a94ddeeb6376', { texts: 3, at: 136, length: 156 }],
])
/** Other events share a discriminator; their "times" are implausible. */
const EARLIEST = 1_700_000_000
const LATEST = 4_000_000_000

/** Block time from an event in the transaction, Unix seconds; 0 if none has one. */
export function timestampOf(transaction: RawTransaction): number {
  for (const group of transaction.inner ?? []) {
    for (const { data } of group.instructions) {
      if (data.length < 16 || data.toString('hex', 0, 8) !== SELF_CPI) continue
      const time = timeIn(data.subarray(8))
      if (time > 0) return time
    }
  }
  for (const line of transaction.logs ?? []) {
    if (!line.startsWith('Program data: ')) continue
    const payload = base64Decode(line.slice(14))
    const time = payload === null ? 0 : timeIn(payload)
    if (time > 0) return time
  }
  return 0
}

function timeIn(payload: Buffer): number {
  const known = TIMES.get(payload.toString('hex', 0, 8))
  if (known === undefined || payload.length < known.length) return 0
  let { at } = known
  for (let n = 0; n < known.texts; n++) {
    const text = at - known.at + 8
    if (text + 4 > payload.length) return 0
    at += 4 + payload.readUInt32LE(text)
  }
  if (at + 8 > payload.length) return 0
  const time = Number(payload.readBigInt64LE(at))
  return time >= EARLIEST && time <= LATEST ? time : 0
}
