import type { Bucket } from '../model/buckets.ts'
import { QUOTE, type TradeEvent } from '../model/events.ts'
import type { TradeRow } from '../model/rows.ts'
import type { Globals, Position, Token, Wallet } from '../model/state.ts'
import { isAmm, isDepthKnown } from '../model/venues.ts'
import { place, reconcile } from './accounts.ts'
import type { BundleContext } from './bundles/context.ts'
import { confirmedGroup } from './bundles/groups.ts'
import { noticeTrade } from './bundles/notice.ts'
import { CLASS, enterArrival, enterBuyer, enterClass, isIn, moveClasses, peakClasses } from './class-memory.ts'
import { BUCKET, HISTORY, LISTS, SIGNALS, SLOTS } from './constants.ts'
import { noticeReserve, noticeWithdrawal } from './drain.ts'
import { addExit, noticeEarlySale } from './exits.ts'
import { countFirstBag } from './first-bag.ts'
import * as history from './history.ts'
import { noticeOutcomes } from './outlook/questions.ts'
import { noticeFirstBlock, noticePeople } from './people.ts'
import { addPick } from './picks.ts'
import { buy, openPosition, sell } from './positions.ts'
import type { LiveToken } from './resident.ts'
import { isSmartAt, judgeSmart } from './smart.ts'
import { takeOver } from './token-state.ts'
import { countHolder, isMigrated, marketCap, priceOf } from './tokens.ts'
import { hasValue, inUnit, sameUnit, valueOfTrade } from './units.ts'
import { isWhole, learnFromTrade } from './unseen.ts'
import { bucketFor } from './windows.ts'

/** Folds one trade in O(1): it touches one position, one wallet and one token. */

export interface Moment {
  readonly slot: number
  /** Unix seconds. */
  readonly time: number
}

/** True if the trade's market sets the token's price: the canonical pool, else the curve, else the first pool seen. */
function setsPrice(token: Token, event: TradeEvent): boolean {
  if (!sameUnit(token, event)) return false
  if (isAmm(event.venue)) return event.pool !== null && event.pool === token.pool
  return !isMigrated(token)
}

/** Updates the reserves. A trade that gives only a price moves them along the known depth. */
function takeReserves(token: Token, event: TradeEvent): void {
  const { quoteReserve, baseReserve } = event
  if (isDepthKnown(event) || token.baseReserve <= 0) {
    token.quoteReserve = quoteReserve
    token.baseReserve = baseReserve
    return
  }
  const price = quoteReserve / baseReserve
  const product = token.quoteReserve * token.baseReserve
  token.quoteReserve = Math.max(1, Math.round(Math.sqrt(product * price)))
  token.baseReserve = Math.max(1, Math.round(Math.sqrt(product / price)))
}

function takePrice(globals: Globals, token: Token, event: TradeEvent, slot: number): void {
  noticeWithdrawal(token, event, slot)
  if (token.startPrice === 0) token.startPrice = priceBeforeOf(event)
  takeReserves(token, event)
  token.realToken = event.realToken
  token.mcap = marketCap(token, globals.solUsd)
  if (globals.solUsd === 0 && token.quote === QUOTE.SOL) globals.unpricedTrades++
}

/** Without a known price there is no ATH. */
function noticePeak(token: Token, { slot, time }: Moment): void {
  if (!hasValue(token) || (token.mcap <= token.ath && token.athSlot >= 0)) return
  takeOver(token, slot)
  token.ath = token.mcap
  token.athSlot = slot
  token.athTime = time
}

/** The market before a trade that sets its price. */
interface Before {
  readonly priceBefore: number
  readonly holdersBefore: number
}

/** Adds the trade's size, in the token's unit, to the bucket of its slot, which is returned. */
function countVolume(token: Token, { isBuy }: TradeEvent, moved: number, slot: number, before: Before): Bucket {
  const open = before.priceBefore > 0 ? before.priceBefore : priceOf(token)
  const bucket = bucketFor(token.buckets, slot, open, before.holdersBefore)
  if (isBuy) {
    bucket.buys++
    bucket.buyLamports += moved
  } else {
    bucket.sells++
    bucket.sellLamports += moved
  }
  return bucket
}

/** Applies a trade of which no wallet kept anything: price and volume, and no trader. */
export function applyHop(globals: Globals, live: LiveToken, event: TradeEvent, now: Moment): void {
  const { token } = live
  learnFromTrade(live, event)
  token.fromStart = isWhole(token, globals)
  const left = event.isBuy ? event.tokenAmount : -event.tokenAmount
  token.outstanding += left
  // a program has them, unless the balances say otherwise
  token.programs = Math.max(0, token.programs + left)
  token.lastTradeSlot = now.slot
  token.lastTradeTime = now.time
  if (!setsPrice(token, event)) return
  const before = { priceBefore: priceOf(token), holdersBefore: token.holders }
  takePrice(globals, token, event, now.slot)
  noticePeak(token, now)
  const moved = inUnit(token, event, event.quoteAmount, globals.solUsd)
  const bucket = countVolume(token, event, moved, now.slot, before)
  noticeReserve(live, bucket, event, now.slot, globals.solUsd)
  noticeOutcomes(live)
}

/** The trade as it will be served: the event and the trader's history before it. */
function tradeRow(
  globals: Globals,
  token: Token,
  wallet: Wallet,
  event: TradeEvent,
  now: Moment,
  pricing: boolean,
): TradeRow {
  return {
    no: globals.nextTrade++,
    token: token.id,
    wallet: wallet.id,
    prev: token.lastTradeNo,
    sig: event.sig,
    outer: event.outer,
    inner: event.inner,
    pricing,
    wash: false,
    venue: event.venue,
    slot: now.slot,
    time: now.time,
    isBuy: event.isBuy,
    lamports: valueOfTrade(token, event, event.quoteAmount, globals.solUsd) ?? 0,
    own: token.asset === null ? 0 : inUnit(token, event, event.quoteAmount, globals.solUsd),
    tokens: event.tokenAmount,
    mcap: token.mcap,
    buysBefore: wallet.buys,
    buyLamportsBefore: wallet.buyLamports,
    avgHoldSlots: history.avgHoldSlots(wallet),
    pnlLamports: history.pnlLamports(wallet),
    roi: history.roi(wallet),
    winRate: history.winRate(wallet),
    healthyRate: history.healthyRate(wallet, globals.population),
    sellImpact: history.sellImpact(wallet),
    bundledRate: history.bundledRate(wallet),
    solBalance: event.solBefore >= 0 ? event.solBefore : null,
    smart: isSmartAt(wallet, now.slot),
    group: -1,
  }
}

/**
 * Applies one trade and returns the row to store. The caller marks token and wallet as changed; `context` marks the
 * position and the bundle evidence.
 */
export function applyTrade(
  globals: Globals,
  context: BundleContext,
  wallet: Wallet,
  event: TradeEvent,
  now: Moment,
): TradeRow {
  const { live } = context
  const { token } = live
  learnFromTrade(live, event)
  token.fromStart = isWhole(token, globals)
  const priceBefore = priceOf(token)
  const pricing = setsPrice(token, event)
  if (pricing) takePrice(globals, token, event, now.slot)
  const row = tradeRow(globals, token, wallet, event, now, pricing)
  token.lastTradeNo = row.no

  let position = live.positions.get(wallet.id)
  const isNew = position === undefined
  if (position === undefined) {
    position = openPosition(token.id, wallet, now.slot)
    live.positions.set(wallet.id, position)
  }
  position.owner = wallet
  if (event.account >= 0) reconcileTrader(token, position, event, now.slot)
  const value = valueOfTrade(token, event, event.userQuote, globals.solUsd)
  const paid = value ?? 0
  const balanceBefore = position.balance
  const holdersBefore = token.holders
  const isFirstBuy = event.isBuy && position.bought === 0
  countFirstBag(token, event, now.slot)
  if (event.isBuy) {
    if (isFirstBuy) firstBuy(context, wallet, position)
    buy(position, event.tokenAmount, value, now.slot)
    wallet.buys++
    wallet.buyLamports += paid
    token.buys++
  } else {
    if (pricing) awaitImpact(token, wallet, event, priceBefore, row.lamports, now.slot)
    const beyond = event.tokenAmount - position.balance
    // the whole history was seen, so tokens it did not buy must have been given to it, or come from an unseen pool
    if (beyond > 0 && token.fromStart) {
      position.received += beyond
      if (isMigrated(token)) position.fromOthers += beyond
    }
    sell(position, wallet, event.tokenAmount, value, now.slot, globals.population)
    wallet.sells++
    token.sells++
  }
  place(position, event.account, position.balance - balanceBefore)
  token.outstanding += event.isBuy ? event.tokenAmount : -event.tokenAmount
  countHolder(token, balanceBefore, position.balance)
  const sold = event.isBuy ? 0 : event.tokenAmount
  const isSigned = isIn(position, CLASS.signed)
  moveClasses(token, position, position.balance - balanceBefore, sold, event.isBuy ? paid : 0, event.isBuy ? 0 : paid)
  if (sold > 0) {
    if (isSigned) addExit(token, now.slot, sold, 0)
    noticeEarlySale(token, position, now.slot)
  }
  if (isNew)
    enterArrival(token, position, wallet, { slot: now.slot, firstSlot: globals.firstSlot, buysBefore: row.buysBefore })
  if (isFirstBuy) {
    enterBuyer(token, position, now.slot)
    noticeFirstBlock(token, position, wallet)
  }
  if (wallet.kol) enterClass(token, position, CLASS.kols)
  if (wallet.actor >= 0) enterClass(token, position, CLASS.actors)
  const moved = inUnit(token, event, event.quoteAmount, globals.solUsd)
  noticeTrade(context, { event, position, wallet, balanceBefore })
  row.group = confirmedGroup(live.bundles, position)?.no ?? -1
  row.wash = wallet.wash
  noticePeople(context, position, event.payer)
  peakClasses(token)
  finishWallet(globals, wallet, token, row, event, now)
  finishToken(context, position, row, event, moved, pricing ? { priceBefore, holdersBefore } : null, globals.solUsd)
  context.touchPosition(position)
  return row
}

/** Corrects the balance by what the trader's account held before the trade. */
function reconcileTrader(token: Token, position: Position, { account, held }: TradeEvent, slot: number): void {
  const { balance } = position
  const found = reconcile(position, account, held, slot, token.fromStart)
  if (found === 0) return
  token.outstanding += found
  countHolder(token, balance, position.balance)
  moveClasses(token, position, found, 0, 0, 0)
}

function firstBuy({ live, slot, touchPosition }: BundleContext, wallet: Wallet, position: Position): void {
  wallet.mintsBought++
  live.token.buyers++
  const before = addPick(live, position, slot)
  if (before !== null) touchPosition(before)
}

/** The market's price before the trade; 0 if there was none. */
function priceBeforeOf({ isBuy, quoteReserve, baseReserve, quoteAmount, tokenAmount }: TradeEvent): number {
  const quote = isBuy ? quoteReserve - quoteAmount : quoteReserve + quoteAmount
  const base = isBuy ? baseReserve + tokenAmount : baseReserve - tokenAmount
  return quote > 0 && base > 0 ? quote / base : 0
}

function awaitImpact(
  token: Token,
  wallet: Wallet,
  event: TradeEvent,
  lastPrice: number,
  lamports: number,
  slot: number,
): void {
  const baseBefore = event.baseReserve - event.tokenAmount
  const priceBefore =
    lastPrice > 0 ? lastPrice : baseBefore > 0 ? (event.quoteReserve + event.quoteAmount) / baseBefore : 0
  const weight = Math.min(lamports / 1e9, HISTORY.impactWeightMax)
  if (priceBefore <= 0 || weight <= 0 || token.impacts.length >= HISTORY.impactsMax) return
  token.impacts.push({ wallet: wallet.id, dueSlot: slot + HISTORY.impactSlots, priceBefore, weight })
}

function finishWallet(
  globals: Globals,
  wallet: Wallet,
  token: Token,
  row: TradeRow,
  event: TradeEvent,
  now: Moment,
): void {
  wallet.trades++
  if (row.group >= 0) wallet.bundledTrades++
  wallet.lastSlot = now.slot
  wallet.lastTime = now.time
  if (event.solAfter >= 0) wallet.solBalance = event.solAfter
  history.rememberMint(wallet, token.id)
  wallet.smart = judgeSmart(wallet, globals.population)
}

/**
 * `moved`: the trade's size in the token's unit. `before`: the price before the trade in the market that sets it; null
 * if the trade took place elsewhere.
 */
function finishToken(
  context: BundleContext,
  position: Position,
  row: TradeRow,
  event: TradeEvent,
  moved: number,
  before: Before | null,
  solUsd: number,
): void {
  const { token } = context.live
  const { slot, time } = row
  token.trades++
  token.lastTradeSlot = slot
  token.lastTradeTime = time
  if (row.group < 0) token.lastFreeTradeSlot = slot
  watch(token, row, position, moved)
  if (before === null) return
  noticePeak(token, row)
  const bucket = countVolume(token, event, moved, slot, before)
  if (!event.isBuy) noticeDeployerDump(token, position, slot)
  noticeReserve(context.live, bucket, event, slot, solUsd)
  noticeOutcomes(context.live)
}

/** Records recent trades of smart wallets and KOLs. */
function watch(token: Token, row: TradeRow, position: Position, moved: number): void {
  const { kol } = position.owner!
  if (!row.smart && !kol) return
  const { watched } = token
  const lamports = row.isBuy ? moved : -moved
  watched.push({ wallet: row.wallet, slot: row.slot, lamports, smart: row.smart, kol })
  let expired = watched.length > SIGNALS.watchedTrades ? 1 : 0
  while (watched[expired]!.slot < row.slot - SLOTS.fiveMinutes - BUCKET.slots) expired++
  if (expired > 0) watched.splice(0, expired)
}

function noticeDeployerDump(token: Token, position: Position, slot: number): void {
  if (position.wallet !== token.deployer || slot - token.createdSlot > LISTS.deployerSoldSlots) return
  const bag = position.bought + position.received
  if (bag > 0 && position.sold >= bag * LISTS.deployerSoldShare) token.deployerDumped = true
}
