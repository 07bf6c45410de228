import type { Key } from '../base/ids.ts'
import type { BalanceEvent } from '../model/events.ts'
import { type Emission, skip } from './emission.ts'
import { exact } from './reader.ts'

/** Sorts after every instruction of the transaction. */
const END_OF_TRANSACTION = 0x7fff

/**
 * Owners of one mint's tokens in a transaction, reused so that the hot path allocates nothing. The first `places` are
 * in use, because truncating an array frees its memory.
 */
let places = 0
const owners: Key[] = []
/** base units after − before, summed over an owner's accounts, less the amount explained by decoded trades */
const unexplained: number[] = []
const after: number[] = []

/**
 * Emits an event for each owner whose balance changed by more than its trades, decoded from `out[start]` on, explain:
 * tokens moved by plain transfer.
 */
export function emitBalances(at: Emission, start: number): void {
  const { tx, out } = at
  const end = out.length
  let inner = emitBurned(at)
  // if the curve is unknown, its vault would look like a holder
  if (!at.vaultsKnown || tx.preTokens.length + tx.postTokens.length === 0) return
  for (let i = start; i < end; i++) {
    const { mint } = out[i]!
    let earlier = start
    while (earlier < i && out[earlier]!.mint !== mint) earlier++
    if (earlier === i) inner = emitBalancesOf(at, mint, inner, start, end)
  }
}

/** Emits zero balances for buyers whose tokens were burned at once, also if only a log is known. */
function emitBurned(at: Emission): number {
  for (let inner = 0; inner < at.burned.length; inner++) {
    const { owner, mint } = at.burned[inner]!
    at.vaults.push(owner)
    at.out.push(balance(at, mint, owner, 0, inner))
  }
  return at.burned.length
}

const balance = (at: Emission, mint: Key, owner: Key, amount: number, inner: number): BalanceEvent => ({
  kind: 'balance',
  sig: at.sig,
  txIndex: at.txIndex,
  outer: END_OF_TRANSACTION,
  inner,
  mint,
  owner,
  amount,
})

/**
 * Emits balance events of one mint, less the trades in `out` from `start` to `end`. `inner` is the first event's place;
 * returns the next free one.
 */
export function emitBalancesOf(at: Emission, mint: Key, inner: number, start = 0, end = start): number {
  if (!gather(at, mint, start, end)) return inner
  let next = inner
  for (let place = 0; place < places; place++) {
    const owner = owners[place]!
    if (unexplained[place] === 0 || at.vaults.includes(owner)) continue
    if (!exact(after[place]!)) {
      skip(at, 'amount_too_large:balance')
      continue
    }
    at.out.push(balance(at, mint, owner, after[place]!, next++))
  }
  return next
}

function placeOf(owner: Key): number {
  for (let place = 0; place < places; place++) if (owners[place] === owner) return place
  owners[places] = owner
  unexplained[places] = 0
  after[places] = 0
  return places++
}

/** False if a token account of this mint has no known owner, because then no owner's balance is certain. */
function gather(at: Emission, mint: Key, start: number, end: number): boolean {
  const { tx, out } = at
  places = 0
  for (const row of tx.postTokens) {
    if (row.mint !== mint) continue
    if (row.owner === null) return false
    const place = placeOf(row.owner)
    unexplained[place]! += row.amount
    after[place]! += row.amount
  }
  for (const row of tx.preTokens) {
    if (row.mint !== mint) continue
    if (row.owner === null) return false
    unexplained[placeOf(row.owner)]! -= row.amount
  }
  for (let i = start; i < end; i++) {
    const event = out[i]!
    if (event.kind !== 'trade' || event.mint !== mint) continue
    unexplained[placeOf(event.user)]! += event.isBuy ? -event.tokenAmount : event.tokenAmount
  }
  return true
}
