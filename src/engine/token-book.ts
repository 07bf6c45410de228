import type { Key } from '../base/ids.ts'
import { type BundleBook, emptyBook } from './bundles/state.ts'
import type { RecentSizes } from './reading/sizes.ts'
import type { Position, StateReader, Token, Wallet } from './state.ts'
import { newToken } from './tokens.ts'

/** A token in memory with everybody who ever held it. */
export interface LiveToken {
  readonly token: Token
  /** its coordinated wallets */
  readonly bundles: BundleBook
  /** by wallet id */
  readonly positions: Map<number, Position>
  /** its holders' records have been looked up together, once: one by one that takes three times as long */
  ownersMet: boolean
  /** sizes of recent trades, where somebody asked: a shortcut, no state */
  sizes: RecentSizes | null
}

/**
 * Tokens in memory: the live ones, and dead ones that something touched since. What is live is decided by the fold
 * (`retire`), never by memory pressure, so that it is the same on every node.
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
  /** in memory or not at all: reading changes nothing */
  peek(mint: Key): LiveToken | undefined
  peekId(id: number): LiveToken | undefined
  readonly changes: TokenChanges
  committed(): void
}

export interface TokenChanges {
  readonly tokens: Set<LiveToken>
  readonly positions: Set<Position>
  readonly bundles: Set<LiveToken>
  readonly created: Token[]
  readonly pools: Map<Key, number>
  /** tokens that entered (true) or left (false) the live set */
  readonly live: Map<number, boolean>
}

export function createTokenBook(reader: StateReader, nextId: () => number): TokenBook {
  const byId = new Map<number, LiveToken>()
  const byMint = new Map<Key, LiveToken>()
  const changes: TokenChanges = {
    tokens: new Set(),
    positions: new Set(),
    bundles: new Set(),
    created: [],
    pools: new Map(),
    live: new Map(),
  }

  function keep(live: LiveToken): LiveToken {
    byId.set(live.token.id, live)
    byMint.set(live.token.mint, live)
    return live
  }

  const liveIds = new Set(reader.liveTokenIds())
  /** tokens in memory that are not live: read for one event, dropped at the next commit unless it woke them */
  const visiting = new Set<number>()

  function load(id: number): LiveToken {
    const token = reader.token(id)
    if (token === undefined) throw new Error(`no token has the id ${id}`)
    if (!liveIds.has(id)) visiting.add(id)
    return keep(readLiveToken(reader, token))
  }

  function drop(id: number): void {
    const live = byId.get(id)
    if (live === undefined) return
    byId.delete(id)
    byMint.delete(live.token.mint)
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
      return keep({ token, bundles: emptyBook(), positions: new Map(), ownersMet: true, sizes: null })
    },
    idByPool: (pool) => changes.pools.get(pool) ?? reader.tokenIdByPool(pool),
    addPool: (pool, token) => void changes.pools.set(pool, token),
    touch(live) {
      changes.tokens.add(live)
      if (!liveIds.has(live.token.id)) {
        liveIds.add(live.token.id)
        changes.live.set(live.token.id, true)
      }
    },
    touchPosition: (position) => void changes.positions.add(position),
    touchBundles: (live) => void changes.bundles.add(live),
    retire(live) {
      changes.tokens.add(live)
      liveIds.delete(live.token.id)
      visiting.add(live.token.id)
      changes.live.set(live.token.id, false)
    },
    isLive: (id) => liveIds.has(id),
    live: () => byId.values(),
    peek: (mint) => byMint.get(mint),
    peekId: (id) => byId.get(id),
    changes,
    committed() {
      for (const id of visiting) if (!liveIds.has(id)) drop(id)
      visiting.clear()
      changes.tokens.clear()
      changes.positions.clear()
      changes.bundles.clear()
      changes.created.length = 0
      changes.pools.clear()
      changes.live.clear()
    },
  }
}

/** A token with its positions as the store has them. */
export function readLiveToken(reader: StateReader, token: Token): LiveToken {
  const positions = new Map<number, Position>()
  for (const position of reader.positions(token.id)) positions.set(position.wallet, position)
  return { token, bundles: reader.bundles(token.id) ?? emptyBook(), positions, ownersMet: false, sizes: null }
}

/** Looks up whoever holds the token, where that has not been done since it was read. */
export function meetOwners(live: LiveToken, wallets: (ids: readonly number[]) => readonly Wallet[]): void {
  if (live.ownersMet) return
  live.ownersMet = true
  const unmet = [...live.positions.values()].filter(({ balance, owner }) => balance > 0 && owner === null)
  const owners = wallets(unmet.map(({ wallet }) => wallet))
  for (const [i, position] of unmet.entries()) position.owner = owners[i]!
}
