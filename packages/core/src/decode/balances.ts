import { type Key, ZERO_KEY } from '../base/ids.ts'
import { EXACT_MAX, isZeroOf } from '../base/rounding.ts'
import { accountId, type BalanceEvent, type ChainEvent, type TradeEvent } from '../model/events.ts'
import type { RawTokenBalance } from '../model/raw.ts'
import { type Emission, lamportIndex, lamportsAt } from './emission.ts'
import { isPerson, isProgramKey, isSigner } from './people.ts'
import { hasMinting } from './token-program.ts'

/**
 * What the token accounts of a transaction say about its trades. A trade belongs to the signer whose balance it changed. If
 * no balance changed, the tokens passed through: a hop. What the trades do not explain becomes balance events.
 */

/** Sort before and after every instruction of the transaction. */
const START_OF_TRANSACTION = -1
const END_OF_TRANSACTION = 0x7fff
/** Stands for all programs together; the largest key is no account. */
const PROGRAMS = '\xff'.repeat(32) as Key

type Settled = { -readonly [Field in keyof TradeEvent]: TradeEvent[Field] }

/**
 * The token accounts of one mint and their owners, reused so that the hot path allocates nothing. The first `rows` and
 * `places` are in use, because truncating an array frees its memory.
 */
let rows = 0
const accounts: number[] = []
const placeOfRow: number[] = []
const before: number[] = []
const after: number[] = []
let places = 0
const owners: Key[] = []
/** Base units after − before over an owner's accounts, and the part that its trades explain. */
const changes: number[] = []
const explained: number[] = []
const rowsOf: number[] = []
/** Base units after − before over all accounts, and the largest balance, which tells how far sums are rounded. */
let total = 0
let largest = 0
/** Some account had tokens before. */
let existed = false

const isZero = (difference: number): boolean => isZeroOf(difference, largest)

/** Settles the trades decoded from `out[start]` on. */
export function settleTrades(at: Emission, start: number): void {
  const { out, tx } = at
  const end = out.length
  let inner = 0
  if (tx.preTokens.length + tx.postTokens.length === 0) return settleByLog(at, start, end)
  const only = onlyTrade(out, start)
  if (only !== null && isPlain(at, only)) return
  for (let i = start; i < end; i++) {
    const { mint } = out[i]!
    let earlier = start
    while (earlier < i && out[earlier]!.mint !== mint) earlier++
    if (earlier === i) inner = settleMint(at, mint, inner, start, end)
  }
  for (let i = start; i < end; i++) {
    const event = out[i]!
    if (event.kind === 'trade' && event.asset !== undefined) inner = settleAsset(at, event.asset.mint, inner, start, i)
  }
}

/** The only trade among events of one token; null if there are more trades or tokens. */
function onlyTrade(out: readonly ChainEvent[], start: number): TradeEvent | null {
  let only: TradeEvent | null = null
  for (let i = start; i < out.length; i++) {
    const event = out[i]!
    if (event.kind === 'trade' ? only !== null : event.mint !== out[start]!.mint) return null
    if (event.kind === 'trade') only = event
  }
  return only === null || only.mint === out[start]!.mint ? only : null
}

/**
 * True for most transactions: one trade of a signer, which explains the only change of its only account. The general way
 * gives the same; this costs half of it, on the path of nearly every trade.
 */
function isPlain(at: Emission, event: Settled): boolean {
  const { tx, vaults } = at
  const { mint, user } = event
  if (event.asset !== undefined || at.burned.length > 0 || !isSigner(tx, user)) return false
  let account = -1
  let held = 0
  let has = 0
  let sum = 0
  for (const row of tx.postTokens) {
    if (row.mint !== mint) continue
    if (row.owner === null || row.amount > EXACT_MAX) return false
    sum += row.amount
    if (row.owner !== user) {
      if (row.owner !== vaults[0] && !vaults.includes(row.owner)) return false
      continue
    }
    if (account >= 0) return false
    account = row.account
    has = row.amount
  }
  for (const row of tx.preTokens) {
    if (row.mint !== mint) continue
    if (row.owner === null || row.amount > EXACT_MAX) return false
    sum -= row.amount
    if (row.owner !== user) {
      if (row.owner !== vaults[0] && !vaults.includes(row.owner)) return false
      continue
    }
    if (account >= 0 && account !== row.account) return false
    account = row.account
    held = row.amount
  }
  const key = tx.keys[account]
  if (key === undefined || sum !== 0 || has - held !== (event.isBuy ? event.tokenAmount : -event.tokenAmount))
    return false
  event.account = accountId(key)
  event.held = held
  return true
}

/** Without balances a trade is its user's, if that is a person, and what was burned at once is the whole trade. */
function settleByLog(at: Emission, start: number, end: number): void {
  let inner = 0
  for (let i = start; i < end; i++) {
    const event = at.out[i] as Settled
    if (event.kind !== 'trade') continue
    const isLost = isBurned(at, event)
    event.hop = isLost || !isPerson(at.tx, event.user)
    if (!isLost) continue
    const { mint, tokenAmount } = event
    inner = push(at, mint, inner, PROGRAMS, programRow(-tokenAmount))
    inner = push(at, mint, inner, ZERO_KEY, programRow(tokenAmount))
  }
}

const isBurned = ({ burned }: Emission, { user, mint }: TradeEvent): boolean =>
  burned.length > 0 && burned.some((one) => one.owner === user && one.mint === mint)

/** Tokens that paid for another token. Every program that has them is a holder, because no trade was in their own market. */
function settleAsset(at: Emission, mint: Key, inner: number, start: number, place: number): number {
  const { out } = at
  for (let i = start; i < place; i++) {
    const event = out[i]!
    if (event.mint === mint || (event.kind === 'trade' && event.asset?.mint === mint)) return inner
  }
  return gather(at, mint) ? emitRows(at, mint, inner, true) : inner
}

/** Emits what moved of a mint without a trade. `inner` is the first event's place; returns the next free one. */
export const emitMoves = (at: Emission, mint: Key, inner: number): number =>
  gather(at, mint) ? emitRows(at, mint, inner, false) : inner

function settleMint(at: Emission, mint: Key, inner: number, start: number, end: number): number {
  const { out } = at
  const certain = gather(at, mint)
  for (let i = start; i < end; i++) {
    const event = out[i]!
    if (event.kind !== 'trade' || event.mint !== mint) continue
    if (isBurned(at, event)) (event as Settled).hop = true
    else nameTrader(at, event, certain)
    if (!certain || event.hop) continue
    explained[placeOf(event.user)]! += event.isBuy ? event.tokenAmount : -event.tokenAmount
  }
  if (!certain || rows === 0) return inner
  for (let place = 0; place < places; place++)
    if (passedThrough(at, place)) markHops(at, mint, owners[place]!, start, end)
  for (let i = start; i < end; i++) {
    const event = out[i]!
    if (event.kind === 'trade' && event.mint === mint && !event.hop) nameAccount(at, event)
  }
  return emitHopped(at, mint, emitRows(at, mint, inner, false), start, end)
}

/** The fold gives a program what hops moved; here the balances have said where it is. */
function emitHopped(at: Emission, mint: Key, inner: number, start: number, end: number): number {
  let hopped = 0
  for (let i = start; i < end; i++) {
    const event = at.out[i]!
    if (event.kind === 'trade' && event.hop && event.mint === mint)
      hopped += event.isBuy ? event.tokenAmount : -event.tokenAmount
  }
  if (hopped === 0) return inner
  return push(at, mint, inner, PROGRAMS, programRow(-hopped))
}

/** Finds out whose trade it is that a program made. */
function nameTrader(at: Emission, event: Settled, certain: boolean): void {
  const { tx } = at
  if (isPerson(tx, event.user)) return
  const trader = certain ? traderOf(at, event.isBuy) : null
  if (trader === null) {
    event.hop = true
    return
  }
  const lamports = lamportIndex(tx, trader)
  event.user = trader
  event.solBefore = lamportsAt(tx.preBalances, lamports)
  event.solAfter = lamportsAt(tx.postBalances, lamports)
}

/** The signer whose balance moved as the trade says; the payer of the fee, if it was another person's; else null. */
function traderOf({ tx }: Emission, isBuy: boolean): Key | null {
  let isOthers = false
  for (let place = 0; place < places; place++) {
    const change = changes[place]!
    if (change === 0 || change > 0 !== isBuy) continue
    if (isSigner(tx, owners[place]!)) return owners[place]!
    isOthers ||= !isProgramKey(owners[place]!)
  }
  return isOthers ? (tx.keys[0] ?? null) : null
}

/** True if an owner traded, has what it had, and no other person has more or less instead. */
function passedThrough({ tx }: Emission, trader: number): boolean {
  const net = explained[trader]!
  if (isZero(net) || !isZero(changes[trader]!)) return false
  for (let place = 0; place < places; place++) {
    const change = changes[place]!
    if (place !== trader && change !== 0 && change > 0 === net > 0 && isPerson(tx, owners[place]!)) return false
  }
  explained[trader] = 0
  return true
}

function markHops({ out }: Emission, mint: Key, user: Key, start: number, end: number): void {
  for (let i = start; i < end; i++) {
    const event = out[i] as Settled
    if (event.kind === 'trade' && event.mint === mint && event.user === user) event.hop = true
  }
}

/** Names the trader's account and what was in it, if it has one and its trades explain the change. */
function nameAccount(at: Emission, event: Settled): void {
  const place = placeOf(event.user)
  if (rowsOf[place] !== 1 || !isZero(changes[place]! - explained[place]!)) return
  let row = 0
  while (placeOfRow[row] !== place) row++
  event.account = idOf(at, row)
  if (event.account < 0) return
  event.held = before[row]!
  // the next trade of this account finds what this one left
  before[row] = Math.max(0, before[row]! + (event.isBuy ? event.tokenAmount : -event.tokenAmount))
}

function emitRows(at: Emission, mint: Key, first: number, swap: boolean): number {
  let inner = first
  for (let place = 0; place < places; place++) {
    const change = changes[place]!
    const rest = change - explained[place]!
    const owner = owners[place]!
    if (rowsOf[place] === 1 && isZero(rest)) continue
    if (!swap && at.vaults.includes(owner)) continue
    if (!isPerson(at.tx, owner)) {
      if (!isZero(rest)) inner = push(at, mint, inner, owner, programRow(rest))
    } else inner = emitOwner(at, mint, inner, place, swap)
  }
  // what is minted had no owner before; without a call that mints, fees withheld earlier come back
  if (isZero(total) || (total > 0 && (!existed || hasMinting(at.tx, mint)))) return inner
  return push(at, mint, inner, ZERO_KEY, programRow(-total))
}

/** Emits the changed accounts of a person, or that its trades moved tokens which never were in one. */
function emitOwner(at: Emission, mint: Key, first: number, place: number, swap: boolean): number {
  const owner = owners[place]!
  let inner = first
  let told = explained[place]!
  for (let row = 0; row < rows; row++) {
    if (placeOfRow[row] !== place || (before[row] === after[row] && told === 0)) continue
    const account = idOf(at, row)
    const had = before[row]!
    // a sale needs to know what there was to sell
    if (explained[place] !== 0 && had > 0)
      inner = push(
        at,
        mint,
        inner,
        owner,
        { program: false, swap, account, before: had, after: had },
        START_OF_TRANSACTION,
      )
    inner = push(at, mint, inner, owner, {
      program: false,
      swap,
      account,
      before: had,
      after: after[row]!,
      explained: told,
    })
    told = 0
  }
  if (told !== 0) inner = push(at, mint, inner, owner, { program: false, swap, before: 0, after: 0, explained: told })
  return inner
}

type Row = Pick<BalanceEvent, 'program' | 'swap' | 'before' | 'after'> &
  Partial<Pick<BalanceEvent, 'account' | 'explained'>>

/** A change of what programs hold, of which only the sum matters. */
const programRow = (change: number): Row => ({
  program: true,
  swap: false,
  before: Math.max(0, -change),
  after: Math.max(0, change),
})

/** Returns the next free place. */
function push(at: Emission, mint: Key, inner: number, owner: Key, row: Row, outer = END_OF_TRANSACTION): number {
  const { program, swap, account = -1, before: had, after: has, explained: told = 0 } = row
  at.out.push({
    kind: 'balance',
    sig: at.sig,
    txIndex: at.txIndex,
    outer,
    inner,
    mint,
    program,
    swap,
    owner,
    account,
    before: had,
    after: has,
    explained: told,
  })
  return inner + 1
}

/** -1 if the row names no key of the transaction. */
function idOf({ tx }: Emission, row: number): number {
  const account = tx.keys[accounts[row]!]
  return account === undefined ? -1 : accountId(account)
}

function placeOf(owner: Key): number {
  for (let place = 0; place < places; place++) if (owners[place] === owner) return place
  owners[places] = owner
  changes[places] = 0
  explained[places] = 0
  rowsOf[places] = 0
  return places++
}

/** False if a token account of this mint has no known owner, because then no owner's balance is certain. */
function gather({ tx }: Emission, mint: Key): boolean {
  rows = 0
  places = 0
  total = 0
  largest = 0
  existed = false
  for (const row of tx.postTokens) {
    if (row.mint !== mint) continue
    if (row.owner === null) return false
    addRow(row, row.owner)
    after[rows - 1] = row.amount
    count(rows - 1, row.amount)
  }
  for (const row of tx.preTokens) {
    if (row.mint !== mint) continue
    if (row.owner === null) return false
    let found = 0
    // an account may have another owner afterwards
    while (found < rows && (accounts[found] !== row.account || owners[placeOfRow[found]!] !== row.owner)) found++
    if (found === rows) addRow(row, row.owner)
    before[found] = row.amount
    if (row.amount > 0) existed = true
    count(found, -row.amount)
    if (row.amount > largest) largest = row.amount
  }
  return true
}

function addRow({ account }: RawTokenBalance, owner: Key): void {
  const place = placeOf(owner)
  accounts[rows] = account
  placeOfRow[rows] = place
  before[rows] = 0
  after[rows] = 0
  rowsOf[place]!++
  rows++
}

function count(row: number, change: number): void {
  changes[placeOfRow[row]!]! += change
  total += change
  if (change > largest) largest = change
}
