import type { Key } from '@ti/core/base/ids.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { QUOTE, type Quote, type TradeEvent } from '@ti/core/model/events.ts'
import { isAmm, VENUES } from '@ti/core/model/venues.ts'
import { ANSWER, ASKED, HORIZON, type Question } from './questions.ts'

/**
 * Outcomes of tokens from the log's trades alone, independent of the engine. Slow and simple: keeps every trade of the
 * log in memory, about 100 bytes each.
 */

/** The market after one trade that sets the price. */
interface Point {
  readonly slot: number
  /** Quote base units per token base unit. */
  readonly price: number
  /** Real quote in the curve or pool, base units; null if the chain does not show it. */
  readonly real: number | null
  readonly quote: Quote
}

/** USD per SOL, valid from after the block at `slot`. */
interface Rate {
  readonly slot: number
  readonly usd: number
}

interface Sale {
  readonly slot: number
  readonly user: Key
  readonly tokens: number
}

export interface Path {
  /** Null if unknown. */
  deployer: Key | null
  startPrice: number | null
  startQuote: number
  pool: Key | null
  migratedSlot: number | null
  readonly points: Point[]
  readonly sales: Sale[]
  /** Prices of the whole log. */
  readonly rates: readonly Rate[]
}

export interface Paths {
  take(entry: LogEntry): void
  of(mint: Key): Path | undefined
}

export function createPaths(): Paths {
  const paths = new Map<Key, Path>()
  const rates: Rate[] = []
  let slot = -1

  const path = (mint: Key): Path => {
    const known = paths.get(mint)
    if (known !== undefined) return known
    const made: Path = {
      ...{ deployer: null, startPrice: null, startQuote: 0, pool: null, migratedSlot: null },
      ...{ points: [], sales: [], rates },
    }
    paths.set(mint, made)
    return made
  }
  return {
    of: (mint) => paths.get(mint),
    take(entry) {
      if (entry.kind === 'facts') {
        for (const fact of entry.facts) if (fact.kind === 'sol_price') rates.push({ slot, usd: fact.usd })
      }
      if (entry.kind !== 'block') return
      slot = entry.slot
      for (const event of entry.events) {
        const one = path(event.mint)
        if (event.kind === 'create') {
          one.deployer = event.user
          one.startQuote = event.quoteReserve
          if (event.quoteReserve > 0 && event.baseReserve > 0) one.startPrice = event.quoteReserve / event.baseReserve
        }
        if (event.kind === 'migrate') {
          one.pool = event.pool
          one.migratedSlot ??= entry.slot
        }
        if (event.kind !== 'trade') continue
        if (!event.isBuy) one.sales.push({ slot: entry.slot, user: event.user, tokens: event.tokenAmount })
        if (!isOfMarket(one, event)) continue
        if (one.points.length === 0) start(one, event)
        const price = event.quoteReserve / event.baseReserve
        one.points.push({ slot, price, real: realQuote(one, event), quote: event.quote })
      }
    },
  }
}

/** Computes the state before the first trade of a launch that does not state it. A pool's price is no start. */
function start(path: Path, event: TradeEvent): void {
  if (isAmm(event.venue)) return
  const sign = event.isBuy ? 1 : -1
  const quote = event.quoteReserve - sign * event.quoteAmount
  const base = event.baseReserve + sign * event.tokenAmount
  if (path.startQuote === 0) path.startQuote = quote
  if (path.startPrice === null && quote > 0 && base > 0) path.startPrice = quote / base
}

/** True for the curve until there is a pool, then for that pool. */
const isOfMarket = (path: Path, event: TradeEvent): boolean =>
  isAmm(event.venue) ? event.pool !== null && event.pool === path.pool : path.migratedSlot === null

function realQuote({ startQuote }: Path, event: TradeEvent): number | null {
  const { quoteBefore, quoteAmount, quoteReserve, isBuy, venue } = event
  if (isAmm(venue)) {
    if (quoteBefore < 0) return quoteReserve
    return Math.max(0, isBuy ? quoteBefore + quoteAmount : quoteBefore - quoteAmount)
  }
  if (VENUES[venue].reserves === 'computed' || startQuote === 0) return null
  return Math.max(0, quoteReserve - startQuote)
}

/** The market after slot `slot`. */
interface Standing {
  readonly price: number
  /** Lamports at the SOL price of the moment of asking. */
  readonly real: number | null
  /** Price over the starting price; null if that is unknown. */
  readonly multiple: number | null
  readonly graduated: boolean
}

/** Null before the first trade. */
export function standingAt(path: Path, slot: number): Standing | null {
  const last = path.points.findLast((point) => point.slot <= slot)
  if (last === undefined) return null
  const { price } = last
  return {
    price,
    real: lamportsOf(path, last, slot),
    multiple: path.startPrice === null ? null : price / path.startPrice,
    graduated: path.migratedSlot !== null && path.migratedSlot <= slot,
  }
}

function lamportsOf({ rates }: Path, { quote, real }: Point, slot: number): number | null {
  if (real === null || quote === QUOTE.SOL) return real
  const rate = rates.findLast((one) => one.slot <= slot)
  // dollars have six decimals
  return quote === QUOTE.other || rate === undefined ? null : (real * 1000) / rate.usd
}

/** True if the question makes sense for this market. `buyer` also depends on the traders, unknown here. */
export function isAtRisk(question: Question, standing: Standing): boolean {
  if (question === 'drain') return (standing.real ?? 0) >= ASKED.reserveLamports
  if (question === 'halving') return standing.graduated || (standing.multiple ?? 0) >= ASKED.multiple
  return true
}

/** Compares in the quote's own units: a change of the SOL price drains no market. */
const isDrained = ({ real: before }: Point, later: readonly Point[]): boolean =>
  later.some(({ real }) => real !== null && real <= before! * ANSWER.drained)

/** The answer to a question asked after slot `slot`; null if the log ends within its term. */
export function answer(question: Question, path: Path, slot: number, lastSlot: number): boolean | null {
  const due = slot + HORIZON[question]
  const now = standingAt(path, slot)
  if (now === null || due >= lastSlot) return null
  const later = path.points.filter((point) => point.slot > slot && point.slot <= due)
  if (question === 'drain') return isDrained(path.points.findLast((point) => point.slot <= slot)!, later)
  if (question === 'halving') return later.some(({ price }) => price <= now.price * ANSWER.halved)
  const leaves = later.find(({ price }) => price >= now.price * ANSWER.take || price <= now.price * ANSWER.stop)
  const sold = (leaves ?? later.at(-1))?.price ?? now.price
  return sold * (1 - ANSWER.fee) * (1 - ANSWER.fee) > now.price
}
