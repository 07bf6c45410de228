import { isZeroOf } from '../base/rounding.ts'
import type { Position } from '../model/state.ts'
import { findTokens, transferIn, transferOut } from './positions.ts'

/**
 * A position's token accounts (methodology, section 1). Its balance is what is in them, and what is unplaced: the trades of
 * which only the log is known name no account. An account that is not in a transaction has not moved.
 */

/** Accounts of one owner and mint besides the first; nearly everybody has one. Further ones count as unplaced. */
const OTHERS_MAX = 8

/** Index in `others` of the account's amount; -1 if it is not among them. */
function placeIn({ others }: Position, account: number): number {
  for (let i = 0; i < others.length; i += 2) if (others[i] === account) return i + 1
  return -1
}

function inOthers({ others }: Position): number {
  let sum = 0
  for (let i = 1; i < others.length; i += 2) sum += others[i]!
  return sum
}

/** Base units known to be in an account. */
function amountIn(position: Position, account: number): number {
  const { balance, unplaced } = position
  if (account === position.account) return balance - unplaced - inOthers(position)
  const place = placeIn(position, account)
  return place < 0 ? 0 : position.others[place]!
}

/** Names the account; false if there is no room for it. */
function admit(position: Position, account: number): boolean {
  if (position.account === account || placeIn(position, account) >= 0) return true
  if (position.account < 0) {
    // what was there without an account stays unplaced
    position.unplaced = position.balance
    position.account = account
    return true
  }
  if (position.others.length >= 2 * OTHERS_MAX) return false
  position.others = [...position.others, account, 0]
  return true
}

/** Moves tokens into an account (out of it if below 0) that the caller adds to the balance. */
export function place(position: Position, account: number, tokens: number): void {
  if (account === position.account) return
  const at = account < 0 ? -1 : placeIn(position, account)
  if (at < 0) position.unplaced += tokens
  else position.others[at]! += tokens
}

/**
 * Compares the account with what the chain says is in it, and corrects the balance. Returns the base units found; below 0
 * if some are gone. `whole`: every movement since the launch was seen, so that a difference is a gift that was not.
 */
export function reconcile(position: Position, account: number, held: number, slot: number, whole: boolean): number {
  if (!admit(position, account)) return 0
  let rest = held - amountIn(position, account)
  if (rest === 0) return 0
  const { unplaced } = position
  if (unplaced !== 0 && unplaced > 0 === rest > 0) {
    const known = rest > 0 ? Math.min(rest, unplaced) : Math.max(rest, unplaced)
    position.unplaced -= known
    place(position, account, known)
    rest -= known
  }
  if (rest === 0) return 0
  place(position, account, rest)
  if (isZeroOf(rest, held)) position.balance += rest
  else if (rest < 0) transferOut(position, -rest)
  else if (whole) transferIn(position, rest, slot)
  else findTokens(position, rest, slot)
  return rest
}
