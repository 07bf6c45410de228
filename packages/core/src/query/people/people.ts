import { keyFromBase58 } from '../../base/base58.ts'
import { cursorText } from '../../contract/parameters.ts'
import type { Who } from '../../contract/who.ts'
import type { Globals, Wallet } from '../../model/state.ts'
import { actor, actorsOf } from '../actors.ts'
import type { QueryBounds } from '../bounds.ts'
import { explain } from '../explain.ts'
import type { Listings, Query, Rendered } from '../query.ts'
import type { HistoryReader, TokenView, Views } from '../view.ts'
import { createActorNames } from './actor-names.ts'
import { renderBehind, renderCheck } from './behind.ts'
import { createMemo } from './memo.ts'
import { renderPositions } from './positions.ts'
import { renderProfile } from './profile.ts'
import { createTradesAt } from './trades-at.ts'
import { createWindows } from './windows.ts'

interface PeopleOptions {
  readonly views: Pick<Views, 'find' | 'walletAt'>
  readonly store: HistoryReader
  readonly globals: Readonly<Globals>
  /** See Cuts. */
  readonly spend: (positions: number) => void
  /** Caches rendered answers until the next entry. */
  readonly cached: (name: string, render: () => unknown, of?: Pick<TokenView, 'slot' | 'time'>) => Rendered
  readonly bounds: QueryBounds
}

type People = Pick<Listings, 'brief'> &
  Pick<
    Query,
    'who' | 'check' | 'verdict' | 'explain' | 'actor' | 'named' | 'positions' | 'traderWindows' | 'deployerWindows'
  >

/** The facts that the verdict's sentences do not use. */
const BRIEF = { explainedHolders: 0, whoMembers: 0, whoPairs: 0, whoExitTrades: 0 }

/** Answers about the people behind tokens. */
export function createPeople(options: PeopleOptions): People {
  const { views, store, globals, spend, cached, bounds } = options
  const reader = createMemo(store, globals, spend)
  const trades = createTradesAt({ trade: store.trade, spend, max: bounds.whoSlotsKept })
  const windows = createWindows({ reader, trades, trade: store.trade, globals, spend, bounds })
  const names = createActorNames({ ...store, globals: () => globals }, bounds.actorNames)

  const findWallet = (address: string): Wallet | null => views.walletAt(keyFromBase58(address))

  function ofToken(name: string, mint: string, render: (view: TokenView) => unknown): Rendered | null {
    const view = views.find(keyFromBase58(mint))
    return view === null ? null : cached(`${name}/${mint}`, () => render(view), view)
  }

  const who = (mint: string): Rendered | null =>
    ofToken('who', mint, (view) => renderBehind({ view, reader, trades, globals, bounds, findWallet }))

  const parsed = (mint: string): Who => JSON.parse(who(mint)!.bytes.toString())

  return {
    who,
    brief: (view) => renderBehind({ view, reader, trades, globals, bounds: { ...bounds, ...BRIEF }, findWallet }),
    check: (mint) => ofToken('check', mint, () => renderCheck(parsed(mint))),
    verdict: (mint) => ofToken('verdict', mint, () => parsed(mint).verdict),
    explain: (mint) =>
      ofToken('explain', mint, (view) => ({
        ...explain(view, bounds.explainedHolders),
        actors: actorsOf(view, reader).map((one) => ({ ...one, ...actor(reader, one.no, bounds.actorEdgesListed) })),
      })),
    named(id) {
      const found = id.startsWith('act_') ? names.find(id) : null
      return found instanceof Promise ? found : null
    },
    actor(id) {
      const no = id.startsWith('act_') ? names.find(id) : Number(id)
      if (no === null || no instanceof Promise) return null
      if (no >= globals.nextActor) return null
      return cached(`actor/${no}`, () => renderProfile(reader, no, bounds.actorEdgesListed))
    },
    positions(address, limit, cursor) {
      const wallet = findWallet(address)
      if (wallet === null) return null
      const page = { limit, cursor, launches: bounds.positionLaunches }
      const { data, summary, next } = renderPositions(reader, wallet, globals, page)
      const after = cursor === null ? '' : cursorText(cursor)
      return {
        data: cached(`positions/${address}/${limit}/${after}`, () => data),
        summary: Buffer.from(JSON.stringify(summary)),
        returned: data.length,
        next,
      }
    },
    traderWindows(address) {
      const wallet = findWallet(address)
      if (wallet === null || wallet.trades === 0) return null
      return cached(`trader-windows/${address}`, () => windows.trader(wallet))
    },
    deployerWindows(address) {
      const wallet = findWallet(address)
      if (wallet === null || wallet.launches === 0) return null
      return cached(`deployer-windows/${address}`, () => windows.deployer(wallet))
    },
  }
}
