import { candidates } from '../base/derived.ts'
import { type Key, keyAt, ZERO_KEY } from '../base/ids.ts'
import { type Graduate, LAUNCHPAD, QUOTE, type Quote, VENUE } from '../model/events.ts'
import { PUMP, quoteOf, WRAPPED_SOL } from '../model/programs.ts'
import { PUMP_CHANGES, readCreatorChange } from './creators.ts'
import {
  accountOf,
  createOf,
  type Emission,
  pushComplete,
  pushMigration,
  signedToo,
  skip,
  tradeOf,
} from './emission.ts'
import { pairFacts, quotedAs, quotedIn, statedDecimals } from './pools.ts'
import { isZeroKey, tag, tagged, u32, u64 } from './reader.ts'
import { textsAt } from './texts.ts'

const TRADE = tag('bddb7fd34ee661ee')
const CREATE = tag('1b72a94ddeeb6376')
const COMPLETE = tag('5f72619cd42e9808')
const MIGRATION = tag('bde95db95c94ea94')
const POST_COMPLETE_BUY = tag('6fb06d8b316cd5fb')

/** Every pump token starts with 10^9 tokens of 6 decimals; the 2024 creation event does not state it. */
const PUMP_SUPPLY = 1e15
/** The longest known instruction name has 18 bytes; a longer one means an unknown layout. */
const IX_NAME_MAX = 64
const SHAREHOLDER_BYTES = 34

/**
 * Positions of mint and bonding curve in an instruction's accounts, by the first word of the discriminator. It is
 * signed, because a Map boxes larger numbers.
 */
const CALLS = new Map<number, { readonly mint: number; readonly curve: number }>([
  [tag('66063d1201daebea').lo | 0, { mint: 2, curve: 3 }], // buy
  [tag('33e685a4017f83ad').lo | 0, { mint: 2, curve: 3 }], // sell
  [tag('38fc74089edfcd5f').lo | 0, { mint: 2, curve: 3 }], // buy_exact_sol_in
  [tag('b817ee6167c5d33d').lo | 0, { mint: 1, curve: 10 }], // buy_v2
  [tag('5df6823ce7e940b2').lo | 0, { mint: 1, curve: 10 }], // sell_v2
  [tag('c2ab1c46684d5b2f').lo | 0, { mint: 1, curve: 10 }], // buy_exact_quote_in_v2
  [tag('07051dc4f5176550').lo | 0, { mint: 1, curve: 5 }], // buy_v3
  [tag('1c92de7726c469d5').lo | 0, { mint: 1, curve: 5 }], // sell_v3
  [tag('e1f7501ed5b38488').lo | 0, { mint: 1, curve: 5 }], // buy_exact_quote_in_v3
])

/** Decodes the pump event payload whose discriminator is at `o`. */
export function decodePump(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 8) return skip(at, 'too_short:pump')
  if (tagged(b, o, TRADE)) return decodeTrade(b, o, at)
  if (tagged(b, o, CREATE)) return decodeCreate(b, o, at)
  if (tagged(b, o, COMPLETE)) return decodeComplete(b, o, at)
  if (tagged(b, o, MIGRATION)) return decodeMigration(b, o, at)
  if (tagged(b, o, POST_COMPLETE_BUY)) return decodePostCompleteBuy(b, o, at)
  if (!readCreatorChange(PUMP_CHANGES, b, o, at)) skip(at, 'unknown_event:pump')
}

/** The end of ix_name: 0 if the payload predates the field, -1 if its length is impossible. */
function nameEnd(b: Buffer, o: number, size: number): number {
  if (size < 262) return 0
  const length = u32(b, o + 258)
  return length > IX_NAME_MAX || 262 + length > size ? -1 : 262 + length
}

/** The offset of quote_mint: 0 if the payload ends before it, -1 if a variable part is impossible. */
function quoteMintOffset(b: Buffer, o: number, size: number, p: number): number {
  if (p <= 0 || size < p + 37) return p < 0 ? -1 : 0
  const q = p + 37 + SHAREHOLDER_BYTES * u32(b, o + p + 33)
  if (q > size) return -1
  return size < q + 32 ? 0 : q
}

function decodeTrade(b: Buffer, o: number, at: Emission): void {
  const size = b.length - o
  if (size < 129) return skip(at, 'too_short:pump.TradeEvent')
  const p = nameEnd(b, o, size)
  const q = quoteMintOffset(b, o, size, p)
  // if a guard fails, the tail has an unknown layout, and only the oldest, fixed part is trusted
  const known = q < 0 ? 129 : size
  if (q < 0) skip(at, 'guard:pump.TradeEvent')

  let quote: Quote = QUOTE.SOL
  let quoteMint: Key = WRAPPED_SOL
  let quoteAmount = u64(b, o + 40)
  let quoteReserve = u64(b, o + 97)
  if (q > 0 && !isZeroKey(b, o + q)) {
    if (known < q + 48) return skip(at, 'too_short:pump.TradeEvent')
    quoteMint = keyAt(b, o + q)
    quote = quoteOf(quoteMint)
    quoteAmount = u64(b, o + q + 32)
    quoteReserve = u64(b, o + q + 40)
  }
  // cashback leaves the wallet with the trade (into the trader's own accumulator); buyback is part of `fee`
  const fees =
    (known >= 177 ? u64(b, o + 169) : 0) +
    (known >= 225 ? u64(b, o + 217) : 0) +
    (p > 0 && known >= p + 17 ? u64(b, o + p + 9) : 0)
  const isBuy = b[o + 56] !== 0
  const userQuote = isBuy ? quoteAmount + fees : Math.max(0, quoteAmount - fees)
  const tokenAmount = u64(b, o + 48)
  const baseReserve = u64(b, o + 105)
  const realToken = u64(b, o + 121)
  if (quoteReserve === 0 || baseReserve === 0) return skip(at, 'zero_reserve:pump.TradeEvent')
  const mint = keyAt(b, o + 8)
  const user = keyAt(b, o + 57)
  const { tx } = at
  const event = tradeOf(at, {
    venue: VENUE.pump,
    mint,
    pool: curveOf(at, mint),
    user,
    isBuy,
    quote,
    quoteAmount,
    userQuote,
    tokenAmount,
    quoteReserve,
    baseReserve,
    quoteBefore: -1,
    realToken,
    supply: -1,
    decimals: 6,
    creator: known >= 209 ? keyAt(b, o + 177) : null,
    mayhem: at.mayhem,
  })
  at.out.push(quotedIn(event, tx, quoteMint))
}

/** Seed of a curve's address (`bonding_curve` in the IDL). */
const CURVE_SEED = 'bonding-curve'

/**
 * The trade's curve. The event lacks it, but the instruction names it. In a route (`multi_hop_curve_swap`), which lists
 * several, and in an unknown instruction it is the account whose address the program derives from the mint.
 */
function curveOf(at: Emission, mint: Key): Key | null {
  const { call } = at
  const data = call?.data
  const place = data !== undefined && data.length >= 8 ? CALLS.get(u32(data, 0) | 0) : undefined
  const named =
    place !== undefined && accountOf(at, call, place.mint) === mint ? accountOf(at, call, place.curve) : null
  const curve = named ?? derivedCurve(at, mint)
  if (curve !== null) at.vaults.push(curve)
  return curve
}

function derivedCurve(at: Emission, mint: Key): Key | null {
  if (at.tx.keys.length === 0) return null
  for (const candidate of candidates(CURVE_SEED + mint, PUMP)) if (at.tx.keys.includes(candidate)) return candidate
  return null
}

/**
 * Decodes the rest of the completing order, bought at the coming pool's price: token amount 144, quote amount 152, fee
 * 168, creator fee 184, and the pool's reserves before (200, 208) and after (216, 224).
 */
function decodePostCompleteBuy(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 232) return skip(at, 'too_short:pump.PostCompleteBuyEvent')
  const quoteMint = keyAt(b, o + 104)
  const tokenAmount = u64(b, o + 144)
  const quoteAmount = u64(b, o + 152)
  const userQuote = quoteAmount + u64(b, o + 168) + u64(b, o + 184)
  const baseReserve = u64(b, o + 216)
  const quoteReserve = u64(b, o + 224)
  if (quoteReserve === 0 || baseReserve === 0) return skip(at, 'zero_reserve:pump.PostCompleteBuyEvent')
  const user = keyAt(b, o + 8)
  const pool = keyAt(b, o + 72)
  const { tx } = at
  at.vaults.push(pool)
  const event = tradeOf(at, {
    venue: VENUE.pump,
    mint: keyAt(b, o + 40),
    pool,
    user,
    isBuy: true,
    quote: quoteOf(quoteMint),
    quoteAmount,
    userQuote,
    tokenAmount,
    quoteReserve,
    baseReserve,
    quoteBefore: -1,
    // the curve is sold out
    realToken: 0,
    supply: -1,
    decimals: 6,
    creator: null,
    mayhem: at.mayhem,
  })
  at.out.push(quotedIn(event, tx, quoteMint))
}

function decodeCreate(b: Buffer, o: number, at: Emission): void {
  const end = b.length
  const said = textsAt(b, o + 8)
  if (said === null) return skip(at, 'guard:pump.CreateEvent')
  const { texts, end: p } = said
  const tail = end - p
  if (tail < 96) return skip(at, 'too_short:pump.CreateEvent')
  const quoteMint = tail >= 234 ? keyAt(b, p + 202) : WRAPPED_SOL
  const foreign = tail >= 234 && !isZeroKey(b, p + 202)
  const reserveAt = foreign ? 234 : 144
  const quoteReserve = tail >= reserveAt + 8 ? u64(b, p + reserveAt) : 0
  const baseReserve = tail >= 144 ? u64(b, p + 136) : 0
  const supply = tail >= 168 ? u64(b, p + 160) : PUMP_SUPPLY
  const user = keyAt(b, p + 64)
  const creator = tail >= 128 ? keyAt(b, p + 96) : ZERO_KEY
  const pool = keyAt(b, p + 32)
  at.vaults.push(pool)
  const event = createOf(at, {
    launchpad: LAUNCHPAD.pumpfun,
    mint: keyAt(b, p),
    pool,
    creator,
    user,
    signed: signedToo(at, creator, user),
    ...texts,
    quote: quoteOf(quoteMint),
    supply,
    decimals: 6,
    quoteReserve,
    baseReserve,
    mayhem: tail >= 201 && b[p + 200] !== 0,
  })
  at.out.push(quotedIn(event, at.tx, quoteMint))
}

function decodeComplete(b: Buffer, o: number, at: Emission): void {
  const size = b.length - o
  if (size < 72) return skip(at, 'too_short:pump.CompleteEvent')
  if (size >= 104) at.vaults.push(keyAt(b, o + 72))
  pushComplete(at, keyAt(b, o + 40))
}

function decodeMigration(b: Buffer, o: number, at: Emission): void {
  const size = b.length - o
  if (size < 168) return skip(at, 'too_short:pump.CompletePumpAmmMigrationEvent')
  const mint = keyAt(b, o + 40)
  const pool = keyAt(b, o + 136)
  const named = size >= 200 ? keyAt(b, o + 168) : WRAPPED_SOL
  const facts = pairFacts(mint, named, (one) => (one === mint ? 6 : statedDecimals(at.tx, one)))
  const baseReserve = u64(b, o + 72)
  const quoteReserve = u64(b, o + 80)
  at.vaults.push(pool, keyAt(b, o + 96))
  at.pools.set(pool, facts)
  if (facts.skip !== null) return skip(at, `${facts.skip}:pump.CompletePumpAmmMigrationEvent`)
  const token: Graduate = {
    launchpad: LAUNCHPAD.pumpfun,
    quote: facts.quote,
    decimals: facts.decimals,
    quoteReserve,
    baseReserve,
    earlier: false,
  }
  pushMigration(at, mint, pool, quotedAs(token, facts))
}
