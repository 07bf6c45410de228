import type { Bucket } from '../model/buckets.ts'
import type { Token } from '../model/state.ts'
import { BUCKET } from './constants.ts'

/** Short windows over a token's trades, stored in slot buckets. A window is its whole buckets plus the current one. */

export const bucketIndex = (slot: number): number => Math.floor(slot / BUCKET.slots)

/** The bucket of `slot`, opened at `price` if this is its first trade. Drops buckets older than the longest window. */
export function bucketFor(buckets: Bucket[], slot: number, price: number, holders: number): Bucket {
  const index = bucketIndex(slot)
  const last = buckets[buckets.length - 1]
  if (last !== undefined && last.index >= index) return last
  const bucket: Bucket = {
    index,
    buyLamports: 0,
    sellLamports: 0,
    buys: 0,
    sells: 0,
    open: price,
    reserve: 0,
    holders,
  }
  buckets.push(bucket)
  let expired = 0
  while (buckets[expired]!.index < index - BUCKET.kept) expired++
  if (expired > 0) buckets.splice(0, expired)
  return bucket
}

export interface WindowSums {
  buyLamports: number
  sellLamports: number
  buys: number
  sells: number
  /** Price and holders at the start of the window; 0 and -1 if nothing traded in it. */
  open: number
  holders: number
}

/** The first slot of a window of `buckets` whole buckets plus the current one. */
export const windowStart = (slot: number, buckets: number): number => (bucketIndex(slot) - buckets) * BUCKET.slots

export function sumWindow(token: Token, slot: number, buckets: number): WindowSums {
  const from = bucketIndex(slot) - buckets
  const sums: WindowSums = { buyLamports: 0, sellLamports: 0, buys: 0, sells: 0, open: 0, holders: -1 }
  for (const bucket of token.buckets) {
    if (bucket.index < from) continue
    if (sums.holders < 0) {
      sums.open = bucket.open
      sums.holders = bucket.holders
    }
    sums.buys += bucket.buys
    sums.sells += bucket.sells
    sums.buyLamports += bucket.buyLamports
    sums.sellLamports += bucket.sellLamports
  }
  return sums
}
