import { type Key, ZERO_KEY } from '@ti/core/base/ids.ts'
import type { RawTokenBalance } from '@ti/core/model/raw.ts'
import { internKey } from '../shape/fields.ts'
import { type Cursor, fieldEnd, skip, varint } from './cursor.ts'
import { WireError } from './error.ts'

export function readTokenBalance(cursor: Cursor, end: number): RawTokenBalance {
  let account = 0
  let mint: Key | null = null
  let owner: Key | null = null
  let amount = 0
  let decimals = 0
  while (cursor.at < end) {
    const tag = varint(cursor, end)
    switch (tag) {
      case 8:
        account = varint(cursor, end)
        break
      case 18:
        mint = readKeyText(cursor, fieldEnd(cursor, end))
        break
      case 26: {
        const stop = fieldEnd(cursor, end)
        while (cursor.at < stop) {
          const inside = varint(cursor, stop)
          if (inside === 16) decimals = varint(cursor, stop)
          else if (inside === 26) amount = readDecimal(cursor, fieldEnd(cursor, stop))
          else skip(cursor, inside, stop)
        }
        break
      }
      case 34:
        owner = readKeyText(cursor, fieldEnd(cursor, end))
        break
      default:
        skip(cursor, tag, end)
    }
  }
  if (mint === null) throw new WireError('token balance without a mint')
  return { account, mint, owner, amount, decimals }
}

/** Places for recent key texts; a newer one takes the place of an older. */
const TEXTS = 1 << 14
const recentTexts: string[] = new Array(TEXTS).fill('')
const recentKeys: Key[] = new Array(TEXTS).fill(ZERO_KEY)

/**
 * Base58 text of a key; empty text means "not known". The same mints and owners come again and again: one that is still
 * in its place costs a comparison, where making the string and looking it up took a quarter of the reading time.
 */
function readKeyText(cursor: Cursor, end: number): Key | null {
  const { bytes, at } = cursor
  const length = end - at
  if (length > 44) throw new WireError(`public key text of ${length} bytes`)
  if (length === 0) return null
  if (length < 32) throw new WireError('text is not a public key')
  cursor.at = end
  const place =
    ((bytes[at + 9]! << 14) ^ (bytes[at + 10]! << 7) ^ bytes[at + 11]! ^ (bytes[at + 12]! << 4)) & (TEXTS - 1)
  if (sameText(bytes, at, length, recentTexts[place]!)) return recentKeys[place]!
  const text = bytes.toString('latin1', at, end)
  const key = internKey(text)
  if (key === null) throw new WireError('text is not a public key')
  recentTexts[place] = text
  recentKeys[place] = key
  return key
}

function sameText(bytes: Buffer, at: number, length: number, text: string): boolean {
  if (text.length !== length) return false
  for (let i = 0; i < length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

/** Decimal digits of a u64, as protobuf text. */
function readDecimal(cursor: Cursor, end: number): number {
  if (end - cursor.at > 20) throw new WireError('token amount of more than 20 digits')
  const start = cursor.at
  let value = 0
  for (let at = start; at < end; at++) {
    const digit = cursor.bytes[at]! - 48
    if (digit < 0 || digit > 9) throw new WireError('token amount is not a number')
    value = value * 10 + digit
  }
  cursor.at = end
  // beyond 2^53 each step has rounded
  return value <= Number.MAX_SAFE_INTEGER ? value : Number(cursor.bytes.toString('latin1', start, end))
}
