import { keyFromBase58 } from '../base/base58.ts'
import { LIVES } from '../contract/app.ts'
import type { Engine } from '../engine/engine.ts'
import { createCards } from './app-cards.ts'
import { BUSY, createLines } from './app-line.ts'
import { renderLife } from './app-lives.ts'
import { neighboursOf } from './app-neighbours.ts'
import { createSearch } from './app-search.ts'
import { QUERY_BOUNDS, type QueryBounds } from './bounds.ts'
import type { Cuts } from './cuts.ts'
import { earlierTokens } from './earlier.ts'
import { explain } from './explain.ts'
import { renderDeployerRecord } from './people/deployer.ts'
import { createMemo } from './people/memo.ts'
import type { Listings, Query } from './query.ts'
import { createViews, type HistoryReader } from './view.ts'

export { BUSY }

const EMPTY_LIST = '[]'
/** `new` is not listed, because there are always new launches */
const MAYBE_EMPTY = ['pumps', 'graduated', 'survivors', 'agents'] as const

/** Answers only for the page, as JSON text of `data`; null if the mint is not tracked. */
export interface AppQuery {
  explain(mint: string): string | null | Promise<string | null>
  line(mint: string): Promise<string | null | typeof BUSY>
  search(q: string): string | Promise<string>
  /** Null if no launch of the wallet is tracked. */
  deployer(wallet: string): string | null | Promise<string | null>
  /** `mints`: separated by commas. */
  lives(mints: string): string | Promise<string>
  /** Who buys right before and right after a wallet; null if it is not known. */
  neighbours(wallet: string): Promise<string | null>
  /** Board data of the listed tokens beyond their cards. */
  cards(): string | Promise<string>
  /** Cards of tokens with a nearly full curve. */
  near(): string | Promise<string>
  /** Names of the board's lists that are empty now. */
  empty(): readonly string[] | Promise<readonly string[]>
}

interface AppQueryOptions {
  readonly engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>
  readonly store: HistoryReader
  readonly lists: Listings & Pick<Query, 'list'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly bounds?: QueryBounds
  /** as of createQuery */
  readonly cuts?: Cuts
}

/** Reads committed state, as `createQuery` does. What was explained is kept until the next log entry. */
export function createAppQuery({ engine, store, lists, now, bounds = QUERY_BOUNDS, cuts }: AppQueryOptions): AppQuery {
  const { globals } = engine
  const views = createViews(engine, store, bounds.appExplanations, cuts)
  const explained = new Map<string, string>()
  let explainedSeq = -1
  const lines = createLines({ store, globals, now, bounds })
  const search = createSearch({ engine, store, views, now, bounds })
  const reader = createMemo(store, globals, (positions) => cuts?.spend(positions))
  const board = createCards({ engine, lists, reader, now, bounds })

  const settled = <T>(work: () => T): T | Promise<T> => (cuts === undefined ? work() : cuts.settled(work))

  function explainNow(mint: string): string | null {
    if (explainedSeq !== globals.seq || explained.size >= bounds.appExplanations) {
      explained.clear()
      explainedSeq = globals.seq
    }
    const hit = explained.get(mint)
    if (hit !== undefined) return hit
    const key = keyFromBase58(mint)
    const view = key === null ? null : views.find(key)
    if (view === null) return null
    const text = JSON.stringify({
      ...explain(view, bounds.explainedHolders),
      earlier: earlierTokens(view.live.token, store, views),
    })
    explained.set(mint, text)
    return text
  }

  function deployerNow(address: string): string | null {
    const key = keyFromBase58(address)
    const id = key === null ? undefined : store.walletIdByAddress(key)
    const wallet = id === undefined ? null : views.wallet(id)
    return wallet === null || wallet.launches === 0 ? null : JSON.stringify(renderDeployerRecord(reader, wallet))
  }

  function livesNow(mints: string): string {
    const keys = mints.split(',').slice(0, LIVES).map(keyFromBase58)
    return JSON.stringify(
      keys.flatMap((key) => {
        const view = key === null ? null : views.newest(key)
        return view === null ? [] : [renderLife(view.live.token, globals.slot)]
      }),
    )
  }

  function emptyNow(): readonly string[] {
    const named = MAYBE_EMPTY.filter((name) => lists.list(name).bytes.length <= EMPTY_LIST.length)
    return board.near() === EMPTY_LIST ? ['near', ...named] : named
  }

  return {
    explain: (mint) => settled(() => explainNow(mint)),
    async line(mint) {
      const key = keyFromBase58(mint)
      const view = key === null ? null : views.newest(key)
      return view === null ? null : lines.of(view)
    },
    deployer: (wallet) => settled(() => deployerNow(wallet)),
    lives: (mints) => settled(() => livesNow(mints)),
    async neighbours(address) {
      const key = keyFromBase58(address)
      const id = key === null ? undefined : store.walletIdByAddress(key)
      return id === undefined ? null : JSON.stringify(await neighboursOf({ store, views, bounds }, views.wallet(id)))
    },
    search: (q) => settled(() => search(q)),
    cards: () => settled(board.cards),
    near: () => settled(board.near),
    empty: () => settled(emptyNow),
  }
}
