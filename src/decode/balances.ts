import type { Key } from '../base/ids.ts'
import type { Emission } from './emission.ts'
import { exact } from './reader.ts'

/** Sorts after every instruction of the transaction. */
const END_OF_TRANSACTION = 0x7fff

/** One owner's tokens of one mint over the transaction, summed over his accounts. */
interface Holding {
  readonly owner: Key
  /** base units after − before, less what the decoded trades explain */
  unexplained: number
  after: number
}

/**
 * Tokens that moved by plain transfer beside the trades decoded from `out[start]` on: one event for each owner whose
 * balance his own trades do not explain.
 */
export function emitBalances(at: Emission, start: number): void {
  const { tx, out } = at
  // without the curve's name its vault would pass for a holder
  if (!at.vaultsKnown || tx.preTokens.length + tx.postTokens.length === 0) return
  const end = out.length
  let inner = 0
  for (let i = start; i < end; i++) {
    const { mint } = out[i]!
    let earlier = start
    while (out[earlier]!.mint !== mint) earlier++
    if (earlier < i) continue
    for (const holding of holdingsOf(at, mint, start, end)) {
      if (holding.unexplained === 0 || !exact(holding.after) || at.vaults.includes(holding.owner)) continue
      out.push({
        kind: 'balance',
        sig: at.sig,
        txIndex: at.txIndex,
        outer: END_OF_TRANSACTION,
        inner: inner++,
        mint,
        owner: holding.owner,
        amount: holding.after,
      })
    }
  }
}

/** Empty where a token account of this mint has no known owner: nothing can be said about anyone then. */
function holdingsOf(at: Emission, mint: Key, start: number, end: number): readonly Holding[] {
  const { tx, out } = at
  const holdings: Holding[] = []
  const of = (owner: Key): Holding => {
    for (const holding of holdings) if (holding.owner === owner) return holding
    const holding = { owner, unexplained: 0, after: 0 }
    holdings.push(holding)
    return holding
  }
  for (const row of tx.postTokens) {
    if (row.mint !== mint) continue
    if (row.owner === null) return []
    const holding = of(row.owner)
    holding.unexplained += row.amount
    holding.after += row.amount
  }
  for (const row of tx.preTokens) {
    if (row.mint !== mint) continue
    if (row.owner === null) return []
    of(row.owner).unexplained -= row.amount
  }
  for (let i = start; i < end; i++) {
    const event = out[i]!
    if (event.kind !== 'trade' || event.mint !== mint) continue
    of(event.user).unexplained += event.isBuy ? -event.tokenAmount : event.tokenAmount
  }
  return holdings
}
