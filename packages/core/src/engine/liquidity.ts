import { type Key, NO_SIG } from '../base/ids.ts'
import { LIQUIDITY, type LiquidityEvent } from '../model/events.ts'
import type { Provider, TokenLiquidity } from '../model/liquidity.ts'
import { RUGGED_BY, type Token } from '../model/state.ts'
import { DRAIN } from './constants.ts'
import { bundleContext, type Fold } from './fold.ts'
import { creditLiquidity, lostBefore, settleLoss, takenFrom } from './launches.ts'
import type { LiveToken } from './resident.ts'
import { isMigrated, marketCap } from './tokens.ts'
import type { Moment } from './trade.ts'
import { hasValue, inUnit, valueOfTrade } from './units.ts'

/** Liquidity of a token's pool (methodology, section 1): reserves, who took what, what can still be taken. */

/** Wallets remembered for a pool: those with the largest amounts. Few pools have as many. */
const PROVIDERS_MAX = 16

/** Folds a change of a pool's liquidity. Tokens that move with it are in the balances of the transaction. */
export function onLiquidity(fold: Fold, live: LiveToken, event: LiquidityEvent, now: Moment): void {
  const { token } = live
  const { globals, wallets, tokenEvents } = fold
  const isPerson = event.change !== LIQUIDITY.plan && !event.program
  const wallet = isPerson ? wallets.findOrCreate(event.owner, now.slot).id : -1
  const book = bookOf(token, event)
  const before = lostBefore(token)
  const paid = valueOfTrade(token, event, event.quoteAmount, globals.solUsd) ?? 0
  creditLiquidity(wallets, token, wallet, movedBy(event) * paid)
  if (book !== null) {
    takeLiquidity(token, book, event, globals.solUsd)
    const moved = event.sig === book.opened ? 0 : movedBy(event)
    if (moved !== 0) {
      const took = moved * inUnit(token, event, event.quoteAmount, globals.solUsd)
      remember(book, { wallet, tokens: moved * event.tokens, took, slot: now.slot, sig: event.sig })
    }
    if (moved > 0 && isPulled(token, book, event, wallet))
      pull(token, wallet, wallet === token.deployer ? takenFrom(wallets, token) : null, now.slot)
  }
  if (!settleLoss(wallets, bundleContext(fold, live, now.slot), before)) return
  tokenEvents.record(token, { kind: 'liquidity_pulled', wallet, lamports: paid, sig: event.sig }, now)
}

/** What the owner took out: 1 for a withdrawal, -1 for a deposit. */
const movedBy = ({ change }: LiquidityEvent): number =>
  change === LIQUIDITY.withdraw ? 1 : change === LIQUIDITY.open || change === LIQUIDITY.deposit ? -1 : 0

/**
 * The record that the event belongs to; null if its pool is not the token's. Pump opens a pool before the token is known
 * to graduate, so until then the newest pool is kept, but never instead of a plan.
 */
function bookOf(token: Token, event: LiquidityEvent): TokenLiquidity | null {
  const { liquidity, curve, pool } = token
  if (event.pool === liquidity?.pool && event.change !== LIQUIDITY.open) return liquidity
  const isPlan = event.change === LIQUIDITY.plan
  const isOwn = isPlan ? event.pool === curve && !isMigrated(token) : event.pool === pool
  const isNewest = event.change === LIQUIDITY.open && !isMigrated(token) && pool === null && liquidity?.pool !== curve
  if (!isOwn && !isNewest) return null
  token.liquidity = { pool: event.pool, opened: NO_SIG, opening: 0, total: 0, locked: -1, providers: [] }
  return token.liquidity
}

/** Updates units, and the reserves if the pool prices the token: they change in proportion and leave the price. */
function takeLiquidity(token: Token, book: TokenLiquidity, event: LiquidityEvent, solUsd: number): void {
  const { change, units, total, locked } = event
  if (locked >= 0) book.locked = locked
  if (total < 0) return
  const before = change === LIQUIDITY.withdraw ? total + units : Math.max(0, total - units)
  if (change === LIQUIDITY.open) {
    book.opened = event.sig
    book.opening = total
  } else if (change === LIQUIDITY.plan) book.opening = total
  else if (book.total === 0 && book.opened === NO_SIG) book.opening = before
  else if (event.sig === book.opened) book.opening = total
  book.total = total
  if (change === LIQUIDITY.plan || event.pool !== token.pool) return
  if (change === LIQUIDITY.open) takeStated(token, event)
  else if (before > 0) scaleReserves(token, total / before)
  token.realQuote = Math.max(0, event.quoteReserve)
  token.mcap = marketCap(token, solUsd)
}

function takeStated(token: Token, { quoteReserve, baseReserve }: LiquidityEvent): void {
  if (quoteReserve <= 0 || baseReserve <= 0) return
  token.quoteReserve = quoteReserve
  token.baseReserve = baseReserve
}

/** A virtual part changes with the rest. A pool that is left empty has no price. */
function scaleReserves(token: Token, ratio: number): void {
  token.quoteReserve = Math.round(token.quoteReserve * ratio)
  token.baseReserve = Math.round(token.baseReserve * ratio)
}

/** Adds to what the wallet took. If there are too many, the one that matters least is forgotten. */
function remember({ providers }: TokenLiquidity, { wallet, tokens, took, slot, sig }: Provider): void {
  let own = providers.find((one) => one.wallet === wallet)
  if (own === undefined) {
    own = { wallet, tokens: 0, took: 0, slot: -1, sig: NO_SIG }
    providers.push(own)
  }
  own.tokens += tokens
  own.took += took
  if (tokens > 0 || took > 0) {
    own.slot = slot
    own.sig = sig
  }
  if (providers.length <= PROVIDERS_MAX) return
  let least = 0
  for (let i = 1; i < providers.length - 1; i++)
    if (Math.abs(providers[i]!.took) < Math.abs(providers[least]!.took)) least = i
  providers.splice(least, 1)
}

/**
 * True if most of what the pool opened with is gone, or if the deployer took most of what was there. A stranger who adds
 * liquidity and takes it out again leaves what was there, and so cannot make a token look pulled.
 */
function isPulled(token: Token, { pool, opening, total }: TokenLiquidity, event: LiquidityEvent, wallet: number) {
  if (token.ruggedSlot >= 0 || pool !== token.pool || event.total < 0) return false
  const isDeployer = wallet >= 0 && wallet === token.deployer
  const isMost = (gone: number, of: number): boolean => gone >= of * DRAIN.withdrawalFall
  return isMost(opening - total, opening) || (isDeployer && isMost(event.units, total + event.units))
}

/** `taken`: lamports that the wallet took from the token in all, null if unknown. Who lost money is no rugger. */
function pull(token: Token, wallet: number, taken: number | null, slot: number): void {
  if (token.drainedSlot < 0) token.drainedSlot = slot
  if (taken !== null && taken <= 0 && hasValue(token)) return
  token.ruggedSlot = slot
  token.ruggedBy = RUGGED_BY.liquidity | (wallet >= 0 && wallet === token.deployer ? RUGGED_BY.deployer : 0)
}

/** Shares of the pool, or of the one planned: locked for ever, and what can still be pulled; null if unknown. */
export function sharesOf({ total, locked }: TokenLiquidity): { locked: number; pullable: number } | null {
  if (locked < 0 || total <= 0) return null
  const share = Math.min(1, locked / total)
  return { locked: share, pullable: 1 - share }
}

/** The record of the market where the token trades; null if nothing is known of it. */
export function liquidityOf({ liquidity, pool, curve }: Token): TokenLiquidity | null {
  const market: Key | null = pool ?? curve
  return liquidity !== null && liquidity.pool === market ? liquidity : null
}

/** What was taken out of the pool in all, in the token's unit, and by whom most; null if nothing was. */
export function withdrawnFrom({ providers }: TokenLiquidity) {
  const taken = providers.filter(({ tokens, took }) => tokens > 0 || took > 0)
  if (taken.length === 0) return null
  const most = taken.reduce((a, b) => (b.took > a.took ? b : a))
  const sum = (of: 'tokens' | 'took'): number => taken.reduce((all, one) => all + Math.max(0, one[of]), 0)
  return { tokens: sum('tokens'), took: sum('took'), most }
}
