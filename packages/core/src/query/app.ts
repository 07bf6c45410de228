import { keyFromBase58 } from '../base/base58.ts'
import { LIVES } from '../contract/app.ts'
import type { Engine } from '../engine/engine.ts'
import { hasValue, valueIn } from '../engine/units.ts'
import type { Token } from '../model/state.ts'
import { createBoard } from './app-board.ts'
import { BUSY, createLines } from './app-line.ts'
import { renderLife } from './app-lives.ts'
import { neighboursOf } from './app-neighbours.ts'
import { createSearch } from './app-search.ts'
import { QUERY_BOUNDS, type QueryBounds } from './bounds.ts'
import type { Cuts } from './cuts.ts'
import { earlierTokens } from './earlier.ts'
import { explain } from './explain.ts'
import { createFresh } from './fresh.ts'
import { renderDeployerRecord } from './people/deployer.ts'
import { createMemo } from './people/memo.ts'
import type { Listings } from './query.ts'
import { sol } from './round.ts'
import type { HistoryReader } from './view.ts'

export { BUSY }

/** Answers only for the page, as JSON text of `data`; null if the mint is not tracked. */
export interface AppQuery {
  explain(mint: string): string | null | Promise<string | null>
  line(mint: string): Promise<string | null | typeof BUSY>
  /** The token as of a slot, from its stored trades and the changes of its verdict. */
  past(mint: string, slot: number): Promise<string | null | typeof BUSY>
  search(q: string): string | Promise<string>
  /** Null if no launch of the wallet is tracked. */
  deployer(wallet: string): string | null | Promise<string | null>
  /** The columns of a view of the board; null if there is no such view. */
  board(view: string): string | null | Promise<string | null>
  /** The tokens that a list leaves out; null if there is no such list. */
  hidden(list: string): string | null | Promise<string | null>
  /** Cards of mints, separated by commas. */
  cards(mints: string): string | Promise<string>
  /** `mints`: separated by commas. */
  lives(mints: string): string | Promise<string>
  /** Wallets that buy right before and right after a wallet; null if it is not known. */
  neighbours(wallet: string): Promise<string | null>
}

interface AppQueryOptions {
  readonly engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>
  readonly store: HistoryReader
  readonly lists: Listings
  /** Unix milliseconds. */
  readonly now: () => number
  readonly bounds?: QueryBounds
  /** as of createQuery */
  readonly cuts?: Cuts
}

function liquidityOf(token: Token, solUsd: number): number | null {
  return hasValue(token) && token.realQuote > 0 ? sol(valueIn(token, token.realQuote, solUsd)) : null
}

/** Reads committed state, as `createQuery` does. What was explained is kept until the next log entry. */
export function createAppQuery({ engine, store, lists, now, bounds = QUERY_BOUNDS, cuts }: AppQueryOptions): AppQuery {
  const { globals } = engine
  const { views } = lists
  const explanations = createFresh<string, string>(() => globals, bounds.appExplanations)
  const lines = createLines({ store, globals, now, bounds })
  const reader = createMemo(store, globals, (positions) => cuts?.spend(positions))
  const search = createSearch({ engine, store, reader, views, now, bounds })
  const { board, hidden, cards } = createBoard({ engine, lists, reader, now, bounds })

  const settled = <T>(work: () => T): T | Promise<T> => (cuts === undefined ? work() : cuts.settled(work))

  function explainNow(mint: string): string | null {
    const explained = explanations()
    const hit = explained.get(mint)
    if (hit !== undefined) return hit
    const view = views.find(keyFromBase58(mint))
    if (view === null) return null
    const text = JSON.stringify({
      ...explain(view, bounds.explainedHolders),
      liquidity_sol: liquidityOf(view.live.token, globals.solUsd),
      earlier: earlierTokens(view.live.token, store, views),
    })
    explained.set(mint, text)
    return text
  }

  function deployerNow(address: string): string | null {
    const wallet = views.walletAt(keyFromBase58(address))
    return wallet === null || wallet.launches === 0 ? null : JSON.stringify(renderDeployerRecord(reader, wallet))
  }

  function livesNow(mints: string): string {
    const keys = mints.split(',').slice(0, LIVES).map(keyFromBase58)
    return JSON.stringify(
      keys.flatMap((key) => {
        const view = views.newest(key)
        return view === null ? [] : [renderLife(view.live.token, globals.slot)]
      }),
    )
  }

  return {
    explain: (mint) => settled(() => explainNow(mint)),
    async line(mint) {
      const view = views.newest(keyFromBase58(mint))
      return view === null ? null : lines.of(view)
    },
    async past(mint, slot) {
      const view = views.newest(keyFromBase58(mint))
      return view === null ? null : lines.at(view, slot)
    },
    deployer: (wallet) => settled(() => deployerNow(wallet)),
    lives: (mints) => settled(() => livesNow(mints)),
    async neighbours(address) {
      const wallet = views.walletAt(keyFromBase58(address))
      return wallet && JSON.stringify(await neighboursOf({ store, views, bounds }, wallet))
    },
    search: (q) => settled(() => search(q)),
    board: (view) => settled(() => board(view)),
    hidden: (list) => settled(() => hidden(list)),
    cards: (mints) => settled(() => cards(mints)),
  }
}
