import { count } from '../base/counts.ts'
import { type Key, ZERO_KEY } from '../base/ids.ts'
import type { BalanceEvent } from '../model/events.ts'
import type { Position, Token } from '../model/state.ts'
import { place, reconcile } from './accounts.ts'
import type { BundleContext } from './bundles/context.ts'
import { noticeBalance } from './bundles/notice.ts'
import { type Moved, noticeTransfer } from './bundles/passing.ts'
import { CLASS, enterArrival, enterClass, isIn, moveClasses, peakClasses } from './class-memory.ts'
import { EXCLUDED_OWNERS } from './constants.ts'
import { bundleContext, type Fold, schedule } from './fold.ts'
import { judgeLate } from './launches.ts'
import { noticePeople } from './people.ts'
import { findTokens, openPosition, transferIn, transferOut } from './positions.ts'
import type { LiveToken } from './resident.ts'
import { countHolder, isMigrated } from './tokens.ts'
import type { Moment } from './trade.ts'
import { isLaunchSeen, isWhole } from './unseen.ts'

/** A wallet's balance of a mint according to the chain, base units. */
export interface Balance {
  readonly owner: Key
  readonly amount: number
}

/** Movements of one mint in one transaction, or of which no transaction was seen. */
interface Moves {
  readonly fold: Fold
  readonly live: LiveToken
  readonly context: BundleContext
  readonly now: Moment
  readonly from: Moved[]
  readonly to: Moved[]
  /** Base units that came to holders and programs, less those that left them. */
  came: number
  /** Base units by which holders' balances changed, in either direction. */
  changed: number
}

const beginMoves = (fold: Fold, live: LiveToken, now: Moment): Moves => {
  const context = bundleContext(fold, live, now.slot)
  return { fold, live, context, now, from: [], to: [], came: 0, changed: 0 }
}

/** Folds the balance events of one transaction and mint, which are adjacent: what its trades do not explain. */
export function applyBalances(fold: Fold, events: readonly BalanceEvent[], now: Moment): void {
  const { mint, txIndex } = events[0]!
  const live = fold.tokens.find(mint)
  if (live === undefined) return count(fold.counts, 'events_of_unknown_tokens')
  const moves = beginMoves(fold, live, now)
  for (let i = 0; i < events.length; ) {
    const event = events[i]!
    let end = i + 1
    while (end < events.length && events[end]!.owner === event.owner) end++
    if (event.program) holdByProgram(moves, event)
    else moveAccounts(moves, events.slice(i, end))
    i = end
  }
  endMoves(moves, txIndex)
}

/** Sets balances that the chain reports without the transactions behind them. Returns the base units moved. */
export function applyCorrections(fold: Fold, live: LiveToken, balances: readonly Balance[], now: Moment): number {
  const moves = beginMoves(fold, live, now)
  for (const { owner, amount } of balances) {
    if (amount === 0 && !isKnown(moves, owner)) continue
    change(moves, owner, (position) => give(position, amount - position.balance, now.slot))
  }
  endMoves(moves, null)
  return moves.changed
}

function isKnown({ fold, live }: Moves, owner: Key): boolean {
  const wallet = fold.wallets.find(owner)
  return wallet !== undefined && live.positions.has(wallet.id)
}

/** True for the token's own markets, which hold what was not given out. */
function isMarket({ fold, live }: Moves, owner: Key): boolean {
  const { token } = live
  return owner === token.curve || owner === token.pool || fold.tokens.idByPool(owner) !== undefined
}

function holdByProgram(moves: Moves, { owner, before, after }: BalanceEvent): void {
  const { token } = moves.live
  if (owner === ZERO_KEY) token.burned += after - before
  else if (!isMarket(moves, owner)) token.programs += after - before
  else return
  moves.came += after - before
}

/** Applies the rows of one owner. Accounts that are not among them have not moved. */
function moveAccounts(moves: Moves, rows: readonly BalanceEvent[]): void {
  const { owner, explained, swap } = rows[0]!
  const { slot } = moves.now
  const whole = isWhole(moves.live.token, moves.fold.globals)
  change(moves, owner, (position) => {
    for (const { account, before } of rows) if (account >= 0) reconcile(position, account, before, slot, whole)
    let rest = -explained
    place(position, -1, rest)
    for (const { account, before, after } of rows) {
      place(position, account, after - before)
      rest += after - before
    }
    if (!swap || rest < 0) return give(position, rest, slot)
    findTokens(position, rest, slot)
    return 0
  })
}

/** Returns the tokens given, below 0 if taken. No wallet gives more than it is known to have. */
function give(position: Position, tokens: number, slot: number): number {
  const moved = Math.max(tokens, -position.balance)
  if (moved > 0) transferIn(position, moved, slot)
  else if (moved < 0) transferOut(position, -moved)
  return moved
}

/** Changes an owner's position by `move`, which returns what another person gave it. */
function change(moves: Moves, owner: Key, move: (position: Position) => number): void {
  const { fold, live, context, now } = moves
  if (EXCLUDED_OWNERS.has(owner) || isMarket(moves, owner)) return
  const wallet = fold.wallets.findOrCreate(owner, now.slot)
  const known = live.positions.get(wallet.id)
  const position = known ?? openPosition(live.token.id, wallet, now.slot)
  position.owner = wallet
  const { balance } = position
  const gift = move(position)
  const moved = position.balance - balance
  if (known === undefined) {
    if (moved === 0) return
    live.positions.set(wallet.id, position)
  }
  fold.tokens.touchPosition(position)
  if (gift !== 0) (gift > 0 ? moves.to : moves.from).push({ position, tokens: Math.abs(gift) })
  if (moved === 0) return
  moves.came += moved
  moves.changed += Math.abs(moved)
  countHolder(live.token, balance, position.balance)
  moveClasses(live.token, position, moved, 0, 0, 0)
  const arrival = { slot: now.slot, firstSlot: fold.globals.firstSlot, buysBefore: wallet.buys }
  if (known === undefined) enterArrival(live.token, position, wallet, arrival)
  if (wallet.kol) enterClass(live.token, position, CLASS.kols)
  noticeBalance(context, position, balance)
  if (gift <= 0) noticePeople(context, position)
}

/** Tokens from people of whom none is the token's own say nothing; nor do unseen ones that a pool may have sold. */
function noticeGifts({ live, context, from, to }: Moves, isSeen: boolean): void {
  const { token } = live
  const isSuspect = isSeen ? from.some(({ position }) => isIn(position, CLASS.signed)) : isCurveOnly(token)
  for (const { position, tokens } of to) {
    if (!isSuspect) position.fromOthers += tokens
    noticePeople(context, position)
  }
}

/** True if every market of the token so far was seen. */
const isCurveOnly = (token: Token): boolean => isLaunchSeen(token) && !isMigrated(token)

/** `txIndex`: the transaction that moved the tokens; null if none was seen, so that no giver is linked to a taker. */
function endMoves(moves: Moves, txIndex: number | null): void {
  const { fold, live, context, now, from, to, came, changed } = moves
  const { token } = live
  // what no other holder gave came from a market, or from accounts that were not seen
  token.outstanding += came
  if (changed > 0) {
    noticeGifts(moves, txIndex !== null && from.length > 0)
    if (txIndex !== null) noticeTransfer(context, from, to, txIndex)
    peakClasses(token)
    judgeLate(fold.wallets, context)
    fold.tokens.touchBundles(live)
  }
  fold.judged.add(live)
  fold.tokens.touch(live)
  schedule(fold, live, now.slot - 1)
}
