import type { Key } from '@ti/core/base/ids.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { type BalanceEvent, type ChainEvent, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import type { Fact, FundingFact } from '@ti/core/model/facts.ts'
import { type Joined, joinedIn } from './joined.ts'
import { createMoneyReference } from './money-reference.ts'

/**
 * The methodology written a second time, slowly and plainly: every answer scans the whole history again. It shares no
 * code with the engine; where the two differ, one of them is wrong. Which wallets belong together is given, not found.
 */
export interface Moment {
  /** everything before this index of `reference.events` has happened */
  readonly index: number
  /** everything due before this slot has happened */
  readonly slot: number
}

export interface Happened {
  readonly index: number
  readonly slot: number
  readonly usd: number
  readonly event: ChainEvent
}

/** A fact and the index of the first event that came after it; `slot`: of the last block before it, -1 none. */
export interface Told {
  /** number of the log entry, and of the events before it */
  readonly entry: number
  readonly index: number
  readonly slot: number
  readonly fact: Fact
}

export interface Priced {
  readonly index: number
  readonly slot: number
  readonly price: number
  readonly before: number
  readonly mcap: number
  readonly event: TradeEvent
}

interface Line {
  readonly slot: number
  /** event index, or just before the first event of a later slot for a write-off */
  readonly order: number
  readonly event: ChainEvent | null
  /** price for a write-off; `all` when the token died, else only holdings older than a day */
  readonly mark: { readonly price: number; readonly all: boolean } | null
}

export interface Holding {
  balance: number
  cost: number
  acquired: number
  bought: number
  received: number
  sold: number
  /** `cost`: what was paid for it, `charged`: the part of that which no write-off had charged before */
  realised: { order: number; slot: number; profit: number; cost: number; charged: number; held: number | null }[]
  /** the last episode: lamports in and out */
  paidIn: number
  gotOut: number
  verdicts: { order: number; slot: number; won: boolean; writtenOff: boolean }[]
}

/** What a row gave or took of a balance, besides what trades say. */
export const movedBy = ({ before, after, explained }: BalanceEvent, balance: number): number =>
  Math.max(after - before - explained, -balance)

/** `bundled`: numbers of the trades (counted from 0) whose trader was in a confirmed group at that trade. */
export function createReference(
  entries: readonly LogEntry[],
  bundled: ReadonlySet<number>,
  joined: Joined = joinedIn(entries),
) {
  const events: Happened[] = []
  const told: Told[] = []
  let usd = 0
  for (const [number, entry] of entries.entries()) {
    if (entry.kind === 'facts') {
      for (const fact of entry.facts) {
        if (fact.kind === 'sol_price') usd = fact.usd
        told.push({ entry: number, index: events.length, slot: events[events.length - 1]?.slot ?? -1, fact })
      }
    }
    if (entry.kind !== 'block') continue
    for (const event of entry.events) events.push({ index: events.length, slot: entry.slot, usd, event })
  }
  const endSlot = events[events.length - 1]?.slot ?? 0
  const end: Moment = { index: events.length, slot: endSlot }
  const byMint = new Map<Key, Happened[]>()
  for (const one of events) byMint.set(one.event.mint, [...(byMint.get(one.event.mint) ?? []), one])
  const ofMint = (mint: Key): Happened[] => byMint.get(mint) ?? []
  const tradeIndexes = events.filter(({ event }) => event.kind === 'trade').map(({ index }) => index)
  const bundledIndexes = new Set([...bundled].map((n) => tradeIndexes[n]!))
  const isBundled = ({ index }: { index: number }): boolean => bundledIndexes.has(index)
  const mints = [...new Set(events.map(({ event }) => event.mint))]
  const pricedCache = new Map<Key, Priced[]>()
  const settlementCache = new Map<Key, { slot: number; price: number; all: boolean }[]>()

  /** the first event that makes a token known: a creation, a trade or its graduation */
  const birth = (mint: Key): Happened | undefined =>
    ofMint(mint).find(({ event: { kind } }) => kind === 'create' || kind === 'trade' || kind === 'migrate')

  const migration = (mint: Key): Happened | undefined => ofMint(mint).find(({ event }) => event.kind === 'migrate')

  /** trades of the one market that sets the price */
  function priced(mint: Key): Priced[] {
    const known = pricedCache.get(mint)
    if (known !== undefined) return known
    const found: Priced[] = []
    const graduated = migration(mint)
    let curve = false
    let adopted: Key | null = null
    for (const { index, slot, usd, event } of ofMint(mint)) {
      if (event.kind === 'create') curve = true
      if (event.kind !== 'trade') continue
      const after = graduated !== undefined && index > graduated.index
      const canonical = after && graduated.event.kind === 'migrate' ? graduated.event.pool : null
      if (event.venue === VENUE.pumpswap) {
        if (canonical === null && !curve && adopted === null) adopted = event.pool
        if (event.pool !== (canonical ?? adopted)) continue
      } else {
        curve = true
        if (after) continue
      }
      const price = event.quoteReserve / event.baseReserve
      const before = found[found.length - 1]?.price ?? 0
      found.push({ index, slot, price, before, event, mcap: Math.floor((price * event.supply * usd) / 1e9) })
    }
    pricedCache.set(mint, found)
    return found
  }

  const lastPriced = (mint: Key, slot: number): Priced | undefined => priced(mint).findLast((p) => p.slot <= slot)

  const tradesOf = (mint: Key): (Happened & { event: TradeEvent })[] =>
    ofMint(mint).filter((h): h is Happened & { event: TradeEvent } => h.event.kind === 'trade')

  function startQuote(mint: Key, slot: number): number {
    const created = ofMint(mint).find(({ event }) => event.kind === 'create')
    const first = tradesOf(mint)[0]
    if (first !== undefined && (created === undefined || created.index > first.index)) {
      const { event } = first
      const isBirth = event.isBuy && event.realToken + event.tokenAmount === 793_100_000_000_000
      if (isBirth) return created !== undefined && created.slot <= slot ? 30e9 : event.quoteReserve - event.quoteAmount
    }
    if (created !== undefined && created.slot <= slot && created.event.kind === 'create')
      return created.event.quoteReserve
    // the product of its reserves tells how a normal curve in SOL began
    if (first === undefined || first.slot > slot || first.event.venue !== VENUE.pump) return 0
    const { quoteReserve, baseReserve } = first.event
    return Math.abs((quoteReserve * baseReserve) / (30e9 * 1_073_000_000e6) - 1) <= 1e-6 ? 30e9 : 0
  }

  /** moments at which open positions were written off */
  function settlements(mint: Key): { slot: number; price: number; all: boolean }[] {
    const known = settlementCache.get(mint)
    if (known !== undefined) return known
    const found: { slot: number; price: number; all: boolean }[] = []
    const born = birth(mint)!.slot
    const trades = tradesOf(mint)
    const moments = new Set<number>([born + 4_500, ...trades.map((t) => t.slot + 4_500)])
    for (let slot = born + 751; slot < endSlot; slot += 750) moments.add(slot)
    for (let slot = born + 216_000; slot < endSlot; slot += 216_000) moments.add(slot)
    let deadSince = -1
    for (const slot of [...moments].sort((a, b) => a - b)) {
      if (slot >= endSlot) break
      const age = slot - born
      const last = trades.findLast((t) => t.slot <= slot)
      if (last !== undefined && last.slot > deadSince) deadSince = -1
      if (deadSince >= 0) continue
      const price = lastPriced(mint, slot)
      const idle = slot - Math.max(last?.slot ?? 0, born) >= 4_500
      const graduated = migration(mint)
      const onCurve = graduated === undefined || graduated.slot > slot
      const start = startQuote(mint, slot)
      const atStart = last === undefined || (price?.event.quoteReserve ?? 0) <= start * 1.02
      const back = (age - 1) % 750 === 0 && onCurve && start > 0 && atStart
      if (age > 750 && (idle || back)) {
        deadSince = slot
        found.push({ slot, price: price?.price ?? 0, all: true })
      } else if (age % 216_000 === 0) found.push({ slot, price: price?.price ?? 0, all: false })
    }
    settlementCache.set(mint, found)
    return found
  }

  /** at the end: dead, how long since anything happened, and whether the launch was there to be seen */
  function life(mint: Key) {
    const born = birth(mint)!.slot
    const trades = tradesOf(mint)
    const idleSlots = endSlot - (trades.at(-1)?.slot ?? born)
    const start = startQuote(mint, endSlot)
    const reserve = priced(mint).at(-1)?.event.quoteReserve ?? 0
    const back = migration(mint) === undefined && start > 0 && (trades.length === 0 || reserve <= start * 1.02)
    const isStartSeen = trades[0] !== undefined && isBirth(trades[0])
    const launchSeen = isStartSeen || ofMint(mint).some(({ event }) => event.kind === 'create')
    return {
      dead: endSlot - born > 750 && (idleSlots >= 4_500 || back),
      idleSlots,
      launchSeen,
      phantomPct: (100 * phantom(mint)) / 1e15,
    }
  }

  const isBirth = ({ event }: { event: TradeEvent }): boolean =>
    event.isBuy && event.realToken + event.tokenAmount === 793_100_000_000_000

  /** everything up to the event of that index was there to be seen: the creation, or the curve's first trade */
  function isFromStart(mint: Key, index: number): boolean {
    const first = tradesOf(mint)[0]
    if (first !== undefined && first.index <= index && isBirth(first)) return true
    const created = ofMint(mint).find(({ event }) => event.kind === 'create')
    return created !== undefined && created.index <= index && (first === undefined || created.index < first.index)
  }

  /** tokens that are thought to be held and cannot all be there */
  function phantom(mint: Key): number {
    if (!isFromStart(mint, end.index)) return 0
    let given = 0
    const list = ofMint(mint)
    let came = 0
    for (const [i, { index, slot, event }] of list.entries()) {
      if (event.kind === 'trade') given += event.isBuy ? event.tokenAmount : -event.tokenAmount
      if (event.kind !== 'balance' || index < birth(mint)!.index) continue
      came += movedBy(event, holding(event.owner, mint, { index, slot }).balance)
      const next = list[i + 1]
      if (next?.event.kind === 'balance' && next.event.sig === event.sig) continue
      given += came
      came = 0
    }
    const held = wallets.map((wallet) => holding(wallet, mint, end).balance).filter((balance) => balance >= 1e6)
    return Math.max(0, held.reduce((sum, balance) => sum + balance, 0) - Math.max(0, given))
  }

  /** what happened to one wallet's holding of one mint, in order */
  function lines(wallet: Key, mint: Key, until: Moment): Line[] {
    const born = birth(mint)
    if (born === undefined) return []
    const own = ofMint(mint).filter(
      ({ event, index }) =>
        index < until.index &&
        ((event.kind === 'trade' && event.user === wallet && !event.hop) ||
          (event.kind === 'balance' && event.owner === wallet && index > born.index)),
    )
    const marks = settlements(mint).filter(({ slot }) => slot < until.slot)
    return [
      ...own.map(({ slot, index, event }): Line => ({ slot, order: index, event, mark: null })),
      ...marks.map(
        ({ slot, price, all }): Line => ({ slot, order: Number.MAX_VALUE, event: null, mark: { price, all } }),
      ),
    ].sort((a, b) => a.slot - b.slot || a.order - b.order)
  }

  function holding(wallet: Key, mint: Key, until: Moment): Holding {
    const h: Holding = {
      ...{ balance: 0, cost: 0, acquired: 0, bought: 0, received: 0, sold: 0, paidIn: 0, gotOut: 0 },
      ...{ realised: [], verdicts: [] },
    }
    // of the cost: what write-offs charged, and the value that stands for it since
    let charged = 0
    let mark = 0
    let writtenOff: Holding['verdicts'][number] | null = null
    let peak = 0
    let open = true
    const gain = (tokens: number, slot: number): void => {
      // the quantity-weighted mean, written so that the first slot of a holding is that slot exactly
      const share = tokens / (h.balance + tokens)
      h.acquired = share === 1 ? slot : h.acquired + (slot - h.acquired) * share
      h.balance += tokens
      if (!open) {
        open = true
        writtenOff = null
        peak = 0
        h.paidIn = h.cost - charged + mark
        h.gotOut = 0
      }
      peak = Math.max(peak, h.balance)
    }
    const take = (tokens: number) => {
      const part = (of: number): number => (tokens >= h.balance ? of : Math.round(of * (tokens / h.balance)))
      const taken = { cost: part(h.cost), charged: part(charged), mark: part(mark) }
      h.cost -= taken.cost
      charged -= taken.charged
      mark -= taken.mark
      h.balance -= tokens
      return taken
    }
    for (const { slot, order, event, mark: settled } of lines(wallet, mint, until)) {
      if (settled !== null) {
        if (h.balance <= 0 || (!settled.all && slot - h.acquired < 216_000)) continue
        const value = Math.floor(settled.price * h.balance)
        const profit = value - (h.cost - charged + mark)
        h.realised.push({ order, slot, profit, cost: h.cost, charged: h.cost - charged, held: null })
        if (open) {
          writtenOff = { order, slot, won: h.gotOut + value > h.paidIn, writtenOff: true }
          h.verdicts.push(writtenOff)
        }
        open = false
        charged = h.cost
        mark = value
      } else if (event!.kind === 'balance') {
        const moved = movedBy(event!, h.balance)
        if (moved > 0) {
          gain(moved, slot)
          h.received += moved
        } else if (moved < 0) {
          take(-moved)
          if (h.balance <= peak * 0.01) open = false
        }
      } else if (event!.kind === 'trade' && event!.isBuy) {
        gain(event!.tokenAmount, slot)
        h.cost += event!.userQuote
        h.paidIn += event!.userQuote
        h.bought += event!.tokenAmount
      } else if (event!.kind === 'trade') {
        const known = Math.min(event!.tokenAmount, h.balance)
        h.sold += event!.tokenAmount
        if (isFromStart(mint, order)) h.received += event!.tokenAmount - known
        if (known <= 0) continue
        const whole = known === event!.tokenAmount
        const proceeds = whole ? event!.userQuote : Math.round(event!.userQuote * (known / event!.tokenAmount))
        const taken = take(known)
        const profit = proceeds - (taken.cost - taken.charged + taken.mark)
        const held = Math.max(0, slot - h.acquired)
        h.realised.push({ order, slot, profit, cost: taken.cost, charged: taken.cost - taken.charged, held })
        h.gotOut += proceeds
        if (h.balance > peak * 0.01) continue
        if (open) h.verdicts.push({ order, slot, won: h.gotOut > h.paidIn, writtenOff: false })
        else if (writtenOff !== null) writtenOff.writtenOff = false
        open = false
      }
    }
    return h
  }

  /** the wallet that signed the creation, if that was seen */
  function deployerOf(mint: Key): Key | null {
    const created = ofMint(mint).find(({ event: { kind } }) => kind === 'create')?.event
    return created?.kind === 'create' ? created.user : null
  }

  /** who sent a wallet its first SOL, as told before the event of that index */
  const funderOf = (wallet: Key, index: number): FundingFact | undefined =>
    told
      .filter((one) => one.index <= index)
      .map(({ fact }) => fact)
      .find((fact): fact is FundingFact => fact.kind === 'funding' && fact.wallet === wallet && fact.funder !== wallet)

  /** funded by the deployer over at most two hops within 24 h of the launch */
  function isFunded(wallet: Key, mint: Key, toldBefore: number): boolean {
    const deployer = deployerOf(mint)
    const launch = birth(mint)!.slot
    const hop = (from: Key): Key | null => {
      const fact = funderOf(from, toldBefore)
      return fact !== undefined && Math.abs(fact.slot - launch) <= 216_000 ? fact.funder : null
    }
    const first = hop(wallet)
    if (first === null || deployer === null) return false
    return first === deployer || hop(first) === deployer
  }

  /** real quote before and after a priced trade: a curve starts with virtual SOL, a pool has what it has */
  function realQuote(mint: Key, { event, slot }: Priced): { before: number; after: number } {
    const start = startQuote(mint, slot)
    const onCurve = event.venue === VENUE.pump
    const after = onCurve ? (start === 0 ? 0 : Math.max(0, event.quoteReserve - start)) : event.quoteReserve
    return { before: event.isBuy ? after : after + event.quoteAmount, after }
  }

  const money = createMoneyReference({
    ...{ told, end, joined, ofMint, priced, birth, migration, isFromStart, isFunded, realQuote },
    holding: (wallet, mint, until) => holding(wallet, mint, until),
    funderOf: (wallet, index) => funderOf(wallet, index)?.funder,
    movedBy: ({ index, slot, event }, mint) =>
      event.kind === 'balance' ? movedBy(event, holding(event.owner, mint, { index, slot }).balance) : 0,
    record(wallet, until) {
      const own = events.filter((e) => e.index < until.index && e.event.kind === 'trade' && e.event.user === wallet)
      const bought = own.filter(({ event }) => event.kind === 'trade' && event.isBuy)
      const mintsBought = new Set(bought.map(({ event }) => event.mint)).size
      return { mintsBought, bundledRate: own.length > 0 ? own.filter(isBundled).length / own.length : 0 }
    },
  })

  interface Pick {
    wallet: Key
    due: number
    healthy: boolean
  }

  /** verdicts of first buys that fell due before `until` */
  let pickCache: Pick[] | undefined
  function picks(until: Moment): Pick[] {
    pickCache ??= allPicks()
    return pickCache.filter(({ due }) => due < until.slot)
  }

  function allPicks(): Pick[] {
    const found: Pick[] = []
    for (const mint of mints) {
      const buys = tradesOf(mint).filter(({ event }) => event.isBuy)
      const first = buys.filter((b, i) => buys.findIndex((o) => o.event.user === b.event.user) === i)
      for (const { index, slot, event } of first) {
        const due = slot + 9_000
        const mcap = priced(mint).findLast((p) => p.index <= index)?.mcap ?? 0
        if (due >= endSlot || mcap === 0) continue
        const lastFree = tradesOf(mint).findLast((t) => t.slot <= due && !isBundled(t))
        const isTraded = lastFree !== undefined && due - lastFree.slot <= 1_500
        const healthy = isTraded && lastPriced(mint, due)!.mcap >= mcap / 2 && !money.isRuggedAt(mint, due)
        found.push({ wallet: event.user, due, healthy })
      }
    }
    return found
  }

  function impact(wallet: Key, until: Moment): number | null {
    let sum = 0
    let weights = 0
    for (const mint of mints) {
      for (const { slot, before, event } of priced(mint)) {
        if (event.user !== wallet || event.isBuy || slot + 25 >= until.slot) continue
        const start =
          before > 0 ? before : (event.quoteReserve + event.quoteAmount) / (event.baseReserve - event.tokenAmount)
        const weight = Math.min(event.quoteAmount / 1e9, 10)
        if (weight <= 0) continue
        const change = 100 * (lastPriced(mint, slot + 25)!.price / start - 1)
        sum += Math.max(-50, Math.min(50, change)) * weight
        weights += weight
      }
    }
    return weights > 0 ? sum / weights : null
  }

  function median(holds: readonly { held: number; cost: number }[]): number | null {
    const bin = (held: number): number => {
      for (let k = 63; k > 0; k--) if (2 ** (k / 4) <= held) return k
      return 0
    }
    const total = holds.reduce((sum, { cost }) => sum + cost, 0)
    if (total === 0) return null
    let below = 0
    for (let k = 0; k < 64; k++) {
      const cost = holds.filter(({ held }) => bin(held) === k).reduce((sum, hold) => sum + hold.cost, 0)
      if (cost > 0 && below + cost >= total / 2) {
        const from = k === 0 ? 0 : 2 ** (k / 4)
        const to = k === 63 ? from : 2 ** ((k + 1) / 4)
        return Math.round(from + ((to - from) * (total / 2 - below)) / cost)
      }
      below += cost
    }
    return null
  }

  /** a wallet's history as it stood at `until` */
  function history(wallet: Key, until: Moment = end) {
    const before = events.filter(
      ({ index, event }) => index < until.index && event.kind === 'trade' && event.user === wallet,
    )
    const buys = before.filter(({ event }) => event.kind === 'trade' && event.isBuy)
    const holdings = mints.map((mint) => holding(wallet, mint, until))
    const realised = holdings.flatMap((h) => h.realised)
    const verdicts = holdings.flatMap((h) => h.verdicts)
    const held = realised.flatMap((r) => (r.held !== null && r.cost > 0 ? [{ held: r.held, cost: r.cost }] : []))
    const cost = realised.reduce((sum, r) => sum + r.charged, 0)
    const pnl = realised.reduce((sum, r) => sum + r.profit, 0)
    const heldCost = held.reduce((sum, h) => sum + h.cost, 0)
    const all = picks(until)
    const own = all.filter((pick) => pick.wallet === wallet)
    const p0 = (all.filter((pick) => pick.healthy).length + 1) / (all.length + 20)
    const shrunk = (own.filter((pick) => pick.healthy).length + 5 * p0) / (own.length + 5)
    return {
      trades: before.length,
      buys: buys.length,
      sells: before.length - buys.length,
      bundledTrades: before.filter(isBundled).length,
      mintsBought: new Set(buys.map(({ event }) => event.mint)).size,
      closed: verdicts.length,
      won: verdicts.filter((v) => v.won).length,
      soldOut: verdicts.filter((v) => !v.writtenOff).length,
      picks: own.length,
      p0,
      shrunkHealthyRate: shrunk,
      buyLamports: buys.reduce((sum, { event }) => sum + (event.kind === 'trade' ? event.userQuote : 0), 0),
      avgHold: heldCost > 0 ? held.reduce((sum, h) => sum + h.cost * h.held, 0) / heldCost : null,
      medianHold: median(held),
      pnl: realised.length > 0 ? pnl : null,
      roi: cost >= 50_000_000 ? pnl / cost : null,
      winRate: verdicts.length > 0 ? verdicts.filter((v) => v.won).length / verdicts.length : null,
      healthyRate: own.length < 3 ? null : shrunk,
      sellImpact: impact(wallet, until),
      recent: [...new Set([...before].reverse().map(({ event }) => event.mint))].slice(0, 20),
    }
  }

  /** everybody who ever traded or was sent a token */
  const wallets = [
    ...new Set(
      events.flatMap(({ event }) =>
        event.kind === 'trade' ? [event.user] : event.kind === 'balance' ? [event.owner] : [],
      ),
    ),
  ]

  /** usual holding time of everybody: the median of all sells so far, after 100 imagined ones of 150 slots */
  const populationHold = (): number => {
    const sells = wallets.flatMap((wallet) => mints.flatMap((mint) => holding(wallet, mint, end).realised))
    const held = sells.flatMap((sell) => (sell.held !== null && sell.cost > 0 ? [{ held: sell.held, cost: 1 }] : []))
    return median([{ held: 150, cost: 100 }, ...held])!
  }

  function token(mint: Key) {
    const list = priced(mint)
    const peak = list.reduce<Priced | null>((best, p) => (best === null || p.mcap > best.mcap ? p : best), null)
    return {
      trades: tradesOf(mint).length,
      mcap: list[list.length - 1]?.mcap ?? 0,
      ath: peak?.mcap ?? 0,
      athSlot: peak?.slot ?? -1,
      drain: money.drainOf(mint),
      migratedSlot: migration(mint)?.slot ?? -1,
      balances: new Map(wallets.map((wallet) => [wallet, holding(wallet, mint, end)])),
    }
  }

  return {
    ...{
      events,
      told,
      mints,
      wallets,
      end,
      isBundled,
      birth,
      migration,
      deployerOf,
      ofMint,
      tradesOf,
      priced,
      startQuote,
      life,
      phantom,
    },
    ...{ holding, history, isFromStart, funderOf, token, populationHold },
    ...{ memory: money.memory, isInsider: money.isInsider, isOwn: money.isOwn, taken: money.taken },
    ruggedAt: (mint: Key): number => money.drainOf(mint).ruggedSlot,
  }
}

export type Reference = ReturnType<typeof createReference>
