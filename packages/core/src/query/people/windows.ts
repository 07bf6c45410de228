import { keyToBase58 } from '../../base/base58.ts'
import { DAY_SLOTS, type DeployerWindows, HOUR_SLOTS, type TraderWindows, WINDOW_DAYS } from '../../contract/windows.ts'
import { deployerRecord, launchOf } from '../../engine/deployers.ts'
import { pnlLamports } from '../../engine/history.ts'
import type { TradeRow } from '../../model/rows.ts'
import type { Globals, Token, Wallet } from '../../model/state.ts'
import type { QueryBounds } from '../bounds.ts'
import { renderDevSummary } from '../deployer.ts'
import { maybe, sol } from '../round.ts'
import type { PositionReader } from './positions.ts'
import type { TradesAt } from './trades-at.ts'

/**
 * A wallet's statistics of the last days. The state has lifetime sums, and each stored trade has these sums as of
 * before it. So the difference to the first trade of a window gives the window, if that trade is found: rows have no
 * index by wallet.
 */
interface WindowsOptions {
  readonly reader: PositionReader
  readonly trades: TradesAt
  readonly trade: (no: number) => TradeRow | undefined
  readonly globals: Readonly<Globals>
  /** See Cuts. */
  readonly spend: (positions: number) => void
  readonly bounds: QueryBounds
  /** first slot of a window that ends now; for tests, whose logs are short */
  readonly startOf?: (days: number) => number
}

interface Windows {
  trader(wallet: Wallet): TraderWindows
  deployer(wallet: Wallet): DeployerWindows
}

/** The cost of reading a trade row, in positions in memory. */
const ROW = 4
/** launches read at once */
const LAUNCHES = 1_000

/** The progress of a search for a wallet's first trade in a window. */
interface Search {
  /** The first row of the window. */
  readonly first: number
  next: number
  found: TradeRow | null
}

export function createWindows(options: WindowsOptions): Windows {
  const { reader, trades, trade, globals, spend, bounds } = options
  const searches = new Map<string, Search>()

  const { startOf = (days) => Math.max(0, Math.floor((globals.slot - days * DAY_SLOTS) / HOUR_SLOTS) * HOUR_SLOTS) } =
    options

  /** Rows never change, so a search interrupted by the end of the turn continues later. */
  function searched(wallet: number, from: number): TradeRow | null {
    const name = `${wallet} ${from}`
    let search = searches.get(name)
    if (search === undefined) {
      if (searches.size >= bounds.windowsKept) searches.clear()
      const first = trades.first(from, globals.nextTrade)
      search = { first, next: first, found: null }
      searches.set(name, search)
    }
    const end = Math.min(globals.nextTrade, search.first + bounds.windowRows)
    while (search.found === null && search.next < end) {
      const until = Math.min(end, search.next + bounds.windowRowsPiece)
      spend(ROW * (until - search.next))
      for (; search.next < until && search.found === null; search.next++) {
        const row = trade(search.next)!
        if (row.wallet === wallet) search.found = row
      }
    }
    return search.found
  }

  /** The earliest trade in the window on tokens named in the wallet's record. */
  function named(wallet: Wallet, from: number): TradeRow | null {
    const launched = wallet.launches > 0 ? reader.launches(wallet.id, 0, bounds.positionLaunches) : []
    const tokens = new Set([...wallet.recent, ...wallet.memberships.map(({ token }) => token), ...launched])
    const places: { readonly token: number; readonly slot: number }[] = []
    for (const token of tokens) {
      const position = reader.positionOf(token, wallet.id)
      if (position === undefined) continue
      const { firstBuySlot, lastBuySlot, lastSellSlot } = position
      for (const slot of [firstBuySlot, lastBuySlot, lastSellSlot]) if (slot >= from) places.push({ token, slot })
    }
    for (const { token, slot } of places.sort((a, b) => a.slot - b.slot)) {
      const row = trades.of(token, slot, globals.nextTrade).find((one) => one.wallet === wallet.id)
      if (row !== undefined) return row
    }
    return null
  }

  function traderWindow(wallet: Wallet, days: (typeof WINDOW_DAYS)[number]): TraderWindows['windows'][number] {
    const from = startOf(days)
    const logged = Math.max(from, globals.firstSlot)
    const within = { days, from_slot: from, complete: logged <= from }
    const pnl = pnlLamports(wallet)
    const sums = (buys: number, spent: number, before: number) => ({
      buys,
      spent_sol: sol(spent),
      pnl_sol: maybe(pnl, (all) => sol(all - before)),
    })
    if (wallet.lastSlot < from) return { ...within, covered_from_slot: logged, ...sums(0, 0, pnl ?? 0) }
    if (wallet.firstSlot >= from) {
      return { ...within, covered_from_slot: logged, ...sums(wallet.buys, wallet.buyLamports, 0) }
    }
    const since = (row: TradeRow) =>
      sums(wallet.buys - row.buysBefore, wallet.buyLamports - row.buyLamportsBefore, row.pnlLamports ?? 0)
    const first = searched(wallet.id, from)
    if (first !== null) return { ...within, covered_from_slot: logged, ...since(first) }
    const known = named(wallet, from)
    if (known !== null) return { ...within, complete: false, covered_from_slot: known.slot, ...since(known) }
    return { ...within, complete: false, covered_from_slot: null, buys: null, spent_sol: null, pnl_sol: null }
  }

  /** The launches within the window, newest first. */
  function launchesSince(wallet: Wallet, from: number): Token[] {
    const found: Token[] = []
    for (let offset = 0; offset < bounds.launchesSummed; offset += LAUNCHES) {
      const ids = reader.launches(wallet.id, offset, LAUNCHES)
      for (const id of ids) {
        const token = reader.token(id)!
        if (token.createdSlot < from) return found
        found.push(token)
      }
      if (ids.length < LAUNCHES) break
    }
    return found
  }

  function deployerWindow(wallet: Wallet, days: (typeof WINDOW_DAYS)[number]): DeployerWindows['windows'][number] {
    const from = startOf(days)
    const launches = launchesSince(wallet, from)
    return {
      days,
      from_slot: from,
      complete: globals.firstSlot <= from,
      drained: launches.filter(({ drainedSlot }) => drainedSlot >= 0).length,
      rugged: launches.filter(({ ruggedSlot }) => ruggedSlot >= 0).length,
      summary: renderDevSummary(deployerRecord(launches.map(launchOf))),
    }
  }

  const about = ({ address, name }: Wallet) => ({ user_address: keyToBase58(address), name })
  return {
    trader: (wallet) => ({ ...about(wallet), windows: WINDOW_DAYS.map((days) => traderWindow(wallet, days)) }),
    deployer: (wallet) => ({ ...about(wallet), windows: WINDOW_DAYS.map((days) => deployerWindow(wallet, days)) }),
  }
}
