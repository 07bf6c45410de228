import type { Key } from '../base/ids.ts'
import { emptyBundleBook } from '../model/generated/empty.ts'
import type { Position, Token } from '../model/state.ts'
import {
  createResident,
  createSweep,
  type LiveToken,
  openLiveToken,
  type QuietBounds,
  type Resident,
  readLiveToken,
} from './resident.ts'
import type { StateReader } from './state.ts'
import { newToken } from './tokens.ts'

/**
 * The tokens in memory: live tokens, and dead ones touched since the last commit. The fold alone decides which are live
 * (`retire`), never memory pressure, so that all nodes agree. Positions of quiet tokens may be only in the store.
 */
export interface TokenBook {
  byId(id: number): LiveToken
  find(mint: Key): LiveToken | undefined
  create(mint: Key, slot: number, time: number): LiveToken
  idByPool(pool: Key): number | undefined
  addPool(pool: Key, token: number): void
  touch(live: LiveToken): void
  touchPosition(position: Position): void
  touchBundles(live: LiveToken): void
  retire(live: LiveToken): void
  isLive(id: number): boolean
  live(): IterableIterator<LiveToken>
  /** Only from memory; changes nothing. */
  peek(mint: Key): LiveToken | undefined
  peekId(id: number): LiveToken | undefined
  /** A token's record from memory or the store, read-only. */
  record(id: number): Token
  readonly changes: TokenChanges
  /** Tokens and their positions in memory; `positions` includes those of graduates. */
  sizes(): { tokens: number; positions: number; graduatePositions: number }
  /** Called when everything up to this slot is durable. */
  committed(slot: number): void
}

interface TokenChanges {
  readonly tokens: LiveToken[]
  readonly positions: Position[]
  readonly bundles: LiveToken[]
  readonly created: Token[]
  readonly pools: Map<Key, number>
  /** Tokens that entered (true) or left (false) the live set. */
  readonly live: Map<number, boolean>
}

/** Without `quiet`, all positions of live tokens stay in memory. */
export function createTokenBook(reader: StateReader, nextId: () => number, quiet?: QuietBounds): TokenBook {
  const byId = new Map<number, Resident>()
  const byMint = new Map<Key, Resident>()
  const sweep = quiet && createSweep(byId, quiet)
  const changes: TokenChanges = {
    tokens: [],
    positions: [],
    bundles: [],
    created: [],
    pools: new Map(),
    live: new Map(),
  }

  function keep(live: Resident): Resident {
    byId.set(live.token.id, live)
    byMint.set(live.token.mint, live)
    return live
  }

  const liveIds = new Set(reader.liveTokenIds())
  /** tokens in memory that are not live: loaded for one event, dropped at the next commit unless it revived them */
  const visiting = new Set<number>()

  function load(id: number): LiveToken {
    const token = reader.token(id)
    if (token === undefined) throw new Error(`no token has the id ${id}`)
    if (!liveIds.has(id)) visiting.add(id)
    return keep(quiet === undefined ? readLiveToken(reader, token) : openLiveToken(reader, token, quiet))
  }

  function drop(id: number): void {
    const live = byId.get(id)
    if (live === undefined) return
    byId.delete(id)
    byMint.delete(live.token.mint)
  }

  function change(live: LiveToken): void {
    if (live.changed) return
    live.changed = true
    changes.tokens.push(live)
  }

  for (const id of liveIds) load(id)

  return {
    byId: (id) => byId.get(id) ?? load(id),
    find(mint) {
      const hit = byMint.get(mint)
      if (hit !== undefined) return hit
      const id = reader.tokenIdByMint(mint)
      return id === undefined ? undefined : load(id)
    },
    create(mint, slot, time) {
      const token = newToken(nextId(), mint, slot, time)
      changes.created.push(token)
      return keep(createResident(reader, token, emptyBundleBook(), new Map()))
    },
    idByPool: (pool) => changes.pools.get(pool) ?? reader.tokenIdByPool(pool),
    addPool: (pool, token) => void changes.pools.set(pool, token),
    touch(live) {
      change(live)
      if (!liveIds.has(live.token.id)) {
        liveIds.add(live.token.id)
        changes.live.set(live.token.id, true)
      }
    },
    touchPosition(position) {
      if (position.changed) return
      position.changed = true
      changes.positions.push(position)
    },
    touchBundles(live) {
      if (live.bundlesChanged) return
      live.bundlesChanged = true
      changes.bundles.push(live)
    },
    retire(live) {
      change(live)
      liveIds.delete(live.token.id)
      visiting.add(live.token.id)
      changes.live.set(live.token.id, false)
    },
    isLive: (id) => liveIds.has(id),
    live: () => byId.values(),
    peek: (mint) => byMint.get(mint),
    peekId: (id) => byId.get(id),
    record(id) {
      const token = byId.get(id)?.token ?? reader.token(id)
      if (token === undefined) throw new Error(`no token has the id ${id}`)
      return token
    },
    changes,
    sizes() {
      let positions = 0
      let graduatePositions = 0
      for (const { token, heldCount } of byId.values()) {
        positions += heldCount
        if (token.migratedSlot >= 0) graduatePositions += heldCount
      }
      return { tokens: byId.size, positions, graduatePositions }
    },
    committed(slot) {
      // scans do not read empty positions, so their wallets may leave memory
      for (const position of changes.positions) {
        position.changed = false
        if (position.balance === 0) position.owner = null
      }
      for (const live of changes.tokens) live.changed = false
      for (const live of changes.bundles) live.bundlesChanged = false
      sweep?.(slot, changes.positions.length)
      for (const id of visiting) if (!liveIds.has(id)) drop(id)
      visiting.clear()
      changes.tokens.length = 0
      changes.positions.length = 0
      changes.bundles.length = 0
      changes.created.length = 0
      changes.pools.clear()
      changes.live.clear()
    },
  }
}
