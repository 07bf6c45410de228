import { type Key, keyAt } from '../base/ids.ts'
import { LAUNCHPAD, QUOTE, VENUE } from '../model/events.ts'
import { WRAPPED_SOL } from '../model/programs.ts'
import type { RawInstruction } from '../model/raw.ts'
import { accountOf, createOf, type Emission, isCall, pushComplete, skip, tradeOf } from './emission.ts'
import { curveReserves } from './meteora-math.ts'
import { decimalsOf } from './pools.ts'
import { tag, tagged, u64 } from './reader.ts'
import { textsAt } from './texts.ts'

/**
 * Moonit (token_launchpad, formerly Moonshot). Its events are only in the log, and name neither the mint nor the kind of
 * curve. The mint is that of the call. Launches and the end of a curve are read from the calls themselves.
 */
const TRADE = tag('bddb7fd34ee661ee')

const CALL = {
  tokenMint: tag('032ca4b87b0df5b3'),
  buy: tag('66063d1201daebea'),
  sell: tag('33e685a4017f83ad'),
  migrateFunds: tag('2ae50ae7bd3ec1ae'),
} as const

/** Virtual reserves, in base units, with which constant-product curves of versions 1 and 2 start. */
const CURVES = [
  { base: 1_073_000_000_000_000_000n, quote: 30_000_000_000n },
  { base: 1_060_000_000_000_000_000n, quote: 14_000_000_000n },
] as const
/** Tokens of constant-product curves have 9 decimals and this supply, as the program requires. */
const DECIMALS = 9
const SUPPLY = 1e18

const isTrade = (call: RawInstruction): boolean => isCall(call, CALL.buy, CALL.sell)

export const LOGGED_MOONIT = {
  call: isTrade,
  event: (payload: Buffer) => payload.length >= 8 && tagged(payload, 0, TRADE),
}

export function decodeMoonit(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 8) return skip(at, 'too_short:moonit')
  if (tagged(b, o, TRADE)) return decodeTrade(b, o, at)
  skip(at, 'unknown_event:moonit')
}

/**
 * Amounts on the curve, to which fees come on top: tokens 8, collateral 16, the two fees 24 and 32, tokens sold so far 40,
 * curve 48, collateral's mint 80, sender 112, and 0 for a buy at 144.
 */
function decodeTrade(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 145) return skip(at, 'too_short:moonit.TradeEvent')
  const side = b[o + 144]!
  if (side > 1) return skip(at, 'guard:moonit.TradeEvent')
  const pool = keyAt(b, o + 48)
  const mint = mintOf(at, pool)
  if (mint === null) return skip(at, 'no_instruction:moonit.TradeEvent')
  if (keyAt(b, o + 80) !== WRAPPED_SOL) return skip(at, 'other_quote:moonit.TradeEvent')
  const tokenAmount = u64(b, o + 8)
  const quoteAmount = u64(b, o + 16)
  const fees = u64(b, o + 24) + u64(b, o + 32)
  const isBuy = side === 0
  const userQuote = isBuy ? quoteAmount + fees : Math.max(0, quoteAmount - fees)
  if (tokenAmount === 0 || quoteAmount === 0) return skip(at, 'zero_amount:moonit.TradeEvent')
  const product = constantProduct(b, o, isBuy)
  const reserves = product ?? curveReserves(quoteAmount, tokenAmount, quoteAmount / tokenAmount)
  if (reserves.quote === 0 || reserves.base === 0) return skip(at, 'zero_reserve:moonit.TradeEvent')
  const user = keyAt(b, o + 112)
  const { tx } = at
  at.vaults.push(pool)
  const event = tradeOf(at, {
    venue: VENUE.moonit,
    mint,
    pool,
    user,
    isBuy,
    quote: QUOTE.SOL,
    quoteAmount,
    userQuote,
    tokenAmount,
    quoteReserve: reserves.quote,
    baseReserve: reserves.base,
    quoteBefore: -1,
    realToken: -1,
    supply: product === null ? -1 : SUPPLY,
    decimals: decimalsOf(tx, mint, DECIMALS),
    creator: null,
    mayhem: false,
  })
  at.out.push(event)
}

/** Accounts of buy and sell: sender, …, curve (2), …, mint (6). Without a call, the curve's token is one seen before. */
function mintOf(at: Emission, curve: Key): Key | null {
  const { call } = at
  if (call === null) return at.pools.stored(curve)?.mint ?? null
  return isTrade(call) && accountOf(at, call, 2) === curve ? accountOf(at, call, 6) : null
}

/** The reserves after a trade that one of the constant products gives to the lamport; null for flat and linear curves. */
function constantProduct(b: Buffer, o: number, isBuy: boolean): { quote: number; base: number } | null {
  const amount = b.readBigUInt64LE(o + 8)
  const paid = b.readBigUInt64LE(o + 16)
  const sold = b.readBigUInt64LE(o + 40)
  for (const { base, quote } of CURVES) {
    const after = base - sold
    const before = isBuy ? after + amount : after - amount
    if (after <= 0n || before <= 0n) continue
    const product = base * quote
    const moved = isBuy ? product / after - product / before : product / before - product / after
    // what the program rounds is at most a lamport on each side
    const error = moved - paid
    if (error >= -2n && error <= 2n) return { quote: Number(product / after), base: Number(after) }
  }
  return null
}

/** Reads a launch, or the end of a curve, from its call. Returns true if there was an event. */
export function decodeMoonitCall(call: RawInstruction, at: Emission): boolean {
  if (isCall(call, CALL.tokenMint)) return emitCreate(call, at)
  if (!isCall(call, CALL.migrateFunds)) return false
  // accounts: backend authority, migration authority (1), curve (2), …, mint (5)
  const [keeper, curve, mint] = [1, 2, 5].map((place) => accountOf(at, call, place))
  if (!keeper || !curve || !mint) return leave(at, 'no_accounts:moonit.migration')
  // the authority opens a pool elsewhere with what it takes
  at.vaults.push(curve, keeper)
  pushComplete(at, mint)
  return true
}

function leave(at: Emission, reason: string): false {
  skip(at, reason)
  return false
}

/**
 * Accounts of tokenMint: sender, backend authority, curve (2), mint (3). Data: name, symbol, metadata URI, decimals, the
 * collateral's number (0: SOL) and the supply.
 */
function emitCreate(call: RawInstruction, at: Emission): boolean {
  const { data } = call
  const said = textsAt(data, 8)
  if (said === null || data.length < said.end + 10) return leave(at, 'guard:moonit.tokenMint')
  const { texts, end } = said
  const [user, pool, mint] = [0, 2, 3].map((place) => accountOf(at, call, place))
  if (!user || !pool || !mint) return leave(at, 'no_accounts:moonit.tokenMint')
  if (data[end + 1] !== 0) return leave(at, 'other_quote:moonit.tokenMint')
  at.vaults.push(pool)
  const event = createOf(at, {
    launchpad: LAUNCHPAD.moonit,
    mint,
    pool,
    creator: user,
    user,
    signed: true,
    ...texts,
    quote: QUOTE.SOL,
    supply: u64(data, end + 2),
    decimals: data[end]!,
    // the kind of curve and its start are the configuration's
    quoteReserve: 0,
    baseReserve: 0,
    mayhem: false,
  })
  at.out.push(event)
  return true
}
