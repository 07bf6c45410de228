import type { Key } from '@ti/core/base/ids.ts'
import type { Changes, StateReader } from '@ti/core/engine/state.ts'
import type { Actor, ActorEdges } from '@ti/core/model/actors.ts'
import type { AgentBook } from '@ti/core/model/agents.ts'
import type { BundleBook } from '@ti/core/model/bundles.ts'
import type { ReadingRow, TokenEventRow, TradeRow } from '@ti/core/model/rows.ts'
import type { Globals, Position, Token, Wallet } from '@ti/core/model/state.ts'
import { plainCopy } from './plain-copy.ts'

/** For an engine: whatever a commit made durable has left memory before the next. */
export const QUIET_AT_ONCE = { slots: 0, large: Number.POSITIVE_INFINITY, visits: Number.POSITIVE_INFINITY }

/** The plainest store there is: deep copies in maps. What the engine reads back is never what it still holds. */
export interface MemoryStore extends StateReader {
  write(changes: Changes): void
  writeTrades(rows: readonly TradeRow[]): void
  trade(no: number): TradeRow | undefined
  tradesBack(lastNo: number, limit: number): TradeRow[]
  positionOf(token: number, wallet: number): Position | undefined
  positionsAfter(token: number, wallet: number, limit: number): Position[]
  trades(fromNo: number): Iterable<TradeRow>
  tokenEvents(fromSeq: number): Iterable<TokenEventRow>
  readings(fromNo: number): Iterable<ReadingRow>
  frameMark(seq: number): readonly [number, number] | undefined
  verdictEvent(no: number): number | undefined
  launches(deployer: number, offset: number, limit: number): number[]
  /** everything, in a fixed order */
  dump(): string
}

export function createMemoryStore(): MemoryStore {
  let globals: Globals | null = null
  const tokens = new Map<number, Token>()
  const wallets = new Map<number, Wallet>()
  const positions = new Map<number, Map<number, Position>>()
  const trades: TradeRow[] = []
  const tokenEvents: TokenEventRow[] = []
  const readings: ReadingRow[] = []
  const frameMarks: (readonly [number, number])[] = []
  const mints = new Map<Key, number>()
  const addresses = new Map<Key, number>()
  const pools = new Map<Key, number>()
  const uses = new Map<string, number>()
  const launched = new Map<number, number[]>()
  const live = new Set<number>()
  const bundles = new Map<number, BundleBook>()
  let agents: AgentBook | null = null
  const actors = new Map<number, Actor>()
  const actorEdges = new Map<number, ActorEdges>()
  const copy = plainCopy
  const copyOrNone = <T>(value: T | undefined): T | undefined => (value === undefined ? undefined : copy(value))
  /** without what the fold keeps at hand in a record, and which is no state */
  const bare = (position: Position): Position => copy({ ...position, owner: null, changed: false })
  const fresh = (wallet: Wallet): Wallet => copy({ ...wallet, stale: false, changed: false })
  const sorted = <T>(map: Map<number, T>) => [...map.entries()].sort((a, b) => a[0] - b[0])

  return {
    globals: () => copy(globals),
    tokenIdByMint: (mint) => mints.get(mint),
    tokenIdByPool: (pool) => pools.get(pool),
    token: (id) => copyOrNone(tokens.get(id)),
    positions: (token) =>
      sorted(positions.get(token) ?? new Map<number, Position>()).map(([, position]) => copy(position)),
    positionCount: (token) => positions.get(token)?.size ?? 0,
    positionOf: (token, wallet) => copyOrNone(positions.get(token)?.get(wallet)),
    positionsAfter: (token, wallet, limit) =>
      sorted(positions.get(token) ?? new Map<number, Position>())
        .filter(([id]) => id > wallet)
        .slice(0, limit)
        .map(([, position]) => copy(position)),
    bundles: (token) => copyOrNone(bundles.get(token)),
    agents: () => copy(agents),
    actor: (id) => copyOrNone(actors.get(id)),
    actorEdges: (id) => copyOrNone(actorEdges.get(id)),
    walletIdByAddress: (address) => addresses.get(address),
    wallet: (id) => copyOrNone(wallets.get(id)),
    wallets: (ids) => ids.map((id) => copy(wallets.get(id)!)),
    firstUse: (field, norm) => uses.get(`${field}\n${norm}`),
    liveTokenIds: () => [...live].sort((a, b) => a - b),
    trade: (no) => trades[no],
    tradesBack(lastNo, limit) {
      const rows: TradeRow[] = []
      for (let no = lastNo; no >= 0 && rows.length < limit; no = trades[no]!.prev) rows.push(trades[no]!)
      return rows
    },
    trades: (fromNo) => trades.slice(fromNo),
    tokenEvents: (fromSeq) => tokenEvents.filter(({ seq }) => seq >= fromSeq),
    readings: (fromNo) => readings.slice(fromNo),
    verdictEvent: (no) => tokenEvents.find((row) => row.kind === 'verdict' && row.no === no)?.seq,
    frameMark: (seq) => frameMarks.findLast(([first]) => first <= seq),
    launches: (deployer, offset, limit) => [...(launched.get(deployer) ?? [])].reverse().slice(offset, offset + limit),
    writeTrades(rows) {
      for (const row of rows) trades[row.no] = copy(row)
    },
    write(changes) {
      globals = copy(changes.globals)
      for (const token of changes.newTokens) mints.set(token.mint, token.id)
      for (const wallet of changes.newWallets) addresses.set(wallet.address, wallet.id)
      for (const { token } of changes.tokens) tokens.set(token.id, copy(token))
      for (const wallet of changes.wallets) wallets.set(wallet.id, fresh(wallet))
      for (const position of changes.positions) {
        const ofToken = positions.get(position.token) ?? new Map<number, Position>()
        positions.set(position.token, ofToken.set(position.wallet, bare(position)))
      }
      for (const changed of changes.bundles) bundles.set(changed.token.id, copy(changed.bundles))
      if (changes.agents !== null) agents = copy(changes.agents)
      for (const actor of changes.actors) actors.set(actor.id, copy(actor))
      for (const edges of changes.actorEdges) actorEdges.set(edges.id, copy(edges))
      for (const row of changes.trades) trades[row.no] = copy(row)
      tokenEvents.push(...changes.tokenEvents.map(copy))
      readings.push(...changes.readings.map(copy))
      frameMarks.push(...changes.frameMarks.map(copy))
      for (const [pool, token] of changes.pools) pools.set(pool, token)
      for (const { field, norm, token } of changes.firstUses) uses.set(`${field}\n${norm}`, token)
      for (const [deployer, token] of changes.launches) {
        launched.set(deployer, [...(launched.get(deployer) ?? []), token])
      }
      for (const [id, isLive] of changes.live) {
        if (isLive) live.add(id)
        else live.delete(id)
      }
    },
    dump: () =>
      JSON.stringify({
        globals,
        tokens: sorted(tokens),
        wallets: sorted(wallets),
        positions: sorted(positions).map(([id, map]) => [id, sorted(map)]),
        bundles: sorted(bundles),
        agents,
        actors: sorted(actors),
        actorEdges: sorted(actorEdges),
        trades,
        tokenEvents,
        readings,
        frameMarks,
        pools: [...pools].sort(),
        uses: [...uses].sort(),
        launched: sorted(launched),
        live: [...live].sort((a, b) => a - b),
      }),
  }
}
