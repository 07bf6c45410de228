import type { Key } from '../base/ids.ts'
import type { Engine } from '../engine/engine.ts'
import type { Market } from '../engine/reading/market.ts'
import { type Reading, readToken } from '../engine/reading/reading.ts'
import { type Condition, readSignals } from '../engine/reading/signals.ts'
import type { StateReader, Token, TradeRow, Wallet } from '../engine/state.ts'
import { type LiveToken, meetOwners, readLiveToken } from '../engine/token-book.ts'
import type { Spacing } from './spacing.ts'

/** What answering needs from the store beyond what the engine reads. */
export interface HistoryReader extends StateReader {
  /** at most `limit` rows, newest first, starting with row `lastNo` */
  tradesBack(lastNo: number, limit: number): TradeRow[]
  /** token ids, newest launch first */
  launches(deployer: number, offset: number, limit: number): number[]
}

/** A token as of the last block. Its holders are scanned when a reading is first asked for, once a log entry. */
export interface TokenView {
  readonly live: LiveToken
  readonly slot: number
  readonly market: Market
  wallet(id: number): Wallet
  reading(): Reading
  /** null until the token has traded */
  conditions(): readonly Condition[] | null
}

export interface Views {
  find(mint: Key): TokenView | null
  byId(id: number): TokenView
  of(live: LiveToken): TokenView
  token(id: number): Token
  wallet(id: number): Wallet
}

type Wallets = Pick<Engine, 'wallet' | 'wallets'>

/**
 * Views of committed state. `max`: tokens whose reading is kept until the next entry; with `spacing` a costly one is kept for
 * longer, and is then of the block it was made at.
 */
export function createViews(
  engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>,
  store: HistoryReader,
  max: number,
  spacing: Spacing<TokenView> | null = null,
): Views {
  const { globals, tokens } = engine
  const views = new Map<number, TokenView>()
  let seq = -1
  const stored: Wallets = { wallet: (id) => store.wallet(id)!, wallets: store.wallets }

  /** Wallets of tokens in memory come from the engine's cache; what is only read from the store stays there. */
  function view(live: LiveToken, { wallet, wallets }: Wallets): TokenView {
    const { slot, firstSlot, solUsd, population } = globals
    const market = { slot, firstSlot, solUsd, population, wallet }
    let reading: Reading | undefined
    let conditions: readonly Condition[] | null | undefined
    const read = (): Reading => {
      reading ??= timed(made, () => {
        meetOwners(live, wallets)
        return readToken(live, market)
      })
      return reading
    }
    const made: TokenView = {
      live,
      slot,
      market,
      wallet,
      reading: read,
      conditions() {
        if (conditions === undefined) {
          const of = read()
          conditions = timed(made, () => readSignals(live, of, market, store.tradesBack))
        }
        return conditions
      },
    }
    return made
  }

  function timed<T>(of: TokenView, work: () => T): T {
    if (spacing === null) return work()
    const began = spacing.now()
    const result = work()
    spacing.spent(of.live.token.id, of, of.live.positions.size, spacing.now() - began)
    return result
  }

  function kept(id: number, make: () => TokenView): TokenView {
    if (seq !== globals.seq || views.size >= max) {
      views.clear()
      seq = globals.seq
    }
    const known = views.get(id)
    if (known !== undefined) return known
    const made = spacing?.kept(id) ?? make()
    views.set(id, made)
    return made
  }

  const of = (live: LiveToken): TokenView => kept(live.token.id, () => view(live, engine))
  const fromStore = (id: number): TokenView =>
    kept(id, () => {
      const began = spacing?.now() ?? 0
      const made = view(readLiveToken(store, store.token(id)!), stored)
      spacing?.spent(id, made, made.live.positions.size, spacing.now() - began)
      return made
    })

  return {
    of,
    find(mint) {
      const live = tokens.peek(mint)
      if (live !== undefined) return of(live)
      const id = store.tokenIdByMint(mint)
      return id === undefined ? null : fromStore(id)
    },
    byId(id) {
      const live = tokens.peekId(id)
      return live === undefined ? fromStore(id) : of(live)
    },
    token: (id) => tokens.peekId(id)?.token ?? store.token(id)!,
    wallet: stored.wallet,
  }
}
