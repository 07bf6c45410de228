import type { Key, Sig } from '@ti/core/base/ids.ts'
import { newWallet } from '@ti/core/engine/history.ts'
import { newToken } from '@ti/core/engine/tokens.ts'
import { type emptyBundleBook, emptyGlobals } from '@ti/core/model/generated/empty.ts'
import type { ReadingRow, TokenEventRow, TradeRow } from '@ti/core/model/rows.ts'
import type { Position, Token, Wallet } from '@ti/core/model/state.ts'
import { encodeEntry } from '@ti/service/log/codec.ts'
import { openStore } from '@ti/service/store/open.ts'

/** A store with records made by hand, for the tests of the export. */
export const keyOf = (n: number): Key => String.fromCharCode(255, 7, n).padEnd(32, 'x') as Key

export interface State {
  readonly seq: number
  readonly trades: readonly TradeRow[]
  readonly tokens?: readonly Token[]
  readonly wallets?: readonly Wallet[]
  readonly positions?: readonly Position[]
  readonly verdicts?: readonly TokenEventRow[]
  readonly readings?: readonly ReadingRow[]
  readonly bundles?: readonly { token: Token; bundles: ReturnType<typeof emptyBundleBook> }[]
}

/** Brings the store in `dir` to a state, as the fold would. */
export async function bring(dir: string, state: State): Promise<void> {
  const { seq, trades, tokens = plainTokens, wallets = plainWallets, positions = [], bundles = [] } = state
  const { verdicts: tokenEvents = [], readings = [] } = state
  const store = openStore(dir)
  const { nextToken = 0, nextWallet = 0, nextTrade = 0 } = store.globals() ?? {}
  const held = (id: number): number => {
    const all = [...store.positions(id), ...positions.filter(({ token }) => token === id)]
    return new Set(all.map(({ wallet }) => wallet)).size
  }
  const counts = {
    ...{ nextToken: tokens.length, nextWallet: wallets.length, nextTrade: nextTrade + trades.length },
    ...{ tokenEvents: tokenEvents.length, verdicts: tokenEvents.length, readings: readings.length },
  }
  const changes = {
    globals: { ...emptyGlobals(), ...counts, solUsd: 1, firstSlot: 0, seq, slot: seq * 2, time: 1.5 },
    tokens: tokens.map((token) => ({ token, positionCount: held(token.id) })),
    ...{ wallets, positions, trades, bundles, agents: null, actors: [], actorEdges: [] },
    ...{ newTokens: tokens.slice(nextToken), newWallets: wallets.slice(nextWallet) },
    ...{
      tokenEvents,
      readings,
      frameMarks: [],
      pools: new Map(),
      firstUses: [],
      launches: [],
      live: new Map(),
    },
  }
  store.transaction(() => {
    for (let i = store.log.newest() + 1; i <= seq; i++) store.append(i, encodeEntry({ kind: 'gap', from: i, to: i }))
    store.write(changes)
  })
  await store.close()
}

export const plainTokens = [newToken(0, keyOf(1), 5, 6)]
export const plainWallets = [newWallet(0, keyOf(2), 5)]

export const trade = (no: number, more: Partial<TradeRow> = {}): TradeRow => ({
  ...{ no, token: 0, wallet: 0, prev: -1, sig: '' as Sig, outer: -1, inner: 0, venue: 0, slot: 5, time: 0 },
  ...{ isBuy: true, lamports: 1, own: 0, tokens: 2, mcap: 0, buysBefore: 0, buyLamportsBefore: 0, avgHoldSlots: null },
  ...{ pnlLamports: null, roi: null, winRate: null, healthyRate: null, sellImpact: null, bundledRate: null },
  ...{ solBalance: null, smart: false, pricing: true, wash: false, group: -1 },
  ...more,
})
export const trades = (from: number, count: number, more: Partial<TradeRow> = {}): TradeRow[] =>
  Array.from({ length: count }, (_, i) => trade(from + i, more))
