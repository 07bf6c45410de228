import { hash } from 'node:crypto'
import { keyFromBase58, keyToBase58 } from '../base/base58.ts'
import { isoMicros, isoMicrosOrNull } from '../base/time.ts'
import type { Cursor } from '../contract/parameters.ts'
import type { SnapshotGroup, TokenCard } from '../contract/resources.ts'
import { latestAgentBuys, whyNobody } from '../engine/agents/latest.ts'
import { deployerRecord, launchOf } from '../engine/deployers.ts'
import type { Engine } from '../engine/engine.ts'
import {
  graduatedTokens,
  graduatingTokens,
  type ListMarket,
  newTokens,
  pumpingTokens,
  type Selection,
  survivingTokens,
} from '../engine/lists.ts'
import { crowdInto, emptyCrowd } from '../engine/reading/crowd.ts'
import type { LiveToken } from '../engine/resident.ts'
import type { TradeRow } from '../model/rows.ts'
import type { Token, Wallet } from '../model/state.ts'
import { renderAccuracy } from './accuracy.ts'
import { renderBatch } from './batch.ts'
import { QUERY_BOUNDS, type QueryBounds } from './bounds.ts'
import { type BundleName, groupName } from './bundle-name.ts'
import { renderCard } from './card.ts'
import type { Cuts } from './cuts.ts'
import { renderDevSummary, renderDevToken } from './deployer.ts'
import { createFresh } from './fresh.ts'
import { snapshotName } from './kept-answers.ts'
import { createPeople } from './people/people.ts'
import type { BoardListName, DeployerAnswer, Listed, Listings, ListName, Query, Rendered } from './query.ts'
import { isPlain, SNAPSHOT_GROUP } from './snapshot.ts'
import { renderTrade } from './trade.ts'
import { renderTrader } from './trader.ts'
import { createViews, type HistoryReader, type NewestView, type TokenView } from './view.ts'

export interface QueryOptions {
  readonly engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets' | 'agents'>
  readonly store: HistoryReader
  readonly bounds?: QueryBounds
  /** readings that would hold the event loop; left out: each is made at once, of the newest block */
  readonly cuts?: Cuts
}

/** The block that an answer was read after: the newest, or that of a large token's last scan. */
type AsOf = Pick<TokenView, 'slot' | 'time'>

function* readable(all: Iterable<LiveToken>, { isMissed }: Cuts): Iterable<LiveToken> {
  for (const live of all) if (!isMissed(live.token.id, live.positionCount)) yield live
}

/**
 * Answers from committed state. What was rendered is kept until the next log entry: every age and rank may move with a
 * block even where the token itself did not trade.
 */
export function createQuery({ engine, store, bounds = QUERY_BOUNDS, cuts }: QueryOptions): Query & Listings {
  const { globals, tokens } = engine
  const rendered = createFresh<string, Rendered>(() => globals, bounds.renderedAnswers)

  function cached(name: string, render: () => unknown, of: AsOf = globals, more?: () => Partial<Rendered>): Rendered {
    const known = rendered()
    const hit = known.get(name)
    if (hit !== undefined) return hit
    const bytes = Buffer.from(JSON.stringify(render()))
    const answer = { bytes, renderedAt: isoMicros(of.time), slot: of.slot, ...more?.() }
    known.set(name, answer)
    return answer
  }

  const views = createViews(engine, store, bounds.renderedAnswers, cuts)

  const market: ListMarket = {
    get slot() {
      return globals.slot
    },
    get firstSlot() {
      return globals.firstSlot
    },
    get solUsd() {
      return globals.solUsd
    },
    population: globals.population,
    live: () => (cuts === undefined ? tokens.live() : readable(tokens.live(), cuts)),
    wallet: engine.wallet,
    candidate(live) {
      if (cuts?.isLarge(live.positionCount) === true) return views.of(live)
      return {
        ...{ live, slot: globals.slot, wallet: engine.wallet },
        crowd: () => crowdInto(emptyCrowd(), live.bundles, globals.slot, live.positions.passing()),
        // only these are kept until the next entry
        reading: () => views.of(live).reading(),
        conditions: () => views.of(live).conditions(),
      }
    },
  }
  const selections = createFresh<BoardListName, Listed>(() => globals)
  const select = (by: (market: ListMarket, limit: number) => Selection) => (): Listed => {
    const { tokens: shown, ...rest } = by(market, bounds.listItems)
    return { shown: shown.map((live) => ({ view: views.of(live), buy: null })), ...rest }
  }
  const lists: Record<BoardListName, () => Listed> = {
    new: select(newTokens),
    near: select(graduatingTokens),
    pumps: select(pumpingTokens),
    graduated: select(graduatedTokens),
    agents: () => ({
      shown: latestAgentBuys(engine.agents.book).flatMap((buy) =>
        isMissed(buy.token) ? [] : [{ view: views.byId(buy.token), buy }],
      ),
      hidden: [],
      dropped: 0,
    }),
    survivors: select(survivingTokens),
  }

  const isMissed = (id: number): boolean =>
    cuts?.isMissed(id, tokens.peekId(id)?.positionCount ?? store.positionCount(id)) === true

  function listed(name: BoardListName): Listed {
    const known = selections()
    const list = known.get(name) ?? lists[name]()
    known.set(name, list)
    return list
  }

  const cardOf = ({ view, buy }: Listed['shown'][number]): TokenCard =>
    buy === null
      ? renderCard(view)
      : { ...renderCard(view), agent_bought_at: isoMicrosOrNull(buy.time), agent_buyer: buy.agent }

  const list = (name: ListName): Rendered =>
    cached(
      `list/${name}`,
      () => listed(name).shown.map(cardOf),
      globals,
      () => ({
        dropped: listed(name).dropped,
        ...(name === 'agents' && { emptyReason: whyNobody(engine.agents.book) }),
      }),
    )

  const findToken = (mint: string): NewestView | null => views.newest(keyFromBase58(mint))

  function renderTrades({ live, wallet }: NewestView, mint: string, rows: readonly TradeRow[]): unknown {
    const { token, bundles } = live
    const wallets = new Map<number, Wallet>()
    const names = new Map<number, BundleName>()
    const nameOf = (no: number): BundleName | null => {
      if (no < 0) return null
      const name = names.get(no) ?? groupName(token, bundles.groups[no]!, wallet)
      names.set(no, name)
      return name
    }
    return rows.map((row) => {
      const trader = wallets.get(row.wallet) ?? wallet(row.wallet)
      wallets.set(row.wallet, trader)
      return renderTrade(token, mint, trader, row, nameOf(row.group))
    })
  }

  const findWallet = (address: string): Wallet | null => views.walletAt(keyFromBase58(address))

  /** The number of a page's newest row; null if the cursor is not a trade of this token. */
  function startAt(token: Token, cursor: Cursor | null): number | null {
    if (cursor === null) return token.lastTradeNo
    if (cursor.no >= globals.nextTrade) return null
    const row = store.trade(cursor.no)
    return row === undefined || row.token !== token.id || row.slot !== cursor.slot ? null : row.prev
  }

  const isTracked = (mint: string): boolean => views.isTracked(keyFromBase58(mint))

  function snapshot(mint: string, groups: readonly SnapshotGroup[]): Rendered | null {
    const name = snapshotName(mint, groups)
    const hit = rendered().get(name)
    if (hit !== undefined) return hit
    const key = keyFromBase58(mint)
    if (groups.every(isPlain)) {
      const newest = views.newest(key)
      if (newest === null) return null
      return cached(name, () => Object.fromEntries(groups.map((group) => [group, SNAPSHOT_GROUP[group](newest)])))
    }
    const view = views.find(key)
    if (view === null) return null
    // for a token with very many holders, the slot of its last scan
    const render = () => Object.fromEntries(groups.map((group) => [group, SNAPSHOT_GROUP[group](view)]))
    return cached(name, render, view)
  }

  return {
    ...createPeople({ views, store, globals, cached, bounds, spend: (positions) => cuts?.spend(positions) }),
    newest: () => globals,
    snapshot,
    trades(mint) {
      const view = findToken(mint)
      if (view === null) return null
      const rows = () => store.tradesBack(view.live.token.lastTradeNo, bounds.tokenTrades)
      return cached(`trades/${mint}`, () => renderTrades(view, mint, rows()))
    },
    history(mint, limit, cursor) {
      const view = findToken(mint)
      const start = view === null ? null : startAt(view.live.token, cursor)
      if (start === null) return null
      const rows = store.tradesBack(start, limit)
      const last = rows.at(-1)
      return {
        data: cached(`history/${mint}/${limit}/${start}`, () => renderTrades(view!, mint, rows)),
        returned: rows.length,
        next: last === undefined || last.prev < 0 ? null : { slot: last.slot, no: last.no },
      }
    },
    tracked: (mints) => mints.reduce((sum, mint) => sum + (isTracked(mint) ? 1 : 0), 0),
    batch(mints, groups) {
      const found = mints.filter(isTracked)
      if (found.length === 0) return null
      const name = `batch/${hash('sha256', `${mints} ${groups}`, 'base64url')}`
      return cached(name, () => renderBatch(mints, (mint) => snapshot(mint, groups)))
    },
    list,
    views,
    listed,
    trader(address) {
      const trader = findWallet(address)
      if (trader === null || trader.trades === 0) return null
      return cached(`trader/${address}`, () => renderTrader(trader, globals, (id) => keyToBase58(views.token(id).mint)))
    },
    accuracy: () => cached('accuracy', () => renderAccuracy(globals)),
    deployer(address, limit, offset): DeployerAnswer | null {
      const deployer = findWallet(address)
      if (deployer === null || deployer.launches === 0) return null
      const page = store.launches(deployer.id, offset, limit)
      const data = cached(`deployer/${address}/${limit}/${offset}`, () =>
        page.map((id) => renderDevToken(views.token(id))),
      )
      const summary = cached(`deployer/${address}`, () => {
        const all = store.launches(deployer.id, 0, bounds.launchesSummed)
        return renderDevSummary(deployerRecord(all.map((id) => launchOf(views.token(id)))))
      })
      return { data, summary: summary.bytes, returned: page.length }
    },
    settled: (work) => (cuts === undefined ? work() : cuts.settled(work)),
  }
}
