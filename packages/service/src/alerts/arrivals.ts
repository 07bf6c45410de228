import type { Actor } from '@ti/core/model/actors.ts'
import type { AlertSource, Batch } from './batch.ts'
import type { Happening } from './events.ts'
import type { Watched, WatchIndex } from './watch-index.ts'

/**
 * Finds actors that are named in the tokens of a batch, for watches of the token or the actor. It finds them again with every
 * later trade or event of the token, so the caller has to know which ones were reported.
 */
export function arrivalsOf({ trades, events }: Batch, index: WatchIndex, source: AlertSource): Happening[] {
  const { tokens, actors } = index
  const found: Happening[] = []
  if (tokens.size === 0 && actors.size === 0) return found
  const watchersOf = findWatchers(index)
  const newest = new Map<number, { readonly slot: number; readonly time: number }>()
  for (const row of [...events, ...trades]) {
    if (row.slot >= (newest.get(row.token)?.slot ?? 0)) newest.set(row.token, row)
  }
  for (const [id, { slot: until, time }] of newest) {
    const own = tokens.get(id) ?? []
    if (own.length === 0 && actors.size === 0) continue
    const token = source.token(id)
    /** If several founders of a token belong to one actor by now, a watch of that actor reports the token once. */
    const heard = new Set<Watched>()
    for (const { actor, slot, by } of token.actors) {
      if (slot > until) continue
      const root = source.rootOf(actor)
      const what = { event: 'actor_arrived', token, wallet: null, signature: null, slot, time } as const
      const why = () => source.arrival(root, by)
      const add = (watched: Watched, key: string): void => {
        if (slot >= watched.fromSlot) found.push({ ...what, why, watch: watched.row, key })
      }
      for (const watched of own) add(watched, `actor ${actor} ${id}`)
      for (const watched of watchersOf(root)) {
        if (slot < watched.fromSlot || heard.has(watched)) continue
        heard.add(watched)
        add(watched, `actor in ${id}`)
      }
    }
  }
  return found
}

/** Finds watches of the actor, and of actors that were merged into it: their founders are among its wallets. */
function findWatchers({ actors }: WatchIndex): (root: Actor) => readonly Watched[] {
  const known = new Map<Actor, readonly Watched[]>()
  return (root) => {
    let watchers = known.get(root)
    if (watchers === undefined) {
      watchers = actors.size === 0 ? [] : root.wallets.flatMap((wallet) => actors.get(wallet) ?? [])
      known.set(root, watchers)
    }
    return watchers
  }
}
