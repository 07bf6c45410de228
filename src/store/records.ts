import type { Key, Sig } from '../base/ids.ts'
import { VENUE_MAX, type Venue } from '../decode/events.ts'
import type { Globals, Partner, Position, TradeRow, Wallet } from '../engine/state.ts'
import { createReader, createWriter, MalformedBytes, type Reader, type Writer } from '../log/bytes.ts'

/**
 * State records as bytes, field after field, exact for every number; equal records give equal bytes. What the key of a
 * record says is not repeated in it. Changing a layout means raising `FORMAT_VERSION`. Encoded bytes are valid until
 * the next call; decoding throws `MalformedBytes` where the bytes are not a record.
 */
const w = createWriter()
const r = createReader()

export function encodeWith<T>(write: (w: Writer, record: T) => void, record: T): Buffer {
  w.take()
  write(w, record)
  return w.take()
}

export function decodeWith<T>(bytes: Buffer, read: (r: Reader) => T): T {
  r.open(bytes, 0, bytes.length)
  const record = read(r)
  r.done()
  return record
}

/** A bounded list of numbers: its length first. */
export function writeNumbers(w: Writer, numbers: readonly number[]): void {
  w.num(numbers.length)
  for (const value of numbers) w.num(value)
}

export function readNumbers(r: Reader): number[] {
  const numbers: number[] = []
  for (let left = r.count(); left > 0; left--) numbers.push(r.num())
  return numbers
}

export function readList<T>(r: Reader, read: (r: Reader) => T): T[] {
  const list: T[] = []
  for (let left = r.count(); left > 0; left--) list.push(read(r))
  return list
}

export const encodePosition = (p: Position): Buffer => encodeWith(writePosition, p)
export const decodePosition = (token: number, wallet: number, bytes: Buffer): Position =>
  decodeWith(bytes, (r) => readPosition(r, token, wallet))

function writePosition(w: Writer, p: Position): void {
  w.u8(
    (p.closed ? 1 : 0) |
      (p.writtenOff ? 2 : 0) |
      (p.tripOpen ? 4 : 0) |
      (p.rugCounted ? 8 : 0) |
      (p.unpriced === 0 ? 0 : 16),
  )
  if (p.unpriced !== 0) w.num(p.unpriced)
  w.num(p.balance)
  w.num(p.cost)
  w.num(p.acquiredSlot)
  w.num(p.bought)
  w.num(p.sold)
  w.num(p.firstBuySlot)
  w.num(p.lastBuySlot)
  w.num(p.lastSellSlot)
  w.num(p.received)
  w.num(p.peak)
  w.num(p.episodeIn)
  w.num(p.episodeOut)
  w.num(p.roundTrips)
  w.num(p.group)
}

function readPosition(r: Reader, token: number, wallet: number): Position {
  const flags = r.upTo(31)
  return {
    token,
    wallet,
    unpriced: flags & 16 ? r.num() : 0,
    balance: r.num(),
    cost: r.num(),
    acquiredSlot: r.num(),
    bought: r.num(),
    sold: r.num(),
    firstBuySlot: r.num(),
    lastBuySlot: r.num(),
    lastSellSlot: r.num(),
    received: r.num(),
    peak: r.num(),
    episodeIn: r.num(),
    episodeOut: r.num(),
    roundTrips: r.num(),
    group: r.num(),
    closed: (flags & 1) !== 0,
    writtenOff: (flags & 2) !== 0,
    tripOpen: (flags & 4) !== 0,
    rugCounted: (flags & 8) !== 0,
    owner: null,
  }
}

export const encodeWallet = (wallet: Wallet): Buffer => encodeWith(writeWallet, wallet)
export const decodeWallet = (id: number, bytes: Buffer): Wallet => decodeWith(bytes, (r) => readWallet(r, id))

function writeWallet(w: Writer, v: Wallet): void {
  w.raw(v.address, 32)
  w.u8(
    (v.smart ? 1 : 0) |
      (v.kol ? 2 : 0) |
      (v.agent ? 4 : 0) |
      (v.exchange ? 8 : 0) |
      (v.wash ? 16 : 0) |
      (v.name === null ? 0 : 32),
  )
  if (v.name !== null) w.text(v.name)
  w.num(v.firstSlot)
  w.num(v.lastSlot)
  w.num(v.lastTime)
  w.num(v.trades)
  w.num(v.buys)
  w.num(v.sells)
  w.num(v.bundledTrades)
  w.num(v.mintsBought)
  w.num(v.launches)
  w.num(v.launchesTraded)
  w.num(v.launchesAboveFloor)
  w.num(v.launchesBonded)
  w.num(v.buyLamports)
  w.num(v.holdCostSlots)
  w.num(v.holdCost)
  writeNumbers(w, v.holdBins)
  writeNumbers(w, v.holdBinCosts)
  w.num(v.realised)
  w.num(v.closedCost)
  w.num(v.realisations)
  w.num(v.closed)
  w.num(v.won)
  w.num(v.picksResolved)
  w.num(v.picksHealthy)
  w.num(v.impactWeighted)
  w.num(v.impactWeight)
  w.num(v.solBalance)
  w.num(v.funder)
  w.num(v.funderSlot)
  w.num(v.funded)
  w.num(v.payer)
  w.num(v.paidFor)
  w.num(v.rugs)
  w.num(v.partners.length)
  for (const { wallet, together, follows, behind } of v.partners) {
    w.num(wallet)
    w.num(together)
    w.num(follows)
    w.num(behind)
  }
  writeNumbers(w, v.recent)
}

function readWallet(r: Reader, id: number): Wallet {
  const address = r.raw(32) as Key
  const flags = r.upTo(63)
  return {
    id,
    address,
    name: flags & 32 ? r.text() : null,
    kol: (flags & 2) !== 0,
    agent: (flags & 4) !== 0,
    exchange: (flags & 8) !== 0,
    wash: (flags & 16) !== 0,
    smart: (flags & 1) !== 0,
    firstSlot: r.num(),
    lastSlot: r.num(),
    lastTime: r.num(),
    trades: r.num(),
    buys: r.num(),
    sells: r.num(),
    bundledTrades: r.num(),
    mintsBought: r.num(),
    launches: r.num(),
    launchesTraded: r.num(),
    launchesAboveFloor: r.num(),
    launchesBonded: r.num(),
    buyLamports: r.num(),
    holdCostSlots: r.num(),
    holdCost: r.num(),
    holdBins: readNumbers(r),
    holdBinCosts: readNumbers(r),
    realised: r.num(),
    closedCost: r.num(),
    realisations: r.num(),
    closed: r.num(),
    won: r.num(),
    picksResolved: r.num(),
    picksHealthy: r.num(),
    impactWeighted: r.num(),
    impactWeight: r.num(),
    solBalance: r.num(),
    funder: r.num(),
    funderSlot: r.num(),
    funded: r.num(),
    payer: r.num(),
    paidFor: r.num(),
    rugs: r.num(),
    partners: readList(r, readPartner),
    recent: readNumbers(r),
    stale: false,
  }
}

const readPartner = (r: Reader): Partner => ({
  wallet: r.num(),
  together: r.num(),
  follows: r.num(),
  behind: r.num(),
})

export const encodeTrade = (row: TradeRow): Buffer => encodeWith(writeTrade, row)
export const decodeTrade = (no: number, bytes: Buffer): TradeRow => decodeWith(bytes, (r) => readTrade(r, no))

/** Bits of a trade row's first byte; the venue takes three. */
const BUY = 1
const SMART = 2
const HAS_SIG = 4
const VENUE_SHIFT = 3
const VENUE_BITS = 7
const HAS_OWN = 64

function writeTrade(w: Writer, t: TradeRow): void {
  const has = (t.sig === '' ? 0 : HAS_SIG) | (t.own === 0 ? 0 : HAS_OWN)
  w.u8((t.isBuy ? BUY : 0) | (t.smart ? SMART : 0) | has | (t.venue << VENUE_SHIFT))
  if (t.sig !== '') w.raw(t.sig, 64)
  if (t.own !== 0) w.num(t.own)
  w.num(t.token)
  w.num(t.wallet)
  w.num(t.prev)
  w.num(t.outer)
  w.num(t.inner)
  w.num(t.slot)
  w.num(t.time)
  w.num(t.lamports)
  w.num(t.tokens)
  w.num(t.mcap)
  w.num(t.buysBefore)
  w.num(t.buyLamportsBefore)
  w.numOrNull(t.avgHoldSlots)
  w.numOrNull(t.pnlLamports)
  w.numOrNull(t.roi)
  w.numOrNull(t.winRate)
  w.numOrNull(t.healthyRate)
  w.numOrNull(t.sellImpact)
  w.numOrNull(t.bundledRate)
  w.numOrNull(t.solBalance)
  w.num(t.group)
}

function readTrade(r: Reader, no: number): TradeRow {
  const flags = r.upTo((HAS_OWN << 1) - 1)
  const venue = (flags >> VENUE_SHIFT) & VENUE_BITS
  if (venue > VENUE_MAX) throw new MalformedBytes(`unknown venue ${venue}`)
  const sig = (flags & HAS_SIG ? r.raw(64) : '') as Sig
  const own = flags & HAS_OWN ? r.num() : 0
  return {
    no,
    own,
    token: r.num(),
    wallet: r.num(),
    prev: r.num(),
    sig,
    outer: r.num(),
    inner: r.num(),
    venue: venue as Venue,
    slot: r.num(),
    time: r.num(),
    isBuy: (flags & BUY) !== 0,
    lamports: r.num(),
    tokens: r.num(),
    mcap: r.num(),
    buysBefore: r.num(),
    buyLamportsBefore: r.num(),
    avgHoldSlots: r.numOrNull(),
    pnlLamports: r.numOrNull(),
    roi: r.numOrNull(),
    winRate: r.numOrNull(),
    healthyRate: r.numOrNull(),
    sellImpact: r.numOrNull(),
    bundledRate: r.numOrNull(),
    solBalance: r.numOrNull(),
    smart: (flags & SMART) !== 0,
    group: r.num(),
  }
}

export const encodeGlobals = (g: Globals): Buffer => encodeWith(writeGlobals, g)
export const decodeGlobals = (bytes: Buffer): Globals => decodeWith(bytes, readGlobals)

function writeGlobals(w: Writer, g: Globals): void {
  w.num(g.seq)
  w.num(g.firstSlot)
  w.num(g.slot)
  w.num(g.time)
  w.num(g.factsSince)
  w.num(g.nextToken)
  w.num(g.nextWallet)
  w.num(g.nextTrade)
  w.num(g.frames)
  w.num(g.tokenEvents)
  w.num(g.solUsd)
  w.num(g.population.picks)
  w.num(g.population.healthyPicks)
  writeNumbers(w, g.population.holds)
  w.num(g.unpricedTrades)
  w.num(g.missingSlots)
  writeNumbers(w, g.migrated)
}

function readGlobals(r: Reader): Globals {
  return {
    seq: r.num(),
    firstSlot: r.num(),
    slot: r.num(),
    time: r.num(),
    factsSince: r.num(),
    nextToken: r.num(),
    nextWallet: r.num(),
    nextTrade: r.num(),
    frames: r.num(),
    tokenEvents: r.num(),
    solUsd: r.num(),
    population: { picks: r.num(), healthyPicks: r.num(), holds: readNumbers(r) },
    unpricedTrades: r.num(),
    missingSlots: r.num(),
    migrated: readNumbers(r),
  }
}
