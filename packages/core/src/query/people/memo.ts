import type { Globals, Token, Wallet } from '../../model/state.ts'
import { createFresh } from '../fresh.ts'
import type { PositionReader } from './positions.ts'

/** The cost of reading a record from the store, in positions in memory. */
const COST = { token: 16, wallet: 8, position: 8, actor: 16, edges: 64, bundles: 64 } as const

/**
 * A reader that reads each record once per log entry and charges its cost beforehand. Records stay cached when the
 * budget ends the turn, so the next one continues from there.
 */
export function createMemo(
  reader: PositionReader,
  globals: Readonly<Globals>,
  spend: (positions: number) => void,
): PositionReader {
  const records = createFresh<string, unknown>(() => globals)

  function once<T>(kind: keyof typeof COST, id: number | string, read: () => T): T {
    const kept = records()
    const key = `${kind} ${id}`
    if (kept.has(key)) return kept.get(key) as T
    spend(COST[kind])
    const value = read()
    kept.set(key, value)
    return value
  }

  return {
    globals: () => globals,
    token: (id): Token | undefined => once('token', id, () => reader.token(id)),
    wallet: (id): Wallet | undefined => once('wallet', id, () => reader.wallet(id)),
    actor: (id) => once('actor', id, () => reader.actor(id)),
    actorEdges: (id) => once('edges', id, () => reader.actorEdges(id)),
    bundles: (token) => once('bundles', token, () => reader.bundles(token)),
    launches: reader.launches,
    positionOf: (token, wallet) => once('position', `${token} ${wallet}`, () => reader.positionOf(token, wallet)),
  }
}
