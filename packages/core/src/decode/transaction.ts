import { type Counts, count } from '../base/counts.ts'
import type { Tip } from '../model/entries.ts'
import type { ChainEvent } from '../model/events.ts'
import type { RawTransaction } from '../model/raw.ts'
import { settleTrades } from './balances.ts'
import type { Emission } from './emission.ts'
import { emitPlainTransfers } from './plain-transfers.ts'
import { createPoolBook, type PoolBook } from './pools.ts'
import { FOUND, noteRoles } from './roles.ts'
import { tipOf } from './terms.ts'
import type { UnknownBook } from './unknown.ts'
import { walk } from './walk.ts'

/**
 * Appends the events of one transaction to `out` and returns its tip. Never throws; skipped items are counted by name.
 * Events come from inner instructions. The log is read only if these are absent or have none of our events.
 */
export function decodeTransaction(
  tx: RawTransaction,
  txIndex: number,
  out: ChainEvent[],
  counts: Counts,
  pools: PoolBook = createPoolBook(),
  unknown: UnknownBook | null = null,
): Tip | null {
  if (tx.failed) {
    count(counts, 'failed_transaction')
    return null
  }
  const start = out.length
  const found = noteRoles(tx.keys)
  const tip = (found & FOUND.tip) === 0 || (found & FOUND.program) === 0 ? null : tipOf(tx)
  const at: Emission = {
    tx,
    sig: tx.signature,
    txIndex,
    payer: tx.keys[0] ?? null,
    tipper: tip === null ? null : tip.payer,
    outer: -1,
    inner: -1,
    call: null,
    mayhem: false,
    pools,
    out,
    counts,
    vaults: [],
    firstSwap: null,
    burned: [],
    refused: '',
    unknown,
  }
  if (tx.keys.length > 0 && (found & FOUND.program) === 0) {
    emitPlainTransfers(at)
    return out.length > start && (found & FOUND.tip) !== 0 ? tipOf(tx) : null
  }
  // events before the cut did happen: a launch must not be lost because of the trades after it
  if (!walk(at)) count(counts, 'log_truncated')
  if (out.length > start) settleTrades(at, start)
  return tip
}
