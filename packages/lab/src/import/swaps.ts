import { type Counts, count } from '@ti/core/base/counts.ts'
import { type Key, NO_SIG } from '@ti/core/base/ids.ts'
import { VENUE } from '@ti/core/model/events.ts'
import { type Fields, fieldsOf, internKey, sigOf } from '@ti/service/source/shape/fields.ts'
import { knownTrade, units } from './known-trade.ts'
import type { DecodedTrade } from './material.ts'
import { slotAt } from './slot-time.ts'

/** The largest number of swaps in one line. */
const SWAPS_MAX = 1_000_000
/** The larger of the two invented reserves: precise, and small enough to stay exact. */
const RESERVE = 1e15

/** `{ mint, pool, supply, swaps: [{ ts, trader, side, sol, tokens, price, sig? }] }` */
export const isSwapLine = (fields: Fields): boolean =>
  typeof fields.mint === 'string' && typeof fields.pool === 'string' && Array.isArray(fields.swaps)

/**
 * The swaps of one token as PumpSwap trades. The data have seconds instead of slots, so slots are estimated. They have
 * no reserves, so a pair with the stated price is chosen; that price is a third party's and often wrong, so the result
 * is good for wallets, sides and times. Supply and amounts are in whole tokens and SOL.
 */
export function swapsOf(fields: Fields, counts: Counts): DecodedTrade[] {
  const mint = internKey(String(fields.mint))
  const pool = internKey(String(fields.pool))
  const swaps = fields.swaps as readonly unknown[]
  if (mint === null || pool === null || swaps.length > SWAPS_MAX) {
    count(counts, 'swap_line:key_or_size')
    return []
  }
  const supply = units(fields.supply, 1e6) ?? -1
  const trades: DecodedTrade[] = []
  for (const swap of swaps) {
    const trade = readSwap(fieldsOf(swap), mint, pool, supply)
    if (typeof trade === 'string') count(counts, `swap:${trade}`)
    else trades.push(trade)
  }
  return trades
}

function readSwap(swap: Fields | null, mint: Key, pool: Key, supply: number): DecodedTrade | string {
  if (swap === null) return 'not_an_object'
  const user = typeof swap.trader === 'string' ? internKey(swap.trader) : null
  const sig = swap.sig === undefined || swap.sig === null ? NO_SIG : sigOf(swap.sig)
  if (user === null || sig === null) return 'key'
  const { ts: time, side } = swap
  if (side !== 'buy' && side !== 'sell') return 'side'
  if (typeof time !== 'number' || !(time > 1e9 && time < 1e10)) return 'time'
  const quoteAmount = units(swap.sol, 1e9)
  const tokenAmount = units(swap.tokens, 1e6)
  if (quoteAmount === null || tokenAmount === null || tokenAmount === 0) return 'amount'
  // lamports per base unit
  const price = typeof swap.price === 'number' && swap.price > 0 ? swap.price * 1e3 : quoteAmount / tokenAmount
  const quoteReserve = Math.round(price < 1 ? RESERVE * price : RESERVE)
  const baseReserve = Math.round(price < 1 ? RESERVE : RESERVE / price)
  if (!(quoteReserve >= 1 && baseReserve >= 1)) return 'no_price'
  return {
    slot: slotAt(time),
    estimated: true,
    time: Math.floor(time),
    chained: false,
    event: knownTrade({
      ...{ sig, venue: VENUE.pumpswap, mint, pool, user, isBuy: side === 'buy' },
      ...{ quoteAmount, tokenAmount, quoteReserve, baseReserve, supply },
    }),
  }
}
