import type { WatchRow } from '../access/sql/schema.ts'
import { keyFromBase58 } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'
import { type Filter, parseFilter, TOKEN_FIELDS } from '../contract/filter.ts'

/** What a watch is found by: numbers of tokens and wallets, and the first row that counts. */
interface Watched {
  readonly row: WatchRow
  readonly fromTrade: number
  readonly fromEvent: number
  readonly fromSlot: number
}

/** Watches with the same condition, which is asked once for all of them. */
export interface Condition {
  readonly filter: Filter
  readonly watches: readonly Watched[]
}

/** How the index learns the number of an address, and the addresses behind numbers that were given out since. */
export interface Ids {
  tokenId(mint: Key): number | undefined
  walletId(address: Key): number | undefined
}

/** Watches by what they are on: a trade that concerns none costs three look-ups. */
export interface WatchIndex {
  readonly tokens: ReadonlyMap<number, readonly Watched[]>
  readonly wallets: ReadonlyMap<number, readonly Watched[]>
  readonly deployers: ReadonlyMap<number, readonly Watched[]>
  readonly conditions: readonly Condition[]
  /** looks again for targets that nobody had seen */
  resolve(ids: Ids): void
}

type ByNumber = Map<number, Watched[]>

export function indexWatches(rows: readonly WatchRow[], ids: Ids): WatchIndex {
  const by: Record<'token' | 'wallet' | 'deployer', ByNumber> = {
    token: new Map(),
    wallet: new Map(),
    deployer: new Map(),
  }
  const conditions = new Map<string, { readonly filter: Filter; readonly watches: Watched[] }>()
  let unseen: { readonly watched: Watched; readonly key: Key; readonly kind: keyof typeof by }[] = []
  for (const row of rows) {
    const { from_trade: fromTrade, from_event: fromEvent, from_slot: fromSlot } = row
    if (row.paused || fromTrade === null || fromEvent === null || fromSlot === null) continue
    const watched = { row, fromTrade, fromEvent, fromSlot }
    if (row.kind === 'condition') {
      const parsed = parseFilter(row.target, TOKEN_FIELDS)
      // a field that a release took away: the watch rests until it is changed
      if (!parsed.ok) continue
      const same = conditions.get(parsed.filter.text)
      if (same === undefined) conditions.set(parsed.filter.text, { filter: parsed.filter, watches: [watched] })
      else same.watches.push(watched)
      continue
    }
    const key = keyFromBase58(row.target)
    if (key !== null) unseen.push({ watched, key, kind: row.kind })
  }

  function resolve({ tokenId, walletId }: Ids): void {
    unseen = unseen.filter(({ watched, key, kind }) => {
      const id = kind === 'token' ? tokenId(key) : walletId(key)
      if (id === undefined) return true
      const known = by[kind].get(id)
      if (known === undefined) by[kind].set(id, [watched])
      else known.push(watched)
      return false
    })
  }

  resolve(ids)
  return {
    ...{ tokens: by.token, wallets: by.wallet, deployers: by.deployer, conditions: [...conditions.values()] },
    resolve,
  }
}
