import { QUOTE, VENUE } from '@ti/core/model/events.ts'
import { baseFor, type Pool, type Swap, swapBuy, swapSell } from './amm.ts'
import { CREATOR_FEE_BPS, type Fill, feeOf, PROTOCOL_FEE_BPS, quoteBuy, quoteSell } from './curve.ts'
import type { Action, TradeAction } from './plan.ts'
import type { Position, SimToken } from './tokens.ts'
import type { Wallet } from './traders.ts'

/** Rent of accounts by kind in lamports, paid by their creator. */
export const RENT = { tokenAccount: 2_074_080, mint: 4_120_000, curve: 1_930_000, pool: 2_600_000, lpMint: 1_461_600 }
/** Quote base units below which a sale is not worth its fees. */
const DUST = 1_000

/** Computes a purchase for `quote` at the current state, null if nothing can be bought. Changes nothing. */
export function planBuy(token: SimToken, wallet: Wallet, quote: number): TradeAction | null {
  const { curve, pool } = token
  const position = token.positions.get(wallet)
  const held = position?.tokens ?? 0
  const opens = position?.account !== true
  if (pool !== null) {
    const base = Math.min(baseFor(pool, quote), Math.floor(pool.base / 4))
    return base <= 0 ? null : swapAction(token, pool, wallet, swapBuy(pool, base), true, held, opens, false)
  }
  if (token.migrateSlot >= 0) return null
  const fill = quoteBuy(curve, quote)
  if (fill.tokens <= 0 || fill.quote <= 0) return null
  return curveAction(token, wallet, fill, true, held, opens, false)
}

/** What `tokens` cost now, base units of the quote without fees; more than half of what is left costs as much as that half. */
export function costOf({ curve, pool }: SimToken, tokens: number): number {
  const [quote, base] = pool === null ? [curve.virtualQuote, curve.virtualToken] : [pool.quote, pool.base]
  const wanted = Math.min(tokens, base / 2)
  return Math.ceil((quote * wanted) / (base - wanted))
}

/** Computes a sale of `tokens` of the position at the current state. Changes nothing. */
export function planSell(position: Position, tokens: number): TradeAction | null {
  const { token, wallet } = position
  const { curve, pool } = token
  if (tokens <= 0 || tokens > position.tokens) return null
  const closes = tokens === position.tokens && wallet.tidy
  if (pool !== null) {
    const swap = swapSell(pool, tokens)
    if (swap === null || swap.quote < DUST) return null
    return swapAction(token, pool, wallet, swap, false, position.tokens, false, closes)
  }
  if (token.migrateSlot >= 0) return null
  const fill = quoteSell(curve, tokens)
  return fill.quote < DUST ? null : curveAction(token, wallet, fill, false, position.tokens, false, closes)
}

function curveAction(
  token: SimToken,
  wallet: Wallet,
  { quote, tokens }: Fill,
  isBuy: boolean,
  tokensBefore: number,
  opens: boolean,
  closes: boolean,
): TradeAction {
  const { curve } = token
  const sign = isBuy ? 1 : -1
  const protocolFee = feeOf(quote, PROTOCOL_FEE_BPS)
  const creatorFee = feeOf(quote, CREATOR_FEE_BPS)
  return {
    kind: 'trade',
    venue: token.venue,
    token,
    wallet,
    isBuy,
    quote,
    tokens,
    userQuote: quote + sign * (protocolFee + creatorFee),
    protocolFee,
    creatorFee,
    lpFee: 0,
    quoteBefore: curve.virtualQuote,
    baseBefore: curve.virtualToken,
    quoteAfter: curve.virtualQuote + sign * quote,
    baseAfter: curve.virtualToken - sign * tokens,
    realQuote: curve.realQuote + sign * quote,
    realToken: curve.realToken - sign * tokens,
    tokensBefore,
    opens,
    closes,
    completes: isBuy && tokens === curve.realToken,
  }
}

function swapAction(
  token: SimToken,
  pool: Pool,
  wallet: Wallet,
  swap: Swap,
  isBuy: boolean,
  tokensBefore: number,
  opens: boolean,
  closes: boolean,
): TradeAction {
  const sign = isBuy ? 1 : -1
  return {
    kind: 'trade',
    venue: VENUE.pumpswap,
    token,
    wallet,
    isBuy,
    quote: swap.quote,
    tokens: swap.base,
    userQuote: swap.userQuote,
    protocolFee: swap.protocolFee,
    creatorFee: swap.creatorFee,
    lpFee: swap.lpFee,
    quoteBefore: pool.quote,
    baseBefore: pool.base,
    quoteAfter: pool.quote + sign * swap.quote + swap.lpFee,
    baseAfter: pool.base - sign * swap.base,
    realQuote: -1,
    realToken: -1,
    tokensBefore,
    opens,
    closes,
    completes: false,
  }
}

/** Applies a planned trade to the reserves, the trader's position and the price. */
export function applyTrade(action: TradeAction, slot: number): Position {
  const { token, wallet, isBuy, tokens } = action
  const { curve, pool } = token
  if (pool !== null) {
    pool.quote = action.quoteAfter
    pool.base = action.baseAfter
  } else {
    curve.virtualQuote = action.quoteAfter
    curve.virtualToken = action.baseAfter
    curve.realQuote = action.realQuote
    curve.realToken = action.realToken
  }
  if (action.completes) {
    token.migrateSlot = slot
    token.completedSlot = slot
  }
  const position = positionOf(token, wallet)
  if (isBuy) {
    position.tokens += tokens
    position.cost += action.userQuote
    position.account = true
  } else {
    position.cost -= (position.cost * tokens) / position.tokens
    position.tokens -= tokens
    if (action.closes) position.account = false
    if (position.tokens === 0 && action.closes) token.positions.delete(wallet)
  }
  setPrice(token)
  return position
}

export function positionOf(token: SimToken, wallet: Wallet): Position {
  let position = token.positions.get(wallet)
  if (position === undefined) {
    position = { wallet, token, tokens: 0, cost: 0, looks: 0, account: false }
    token.positions.set(wallet, position)
  }
  return position
}

export function setPrice(token: SimToken): void {
  const { curve, pool } = token
  token.price = pool === null ? curve.virtualQuote / curve.virtualToken : (pool.quote + pool.virtualQuote) / pool.base
  token.slowPrice += (token.price - token.slowPrice) / 24
  if (token.price > token.highPrice) token.highPrice = token.price
}

/** The change of `wallet`'s lamports by an action, without network fee and tip. */
export function lamportChange(action: Action, wallet: Wallet): number {
  switch (action.kind) {
    case 'create':
      return wallet === action.token.deployer ? -(RENT.mint + RENT.curve + RENT.tokenAccount) : 0
    case 'trade': {
      if (wallet !== action.wallet) return 0
      const rent = (action.closes ? RENT.tokenAccount : 0) - (action.opens ? RENT.tokenAccount : 0)
      if (action.token.quote === QUOTE.USDC) return rent
      return rent + (action.isBuy ? -action.userQuote : action.userQuote)
    }
    case 'transfer':
      return wallet === action.from && action.opens ? -RENT.tokenAccount : 0
    case 'migrate':
      return action.migrationFee - (RENT.pool + RENT.lpMint + 2 * RENT.tokenAccount)
  }
}
