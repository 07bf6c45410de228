import { keyFromBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { type Filter, parseFilter, TOKEN_FIELDS } from '@ti/core/contract/filter.ts'
import type { Globals } from '@ti/core/model/state.ts'
import type { WatchKind, WatchRow } from '../access/sql/schema.ts'
import type { Records } from './events.ts'

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
  /** The largest `fromTrade` of the watches. */
  readonly newest: number
}

/** Lets the index look up the number of an address, and the addresses of numbers that are new. */
export interface Ids extends Records {
  readonly globals: Pick<Globals, 'nextToken' | 'nextWallet'>
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
  /** Looks for targets among the tokens, wallets and actors that are new since the last call. */
  resolve(): void
}

type ByNumber = Map<number, Watched[]>

export function indexWatches(rows: readonly WatchRow[], ids: Ids): WatchIndex {
  const by: Record<Exclude<WatchKind, 'condition'>, ByNumber> = {
    token: new Map(),
    wallet: new Map(),
    deployer: new Map(),
    actor: new Map(),
  }
  const conditions = new Map<string, { readonly filter: Filter; readonly watches: Watched[]; newest: number }>()
  // targets that are not in the state yet: looking each of them up again costs more than reading what is new
  const unseen = {
    token: new Map<Key, Watched[]>(),
    wallet: new Map<Key, Watched[]>(),
    actor: new Map<number, Watched[]>(),
  }
  const { globals } = ids
  let { nextToken, nextWallet } = globals

  function addCondition(watched: Watched): void {
    const parsed = parseFilter(watched.row.target, TOKEN_FIELDS)
    // A release has removed a field of this filter, so the watch pauses until its owner changes it.
    if (!parsed.ok) return
    const { filter } = parsed
    const same = conditions.get(filter.text) ?? { filter, watches: [], newest: -1 }
    conditions.set(filter.text, same)
    same.watches.push(watched)
    same.newest = Math.max(same.newest, watched.fromTrade)
  }

  function addTarget(watched: Watched): void {
    const { kind, target } = watched.row
    if (kind === 'actor') return found(ids.founderOf(Number(target)), Number(target), watched, unseen.actor)
    const key = keyFromBase58(target)
    if (key === null) return
    if (kind === 'token') found(ids.tokenId(key), key, watched, unseen.token)
    else found(ids.walletId(key), key, watched, unseen.wallet)
  }

  function found<K>(id: number | undefined, target: K, watched: Watched, waiting: Map<K, Watched[]>): void {
    if (id === undefined) push(waiting, target, watched)
    else push(by[watched.row.kind as keyof typeof by], id, watched)
  }

  /** `id` is the number of a target, now or still unknown. */
  function seen<K>(id: number | undefined, target: K, waiting: Map<K, Watched[]>): void {
    const watches = waiting.get(target)
    if (watches === undefined || id === undefined) return
    waiting.delete(target)
    for (const watched of watches) found(id, target, watched, waiting)
  }

  for (const row of rows) {
    const { from_trade: fromTrade, from_event: fromEvent, from_slot: fromSlot } = row
    if (row.paused || fromTrade === null || fromEvent === null || fromSlot === null) continue
    const watched = { row, fromTrade, fromEvent, fromSlot }
    if (row.kind === 'condition') addCondition(watched)
    else addTarget(watched)
  }

  return {
    tokens: by.token,
    wallets: by.wallet,
    deployers: by.deployer,
    actors: by.actor,
    conditions: [...conditions.values()],
    resolve() {
      if (unseen.token.size === 0) nextToken = globals.nextToken
      if (unseen.wallet.size === 0) nextWallet = globals.nextWallet
      for (; nextToken < globals.nextToken; nextToken++) seen(nextToken, ids.token(nextToken).mint, unseen.token)
      for (; nextWallet < globals.nextWallet; nextWallet++)
        seen(nextWallet, ids.wallet(nextWallet).address, unseen.wallet)
      for (const actor of unseen.actor.keys()) seen(ids.founderOf(actor), actor, unseen.actor)
    },
  }
}

function push<K>(by: Map<K, Watched[]>, key: K, watched: Watched): void {
  const known = by.get(key)
  if (known === undefined) by.set(key, [watched])
  else known.push(watched)
}
