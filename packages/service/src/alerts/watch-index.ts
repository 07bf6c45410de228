import { keyFromBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { type Filter, parseFilter, TOKEN_FIELDS } from '@ti/core/contract/filter.ts'
import type { WatchKind, WatchRow } from '../access/sql/schema.ts'

/** A watch with the first trade, event and slot that count for it. */
export interface Watched {
  readonly row: WatchRow
  readonly fromTrade: number
  readonly fromEvent: number
  readonly fromSlot: number
}

/** Watches with the same condition share one evaluation. */
export interface Condition {
  readonly filter: Filter
  readonly watches: readonly Watched[]
}

/** Lets the index look up the number of an address, and the addresses of numbers that are new. */
export interface Ids {
  tokenId(mint: Key): number | undefined
  walletId(address: Key): number | undefined
  /** The wallet that founded an actor. It belongs to the actor that this one was merged into. */
  founderOf(actor: number): number | undefined
}

/** Watches by their target. A trade that concerns none of them costs three look-ups. */
export interface WatchIndex {
  readonly tokens: ReadonlyMap<number, readonly Watched[]>
  readonly wallets: ReadonlyMap<number, readonly Watched[]>
  readonly deployers: ReadonlyMap<number, readonly Watched[]>
  /** The keys are the founders of the actors. */
  readonly actors: ReadonlyMap<number, readonly Watched[]>
  readonly conditions: readonly Condition[]
  /** Looks again for targets that were not in the state before. */
  resolve(ids: Ids): void
}

type ByNumber = Map<number, Watched[]>

export function indexWatches(rows: readonly WatchRow[], ids: Ids): WatchIndex {
  const by: Record<Exclude<WatchKind, 'condition'>, ByNumber> = {
    token: new Map(),
    wallet: new Map(),
    deployer: new Map(),
    actor: new Map(),
  }
  const conditions = new Map<string, { readonly filter: Filter; readonly watches: Watched[] }>()
  let unseen: { readonly watched: Watched; readonly find: (ids: Ids) => number | undefined }[] = []
  for (const row of rows) {
    const { from_trade: fromTrade, from_event: fromEvent, from_slot: fromSlot } = row
    if (row.paused || fromTrade === null || fromEvent === null || fromSlot === null) continue
    const watched = { row, fromTrade, fromEvent, fromSlot }
    if (row.kind === 'condition') {
      const parsed = parseFilter(row.target, TOKEN_FIELDS)
      // A release has removed a field of this filter, so the watch pauses until its owner changes it.
      if (!parsed.ok) continue
      const same = conditions.get(parsed.filter.text)
      if (same === undefined) conditions.set(parsed.filter.text, { filter: parsed.filter, watches: [watched] })
      else same.watches.push(watched)
      continue
    }
    const find = finderOf(row.kind, row.target)
    if (find !== null) unseen.push({ watched, find })
  }

  function resolve(ids: Ids): void {
    unseen = unseen.filter(({ watched, find }) => {
      const id = find(ids)
      if (id === undefined) return true
      const numbers = by[watched.row.kind as keyof typeof by]
      const known = numbers.get(id)
      if (known === undefined) numbers.set(id, [watched])
      else known.push(watched)
      return false
    })
  }

  resolve(ids)
  return {
    tokens: by.token,
    wallets: by.wallet,
    deployers: by.deployer,
    actors: by.actor,
    conditions: [...conditions.values()],
    resolve,
  }
}

/** Returns a function that looks up a target's number, or null if the target is invalid for this kind. */
function finderOf(kind: WatchKind, target: string): ((ids: Ids) => number | undefined) | null {
  if (kind === 'actor') return ({ founderOf }) => founderOf(Number(target))
  const key = keyFromBase58(target)
  if (key === null) return null
  return kind === 'token' ? ({ tokenId }) => tokenId(key) : ({ walletId }) => walletId(key)
}
