import { keyFromBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { Globals } from '@ti/core/model/state.ts'
import type { WatchRow } from '../access/sql/schema.ts'
import type { Records } from './events.ts'

/** A watch with the first trade, event and slot that count for it. */
export interface Watched {
  readonly row: WatchRow
  readonly fromTrade: number
  readonly fromEvent: number
  readonly fromSlot: number
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
export type WatchIndex = ReturnType<typeof createWatchIndex>

/** Returns the watch as it counts, or null if it is paused or the worker has not adopted it yet. */
export function watchedOf(row: WatchRow): Watched | null {
  const { from_trade: fromTrade, from_event: fromEvent, from_slot: fromSlot, paused } = row
  if (paused || fromTrade === null || fromEvent === null || fromSlot === null) return null
  return { row, fromTrade, fromEvent, fromSlot }
}

type By<K> = Map<K, Watched[]>

export function createWatchIndex(ids: Ids) {
  const by = { token: new Map(), wallet: new Map(), deployer: new Map(), actor: new Map() } satisfies Record<
    string,
    By<number>
  >
  // targets that are not in the state yet: looking each of them up again costs more than reading what is new
  const unseen = { token: new Map<Key, Watched[]>(), wallet: new Map<Key, Watched[]>(), actor: new Map() as By<number> }
  /** Takes a watch out of the list it is in. */
  const removals = new Map<string, () => void>()
  const { globals } = ids
  let { nextToken, nextWallet } = globals

  function push<K>(lists: By<K>, key: K, watched: Watched): void {
    const known = lists.get(key)
    if (known === undefined) lists.set(key, [watched])
    else known.push(watched)
    removals.set(watched.row.id, () => {
      const left = lists.get(key)!.filter((one) => one !== watched)
      if (left.length > 0) lists.set(key, left)
      else lists.delete(key)
    })
  }

  function found<K>(id: number | undefined, target: K, watched: Watched, waiting: By<K>): void {
    if (id === undefined) push(waiting, target, watched)
    else push<number>(by[watched.row.kind as keyof typeof by], id, watched)
  }

  /** `id` is the number of a target, now or still unknown. */
  function seen<K>(id: number | undefined, target: K, waiting: By<K>): void {
    const watches = waiting.get(target)
    if (watches === undefined || id === undefined) return
    waiting.delete(target)
    for (const watched of watches) found(id, target, watched, waiting)
  }

  return {
    tokens: by.token,
    wallets: by.wallet,
    deployers: by.deployer,
    /** The keys are the founders of the actors. */
    actors: by.actor,
    /** Adds a watch that is not there. Conditions are not kept here. */
    add(watched: Watched): void {
      const { kind, target } = watched.row
      if (kind === 'condition') return
      if (kind === 'actor') return found(ids.founderOf(Number(target)), Number(target), watched, unseen.actor)
      const key = keyFromBase58(target)
      if (key === null) return
      if (kind === 'token') found(ids.tokenId(key), key, watched, unseen.token)
      else found(ids.walletId(key), key, watched, unseen.wallet)
    },
    remove(watch: string): void {
      removals.get(watch)?.()
      removals.delete(watch)
    },
    /** Looks for targets among the tokens, wallets and actors that are new since the last call. */
    resolve(): void {
      if (unseen.token.size === 0) nextToken = globals.nextToken
      if (unseen.wallet.size === 0) nextWallet = globals.nextWallet
      for (; nextToken < globals.nextToken; nextToken++) seen(nextToken, ids.token(nextToken).mint, unseen.token)
      for (; nextWallet < globals.nextWallet; nextWallet++)
        seen(nextWallet, ids.wallet(nextWallet).address, unseen.wallet)
      for (const actor of unseen.actor.keys()) seen(ids.founderOf(actor), actor, unseen.actor)
    },
  }
}
