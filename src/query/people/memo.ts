import type { Token, Wallet } from '../../model/state.ts'
import type { ActorReader } from '../actors.ts'

/** Positions in memory that a record read from the store takes as long as. */
const COST = { token: 16, wallet: 8, position: 8, actor: 16, edges: 64 } as const

/**
 * A reader that has each record read once an entry, and says before what it will cost. What was read stays when that ends the turn:
 * the next begins where this one stopped.
 */
export function createMemo(reader: ActorReader, spend: (positions: number) => void): ActorReader {
  let seq = -2
  const kept = { token: new Map(), wallet: new Map(), position: new Map(), actor: new Map(), edges: new Map() } as const

  function once<T>(kind: keyof typeof kept, key: number | string, read: () => T): T {
    const now = reader.globals()?.seq ?? -1
    if (now !== seq) {
      for (const map of Object.values(kept)) map.clear()
      seq = now
    }
    const map = kept[kind] as Map<number | string, T>
    if (map.has(key)) return map.get(key) as T
    spend(COST[kind])
    const value = read()
    map.set(key, value)
    return value
  }

  return {
    globals: reader.globals,
    token: (id): Token | undefined => once('token', id, () => reader.token(id)),
    wallet: (id): Wallet | undefined => once('wallet', id, () => reader.wallet(id)),
    actor: (id) => once('actor', id, () => reader.actor(id)),
    actorEdges: (id) => once('edges', id, () => reader.actorEdges(id)),
    positionOf: (token, wallet) => once('position', `${token} ${wallet}`, () => reader.positionOf(token, wallet)),
  }
}
