import { keyFromBase58 } from '../../base/base58.ts'
import type { Key } from '../../base/ids.ts'

/** Keys kept per generation: a busy hour's mints and wallets, about 15 MB when full. */
const GENERATION_KEYS = 65_536

/**
 * Base58 text → key, remembered: token balances name mint and owner as text, the same ones again and again, and
 * decoding costs a microsecond. Two generations bound it; what is used survives the change of generation.
 */
export function createKeyIntern(generationKeys = GENERATION_KEYS): (text: string) => Key | null {
  let young = new Map<string, Key>()
  let old = new Map<string, Key>()
  return (text) => {
    let key = young.get(text)
    if (key !== undefined) return key
    key = old.get(text)
    if (key === undefined) {
      const decoded = keyFromBase58(text)
      if (decoded === null) return null
      key = decoded
    }
    if (young.size >= generationKeys) {
      old = young
      young = new Map()
    }
    young.set(text, key)
    return key
  }
}
