import { isProgramKey } from '@ti/core/decode/people.ts'
import { QUOTE, type TradeEvent } from '@ti/core/model/events.ts'
import type { DecodedTrade } from './material.ts'

/** pump tokens: 10^9 with 6 decimals */
export const SUPPLY = 1e15

type Needed = 'sig' | 'venue' | 'mint' | 'pool' | 'user' | 'isBuy' | 'quoteAmount' | 'tokenAmount'
type Known = Pick<TradeEvent, Needed | 'quoteReserve' | 'baseReserve'> & Partial<DecodedTrade['event']>

/** A trade in SOL of a token like those of pump, of which nothing else is known. */
export const knownTrade = (known: Known): DecodedTrade['event'] => ({
  ...{ kind: 'trade', quote: QUOTE.SOL, userQuote: known.quoteAmount, quoteBefore: -1, realToken: -1, supply: SUPPLY },
  ...{ decimals: 6, creator: null, mayhem: false, payer: null, tipper: null, solBefore: -1, solAfter: -1 },
  ...{ hop: isProgramKey(known.user), account: -1, held: 0 },
  ...known,
})

/** A decimal amount in base units; null if invalid or too large. */
export function units(value: unknown, scale: number): number | null {
  if (typeof value !== 'number' || !(value >= 0)) return null
  const whole = Math.round(value * scale)
  return Number.isSafeInteger(whole) ? whole : null
}
