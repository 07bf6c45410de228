import type { Key } from '@ti/core/base/ids.ts'
import type { Changes } from '@ti/core/engine/state.ts'
import type { Actor, ActorEdges } from '@ti/core/model/actors.ts'
import type { BundleBook } from '@ti/core/model/bundles.ts'
import type { TradeRow } from '@ti/core/model/rows.ts'
import type { Globals, Position, Token, Wallet } from '@ti/core/model/state.ts'
import type { HistoryReader } from '@ti/core/query/view.ts'

/** A state in memory from which several states can be continued independently. */
export interface Layer extends HistoryReader {
  write(changes: Changes): void
  row(no: number): TradeRow | undefined
}

const copy = <T>(value: T): T => structuredClone(value)
const copyOrNone = <T>(value: T | undefined): T | undefined => (value === undefined ? undefined : copy(value))
/** a copy without caches that are no state */
const bare = (position: Position): Position => copy({ ...position, owner: null, changed: false })

/**
 * A layer over `below`, which is read for missing records and never changed. In the upper layer no earlier token is
 * live and no agent has open positions: only wallets and first uses of the market are read.
 */
export function createLayer(below: Layer | null): Layer {
  let globals: Globals | null = null
  const tokens = new Map<number, Token>()
  const wallets = new Map<number, Wallet>()
  const positions = new Map<number, Map<number, Position>>()
  const rows = new Map<number, TradeRow>()
  const mints = new Map<Key, number>()
  const addresses = new Map<Key, number>()
  const pools = new Map<Key, number>()
  const uses = new Map<string, number>()
  const live = new Set<number>()
  const bundles = new Map<number, BundleBook>()
  const actors = new Map<number, Actor>()
  const actorEdges = new Map<number, ActorEdges>()

  const inOrder = (token: number): Position[] =>
    [...(positions.get(token)?.values() ?? [])].sort((a, b) => a.wallet - b.wallet)
  const ofToken = (token: number): Position[] =>
    positions.has(token) || below === null ? inOrder(token).map(copy) : below.positions(token)
  const row = (no: number): TradeRow | undefined => rows.get(no) ?? below?.row(no)
  const wallet = (id: number): Wallet | undefined => copyOrNone(wallets.get(id)) ?? below?.wallet(id)

  return {
    row,
    trade: row,
    wallet,
    globals: () => copy(globals ?? below?.globals() ?? null),
    tokenIdByMint: (mint) => mints.get(mint) ?? below?.tokenIdByMint(mint),
    tokenIdByPool: (pool) => pools.get(pool) ?? below?.tokenIdByPool(pool),
    token: (id) => copyOrNone(tokens.get(id)) ?? below?.token(id),
    positions: ofToken,
    positionCount: (token) => positions.get(token)?.size ?? below?.positionCount(token) ?? 0,
    positionOf: (token, id) => copyOrNone(positions.get(token)?.get(id)) ?? below?.positionOf(token, id),
    positionsAfter: (token, id, limit) =>
      ofToken(token)
        .filter(({ wallet: at }) => at > id)
        .slice(0, limit),
    bundles: (token) => copyOrNone(bundles.get(token)) ?? below?.bundles(token),
    agents: () => null,
    actor: (id) => copyOrNone(actors.get(id)) ?? below?.actor(id),
    actorEdges: (id) => copyOrNone(actorEdges.get(id)) ?? below?.actorEdges(id),
    walletIdByAddress: (address) => addresses.get(address) ?? below?.walletIdByAddress(address),
    wallets: (ids) => ids.map((id) => wallet(id)!),
    firstUse: (field, norm) => uses.get(`${field}\n${norm}`) ?? below?.firstUse(field, norm),
    liveTokenIds: () => [...live].sort((a, b) => a - b),
    launches: () => [],
    tradesBack(lastNo, limit) {
      const found: TradeRow[] = []
      for (let next = row(lastNo); next !== undefined && found.length < limit; next = row(next.prev)) found.push(next)
      return found
    },
    write(changes) {
      globals = copy(changes.globals)
      for (const token of changes.newTokens) mints.set(token.mint, token.id)
      for (const { address, id } of changes.newWallets) addresses.set(address, id)
      for (const { token } of changes.tokens) tokens.set(token.id, copy(token))
      for (const changed of changes.wallets) wallets.set(changed.id, copy({ ...changed, stale: false, changed: false }))
      for (const position of changes.positions) {
        const all = positions.get(position.token) ?? new Map<number, Position>()
        positions.set(position.token, all.set(position.wallet, bare(position)))
      }
      for (const changed of changes.bundles) bundles.set(changed.token.id, copy(changed.bundles))
      for (const actor of changes.actors) actors.set(actor.id, copy(actor))
      for (const edges of changes.actorEdges) actorEdges.set(edges.id, copy(edges))
      for (const changed of changes.trades) rows.set(changed.no, changed)
      for (const [pool, token] of changes.pools) pools.set(pool, token)
      for (const { field, norm, token } of changes.firstUses) uses.set(`${field}\n${norm}`, token)
      for (const [id, isLive] of changes.live) {
        if (isLive) live.add(id)
        else live.delete(id)
      }
    },
  }
}
