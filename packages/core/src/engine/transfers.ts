import { count } from '../base/counts.ts'
import type { Key } from '../base/ids.ts'
import type { BalanceEvent } from '../model/events.ts'
import type { Position, Wallet } from '../model/state.ts'
import { confirmedGroup } from './bundles/groups.ts'
import { noticeBalance } from './bundles/notice.ts'
import { noticeTransfer } from './bundles/passing.ts'
import { CLASS, enterArrival, enterClass, moveClasses, peakClasses } from './class-memory.ts'
import { EXCLUDED_OWNERS } from './constants.ts'
import { bundleContext, type Fold, schedule } from './fold.ts'
import { judgeLate } from './launches.ts'
import { remember, rememberPeak } from './memory.ts'
import { openPosition, transferIn, transferOut } from './positions.ts'
import type { LiveToken } from './resident.ts'
import { countHolder } from './tokens.ts'
import type { Moment } from './trade.ts'

/** A wallet's balance of a mint according to the chain, base units. */
export interface Balance {
  readonly owner: Key
  readonly amount: number
}

/**
 * Folds the balance events of one transaction and mint, which are adjacent: tokens moved without a trade. Curves, pools
 * and burn addresses hold tokens but are not holders.
 */
export function applyBalances(fold: Fold, events: readonly BalanceEvent[], now: Moment): void {
  const live = fold.tokens.find(events[0]!.mint)
  if (live === undefined) return count(fold.counts, 'events_of_unknown_tokens')
  applyMoves(fold, live, events, now, events[0]!.txIndex)
}

/**
 * Applies the differences to the known balances. `txIndex`: the transaction that moved them, or null if none was seen,
 * so that no giver is linked to a taker. Returns the base units moved, each once.
 */
export function applyMoves(
  fold: Fold,
  live: LiveToken,
  balances: readonly Balance[],
  now: Moment,
  txIndex: number | null,
): number {
  const from: Position[] = []
  const to: Position[] = []
  const context = bundleContext(fold, live, now.slot)
  const { firstSlot } = fold.globals
  let came = 0
  let moves = 0
  for (const { owner, amount } of balances) {
    if (!isHolder(fold, live, owner)) continue
    const wallet = fold.wallets.findOrCreate(owner, now.slot)
    const known = live.positions.get(wallet.id)
    if (known === undefined && amount === 0) continue
    const position = known ?? openedBy(live, wallet, now.slot)
    position.owner = wallet
    const { balance } = position
    const moved = amount - balance
    if (moved === 0) continue
    came += moved
    moves += Math.abs(moved)
    if (moved > 0) transferIn(position, moved, now.slot)
    else transferOut(position, -moved)
    ;(moved > 0 ? to : from).push(position)
    countHolder(live.token, balance, position.balance)
    moveClasses(live.token, position, moved, 0)
    const arrival = { slot: now.slot, firstSlot, buysBefore: wallet.buys }
    if (known === undefined) enterArrival(live.token, position, wallet, arrival)
    if (wallet.kol) enterClass(live.token, position, CLASS.kols)
    noticeBalance(context, position, balance)
    fold.tokens.touchPosition(position)
    remember(context, position, 0, confirmedGroup(live.bundles, position) !== null)
  }
  if (from.length + to.length === 0) return 0
  // the tokens came from a curve, a pool or a wallet not known to own them
  if (came > 0) live.token.outstanding += came
  rememberPeak(live.token)
  if (txIndex !== null) noticeTransfer(context, from, to, txIndex)
  peakClasses(live.token)
  judgeLate(fold.wallets, context, fold.globals.solUsd)
  fold.tokens.touch(live)
  fold.tokens.touchBundles(live)
  schedule(fold, live, now.slot - 1)
  return moves
}

function isHolder(fold: Fold, { token }: LiveToken, owner: Key): boolean {
  if (owner === token.curve || owner === token.pool || EXCLUDED_OWNERS.has(owner)) return false
  return fold.tokens.idByPool(owner) === undefined
}

function openedBy(live: LiveToken, wallet: Wallet, slot: number): Position {
  const opened = openPosition(live.token.id, wallet, slot)
  live.positions.set(wallet.id, opened)
  return opened
}
