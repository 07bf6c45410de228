import { keyFromBase58, keyToBase58 } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'
import { isoMicros } from '../base/time.ts'
import { deployerRecord, launchOf } from '../engine/deployers.ts'
import type { Engine } from '../engine/engine.ts'
import { graduatedTokens, type Market, newTokens, pumpingTokens, survivingTokens } from '../engine/lists.ts'
import type { StateReader, Token, TradeRow, Wallet } from '../engine/state.ts'
import { type LiveToken, readLiveToken } from '../engine/token-book.ts'
import { renderCard } from './card.ts'
import { renderDevSummary, renderDevToken } from './deployer.ts'
import type { DeployerAnswer, ListName, Query, Rendered } from './query.ts'
import { SNAPSHOT_GROUP } from './snapshot.ts'
import { renderTrade } from './trade.ts'
import { renderTrader } from './trader.ts'

/** What answering needs from the store beyond what the engine reads. */
export interface HistoryReader extends StateReader {
  /** at most `limit` rows, newest first, starting with row `lastNo` */
  tradesBack(lastNo: number, limit: number): TradeRow[]
  /** token ids, newest launch first */
  launches(deployer: number, offset: number, limit: number): number[]
}

export interface QueryOptions {
  readonly engine: Pick<Engine, 'globals' | 'tokens'>
  readonly store: HistoryReader
  /** Unix milliseconds, for `cached_at` */
  readonly now: () => number
  readonly bounds: {
    readonly listItems: number
    readonly tokenTrades: number
    readonly renderedAnswers: number
    readonly launchesSummed: number
  }
}

/**
 * Answers from committed state. What was rendered is kept until the next log entry: every age and rank may move with a
 * block even where the token itself did not trade.
 */
export function createQuery({ engine, store, now, bounds }: QueryOptions): Query {
  const { globals, tokens } = engine
  const rendered = new Map<string, Rendered>()
  let renderedSeq = -1

  function cached(name: string, render: () => unknown): Rendered {
    if (renderedSeq !== globals.seq || rendered.size >= bounds.renderedAnswers) {
      rendered.clear()
      renderedSeq = globals.seq
    }
    const hit = rendered.get(name)
    if (hit !== undefined) return hit
    const answer = { bytes: Buffer.from(JSON.stringify(render())), renderedAt: isoMicros(now() / 1000) }
    rendered.set(name, answer)
    return answer
  }

  const wallet = (id: number): Wallet => store.wallet(id)!

  function findToken(mint: string): LiveToken | null {
    const key = keyFromBase58(mint)
    if (key === null) return null
    const live = tokens.peek(key)
    if (live !== undefined) return live
    const id = store.tokenIdByMint(key)
    return id === undefined ? null : readLiveToken(store, store.token(id)!)
  }

  const tokenById = (id: number): Token => tokens.peekId(id)?.token ?? store.token(id)!

  const market: Market = {
    get slot() {
      return globals.slot
    },
    get solUsd() {
      return globals.solUsd
    },
    live: () => tokens.live(),
    wallet,
  }

  const lists: Record<ListName, () => LiveToken[]> = {
    new: () => newTokens(market, bounds.listItems),
    pumps: () => pumpingTokens(market, bounds.listItems),
    graduated: () => graduatedTokens(market, bounds.listItems),
    agents: () => [],
    survivors: () => survivingTokens(market, bounds.listItems),
  }

  function renderTrades({ token }: LiveToken, mint: string): unknown {
    const wallets = new Map<number, Wallet>()
    return store.tradesBack(token.lastTradeNo, bounds.tokenTrades).map((row) => {
      const trader = wallets.get(row.wallet) ?? wallet(row.wallet)
      wallets.set(row.wallet, trader)
      return renderTrade(token, mint, trader, row)
    })
  }

  function findWallet(address: string): Wallet | null {
    const key: Key | null = keyFromBase58(address)
    const id = key === null ? undefined : store.walletIdByAddress(key)
    return id === undefined ? null : wallet(id)
  }

  return {
    snapshot(mint, groups) {
      const name = `snapshot/${mint}/${groups.join()}`
      const hit = renderedSeq === globals.seq ? rendered.get(name) : undefined
      if (hit !== undefined) return hit
      const live = findToken(mint)
      if (live === null) return null
      return cached(name, () => Object.fromEntries(groups.map((group) => [group, SNAPSHOT_GROUP[group](live, wallet)])))
    },
    trades(mint) {
      const live = findToken(mint)
      return live === null ? null : cached(`trades/${mint}`, () => renderTrades(live, mint))
    },
    list: (name) => cached(`list/${name}`, () => lists[name]().map(renderCard)),
    trader(address) {
      const trader = findWallet(address)
      if (trader === null || trader.trades === 0) return null
      return cached(`trader/${address}`, () => renderTrader(trader, globals, (id) => keyToBase58(tokenById(id).mint)))
    },
    deployer(address, limit, offset): DeployerAnswer | null {
      const deployer = findWallet(address)
      if (deployer === null || deployer.launches === 0) return null
      const page = store.launches(deployer.id, offset, limit)
      const data = cached(`deployer/${address}/${limit}/${offset}`, () =>
        page.map((id) => renderDevToken(tokenById(id))),
      )
      const summary = cached(`deployer/${address}`, () => {
        const all = store.launches(deployer.id, 0, bounds.launchesSummed)
        return renderDevSummary(deployerRecord(all.map((id) => launchOf(tokenById(id)))))
      })
      return { data, summary: summary.bytes, returned: page.length }
    },
  }
}
