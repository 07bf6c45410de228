import type { Key } from '../base/ids.ts'
import type { Engine } from '../engine/engine.ts'
import { type Crowd, crowdInto, emptyCrowd } from '../engine/reading/crowd.ts'
import type { ReadToken } from '../engine/reading/holding.ts'
import type { Market } from '../engine/reading/market.ts'
import { type Reading, readToken } from '../engine/reading/reading.ts'
import { type Condition, readSignals } from '../engine/reading/signals.ts'
import { type LiveToken, meetOwners, readLiveToken } from '../engine/resident.ts'
import type { StateReader } from '../engine/state.ts'
import { emptyBundleBook } from '../model/generated/empty.ts'
import type { TradeRow } from '../model/rows.ts'
import type { Position, Token, Wallet } from '../model/state.ts'
import type { Cut, CutReader } from './cut-scan.ts'
import type { Cuts } from './cuts.ts'
import { createFresh } from './fresh.ts'
import { createShares, type Shares } from './shares.ts'

/** The reads of the store that answers need beyond the engine's. */
export interface HistoryReader extends StateReader, CutReader {
  trade(no: number): TradeRow | undefined
  /** At most `limit` rows, newest first, starting with row `lastNo`. */
  tradesBack(lastNo: number, limit: number): TradeRow[]
  /** Token ids, newest launch first. */
  launches(deployer: number, offset: number, limit: number): number[]
}

/**
 * A token as of one slot. Its holders are scanned on first access, once per log entry. For a token with many holders
 * the slot is that of the last scan.
 */
export interface TokenView {
  readonly live: ReadToken
  readonly slot: number
  /** Unix seconds of the block of that slot. */
  readonly time: number
  readonly market: Market
  wallet(id: number): Wallet
  reading(): Reading
  /** Null until the token has traded. */
  conditions(): readonly Condition[] | null
  crowd(): Readonly<Crowd>
  /** `most`: wallets named per share. */
  shares(most: number): Shares
}

/** A token's facts and trading as of the last block, independent of scanning its holders. */
export type NewestView = Pick<TokenView, 'live' | 'wallet'>

/** The same, with the positions of its traders one by one. */
export interface TradedView extends NewestView {
  positionOf(wallet: number): Readonly<Position> | undefined
}

export interface Views {
  find(mint: Key | null): TokenView | null
  newest(mint: Key | null): TradedView | null
  /** Reads no token. */
  isTracked(mint: Key | null): boolean
  byId(id: number): TokenView
  of(live: LiveToken): TokenView
  token(id: number): Token
  wallet(id: number): Wallet
  walletAt(address: Key | null): Wallet | null
}

type Wallets = Pick<Engine, 'wallet' | 'wallets'>

/** cost in positions of a wallet's record and of a position read from the store */
const STORED = { wallet: 4, position: 2 } as const

/** Views of committed state. `max`: tokens with readings cached until the next entry. Without `cuts` reads at once. */
export function createViews(
  engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>,
  store: HistoryReader,
  max: number,
  cuts: Cuts | null = null,
): Views {
  const { globals, tokens } = engine
  const views = createFresh<number, TokenView>(() => globals, max)
  const stored: Wallets = { wallet: (id) => store.wallet(id)!, wallets: store.wallets }

  /** Wallets of tokens in memory come from the engine's cache; tokens only in the store use stored wallets. */
  function view(live: LiveToken, { wallet, wallets }: Wallets): TokenView {
    const { slot, time, firstSlot, solUsd, population } = globals
    const market = { slot, firstSlot, solUsd, population, wallet }
    let reading: Reading | undefined
    let conditions: readonly Condition[] | null | undefined
    function read(): Reading {
      if (reading !== undefined) return reading
      cuts?.spend(live.positionCount * (live.ownersMet ? 1 : STORED.position + STORED.wallet))
      meetOwners(live, wallets)
      reading = readToken(live, market)
      return reading
    }
    return {
      live,
      slot,
      time,
      market,
      wallet,
      reading: read,
      conditions() {
        if (conditions === undefined) conditions = readSignals(live, read(), market, store.tradesBack)
        return conditions
      },
      crowd: () => crowdInto(emptyCrowd(), live.bundles, slot, live.positions.passing()),
      shares(most) {
        const shares = createShares(live, market, most)
        shares.add(live.positions.held())
        return shares
      },
    }
  }

  const emptyAt = (token: Token): ReadToken => ({
    token,
    bundles: store.bundles(token.id) ?? emptyBundleBook(),
    positions: new Map<number, Position>(),
    sizes: null,
  })

  const newestById = (id: number): TradedView => {
    const live = tokens.peekId(id)
    return live === undefined
      ? {
          live: emptyAt(store.token(id)!),
          wallet: stored.wallet,
          positionOf: (wallet) => store.positionOf(id, wallet),
        }
      : { live, wallet: engine.wallet, positionOf: (wallet) => live.positionOf(wallet) }
  }

  /** A token read in slices, as of its snapshot; before there is one, the current state without holder data. */
  function large(id: number, { find, of }: Cuts): TokenView {
    const cut = find(id, false)
    const { live, wallet } = cut === undefined ? newestById(id) : { live: cut.live, wallet: cut.market.wallet }
    const whole = (): Cut => cut ?? of(id, false)
    return {
      live,
      slot: cut?.market.slot ?? globals.slot,
      time: cut?.time ?? globals.time,
      market: cut?.market ?? { wallet, ...globals },
      wallet,
      reading: () => whole().reading,
      conditions: () => whole().conditions,
      crowd: () => whole().crowd,
      shares: () => cut?.shares ?? of(id, true).shares!,
    }
  }

  function kept(id: number, make: () => TokenView): TokenView {
    const all = views()
    const known = all.get(id)
    if (known !== undefined) return known
    const made = make()
    all.set(id, made)
    return made
  }

  function of(live: LiveToken): TokenView {
    const { id } = live.token
    return cuts?.isLarge(live.positionCount) === true ? large(id, cuts) : kept(id, () => view(live, engine))
  }

  function fromStore(id: number): TokenView {
    if (cuts === null) return kept(id, () => view(readLiveToken(store, store.token(id)!), stored))
    const positions = store.positionCount(id)
    if (cuts.isLarge(positions)) return large(id, cuts)
    return kept(id, () => {
      cuts.spend(positions * STORED.position)
      return view(readLiveToken(store, store.token(id)!), stored)
    })
  }

  function byId(id: number): TokenView {
    const live = tokens.peekId(id)
    return live === undefined ? fromStore(id) : of(live)
  }

  const idOf = (mint: Key | null): number | undefined =>
    mint === null ? undefined : (tokens.peek(mint)?.token.id ?? store.tokenIdByMint(mint))

  return {
    of,
    byId,
    find(mint) {
      const id = idOf(mint)
      return id === undefined ? null : byId(id)
    },
    newest(mint) {
      const id = idOf(mint)
      return id === undefined ? null : newestById(id)
    },
    isTracked: (mint) => idOf(mint) !== undefined,
    token: (id) => tokens.peekId(id)?.token ?? store.token(id)!,
    wallet: stored.wallet,
    walletAt(address) {
      const id = address === null ? undefined : store.walletIdByAddress(address)
      return id === undefined ? null : stored.wallet(id)
    },
  }
}
