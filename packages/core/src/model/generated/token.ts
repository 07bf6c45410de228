// Made by `npm run model` of the tables in packages/core/src/model: change those.
import { type Reader, readList, readNumbers, recordReader, recordWriter, type Writer, writeNumbers } from '../bytes.ts'
import type { QuoteAsset } from '../events.ts'
import type { DupFlags, TokenMetadata } from '../metadata.ts'
import type { Asked, Floor } from '../outlook.ts'
import type { Bucket, ClassSums, Exit, PendingImpact, PendingPick, Sale, Token, WatchedTrade } from '../state.ts'
import { readNamedActor, writeNamedActor } from './parts.ts'

const w = recordWriter
const r = recordReader

function writeQuoteAsset(w: Writer, v: QuoteAsset): void {
  w.key(v.mint)
  w.num(v.decimals)
}

function readQuoteAsset(r: Reader): QuoteAsset {
  return {
    mint: r.key(),
    decimals: r.int(),
  }
}

export function writeTokenMetadata(w: Writer, v: TokenMetadata): void {
  w.textOrNull(v.description)
  w.textOrNull(v.image)
  w.textOrNull(v.twitter)
  w.textOrNull(v.telegram)
  w.textOrNull(v.website)
}

export function readTokenMetadata(r: Reader): TokenMetadata {
  return {
    description: r.textOrNull(),
    image: r.textOrNull(),
    twitter: r.textOrNull(),
    telegram: r.textOrNull(),
    website: r.textOrNull(),
  }
}

export function writeDupFlags(w: Writer, v: DupFlags): void {
  w.u8(v.name)
  w.u8(v.symbol)
  w.u8(v.symbolName)
  w.u8(v.image)
  w.u8(v.twitter)
  w.u8(v.telegram)
  w.u8(v.website)
}

export function readDupFlags(r: Reader): DupFlags {
  return {
    name: r.upTo(2) as DupFlags['name'],
    symbol: r.upTo(2) as DupFlags['symbol'],
    symbolName: r.upTo(2) as DupFlags['symbolName'],
    image: r.upTo(2) as DupFlags['image'],
    twitter: r.upTo(2) as DupFlags['twitter'],
    telegram: r.upTo(2) as DupFlags['telegram'],
    website: r.upTo(2) as DupFlags['website'],
  }
}

function writeExit(w: Writer, v: Exit): void {
  w.num(v.index)
  w.num(v.tokens)
}

function readExit(r: Reader): Exit {
  return {
    index: r.num(),
    tokens: r.num(),
  }
}

function writeClassSums(w: Writer, v: ClassSums): void {
  w.num(v.held)
  w.num(v.peak)
  w.num(v.sold)
}

function readClassSums(r: Reader): ClassSums {
  return {
    held: r.num(),
    peak: r.num(),
    sold: r.num(),
  }
}

function writeSale(w: Writer, v: Sale): void {
  w.num(v.wallet)
  w.u8(v.counted ? 1 : 0)
  w.num(v.index)
  w.num(v.tokens)
  w.num(v.took)
  w.u8(v.left ? 1 : 0)
}

function readSale(r: Reader): Sale {
  return {
    wallet: r.num(),
    counted: r.bool(),
    index: r.num(),
    tokens: r.num(),
    took: r.num(),
    left: r.bool(),
  }
}

function writeBucket(w: Writer, v: Bucket): void {
  w.num(v.index)
  w.num(v.buyLamports)
  w.num(v.sellLamports)
  w.num(v.buys)
  w.num(v.sells)
  w.num(v.open)
  w.num(v.reserve)
  w.num(v.holders)
  w.num(v.sold)
  w.num(v.deployerSold)
  w.num(v.groupSold)
  w.num(v.insiderSold)
  w.num(v.insideTook)
}

function readBucket(r: Reader): Bucket {
  return {
    index: r.num(),
    buyLamports: r.num(),
    sellLamports: r.num(),
    buys: r.num(),
    sells: r.num(),
    open: r.num(),
    reserve: r.num(),
    holders: r.num(),
    sold: r.num(),
    deployerSold: r.num(),
    groupSold: r.num(),
    insiderSold: r.num(),
    insideTook: r.num(),
  }
}

function writePendingImpact(w: Writer, v: PendingImpact): void {
  w.num(v.wallet)
  w.num(v.dueSlot)
  w.num(v.priceBefore)
  w.num(v.weight)
}

function readPendingImpact(r: Reader): PendingImpact {
  return {
    wallet: r.num(),
    dueSlot: r.num(),
    priceBefore: r.num(),
    weight: r.num(),
  }
}

function writePendingPick(w: Writer, v: PendingPick): void {
  w.num(v.wallet)
  w.num(v.dueSlot)
  w.num(v.mcap)
}

function readPendingPick(r: Reader): PendingPick {
  return {
    wallet: r.num(),
    dueSlot: r.num(),
    mcap: r.num(),
  }
}

function writeWatchedTrade(w: Writer, v: WatchedTrade): void {
  w.u8((v.smart ? 1 : 0) | (v.kol ? 2 : 0))
  w.num(v.wallet)
  w.num(v.slot)
  w.num(v.lamports)
}

function readWatchedTrade(r: Reader): WatchedTrade {
  const flags = r.upTo(3)
  return {
    smart: (flags & 1) !== 0,
    kol: (flags & 2) !== 0,
    wallet: r.num(),
    slot: r.num(),
    lamports: r.num(),
  }
}

function writeAsked(w: Writer, v: Asked): void {
  w.u8((v.decided ? 1 : 0) | (v.hit ? 2 : 0))
  w.u8(v.question)
  w.u8(v.age)
  w.u8(v.band)
  w.num(v.dueSlot)
  w.num(v.from)
  w.num(v.p)
}

function readAsked(r: Reader): Asked {
  const flags = r.upTo(3)
  return {
    decided: (flags & 1) !== 0,
    hit: (flags & 2) !== 0,
    question: r.upTo(2) as Asked['question'],
    age: r.upTo(2) as Asked['age'],
    band: r.upTo(11) as Asked['band'],
    dueSlot: r.num(),
    from: r.num(),
    p: r.num(),
  }
}

function writeFloor(w: Writer, v: Floor): void {
  w.u8(v.question)
  w.u8(v.band)
  w.num(v.p)
}

function readFloor(r: Reader): Floor {
  return {
    question: r.upTo(2) as Floor['question'],
    band: r.upTo(11) as Floor['band'],
    p: r.num(),
  }
}

function writeToken(w: Writer, v: Token): void {
  w.u8(
    (v.createdKnown ? 1 : 0) |
      (v.mayhem ? 2 : 0) |
      (v.dead ? 4 : 0) |
      (v.deployerDumped ? 8 : 0) |
      (v.fromStart ? 128 : 0) |
      (v.curve === null ? 0 : 16) |
      (v.pool === null ? 0 : 32) |
      (v.metadata === null ? 0 : 64),
  )
  w.key(v.mint)
  if (v.curve !== null) w.key(v.curve)
  if (v.pool !== null) w.key(v.pool)
  w.u8(v.launchpad)
  w.u8(v.quote)
  if (v.asset !== null) writeQuoteAsset(w, v.asset)
  w.text(v.name)
  w.text(v.symbol)
  w.text(v.uri)
  if (v.metadata !== null) writeTokenMetadata(w, v.metadata)
  writeDupFlags(w, v.dup)
  w.num(v.createdSlot)
  w.num(v.createdTime)
  w.num(v.deployer)
  w.num(v.decimals)
  w.num(v.supply)
  w.num(v.startQuote)
  w.num(v.quoteReserve)
  w.num(v.baseReserve)
  w.num(v.realToken)
  w.num(v.realQuote)
  w.num(v.startPrice)
  w.num(v.lastTradeSlot)
  w.num(v.lastTradeTime)
  w.num(v.mcap)
  w.num(v.ath)
  w.num(v.athSlot)
  w.num(v.athTime)
  w.num(v.completeSlot)
  w.num(v.migratedSlot)
  w.num(v.migratedTime)
  w.num(v.dexPaidTime)
  w.num(v.drainedSlot)
  w.num(v.ruggedSlot)
  w.num(v.ruggedBy)
  w.num(v.deployerPeak)
  w.num(v.insiderHeld)
  w.num(v.insiderPeak)
  w.num(v.insiderSold)
  w.num(v.insideSold)
  w.num(v.exits.length)
  for (const item of v.exits) writeExit(w, item)
  w.num(v.classes.length)
  for (const item of v.classes) writeClassSums(w, item)
  writeNumbers(w, v.firstBuyers)
  w.num(v.sales.length)
  for (const item of v.sales) writeSale(w, item)
  w.num(v.trades)
  w.num(v.buys)
  w.num(v.sells)
  w.num(v.buyers)
  w.num(v.holders)
  w.num(v.owned)
  w.num(v.strategiesSeen)
  w.num(v.outstanding)
  w.num(v.checkedSlot)
  w.num(v.checkedMoved)
  w.num(v.lastTradeNo)
  w.num(v.lastFreeTradeSlot)
  w.num(v.wakeSlot)
  w.num(v.buckets.length)
  for (const item of v.buckets) writeBucket(w, item)
  w.num(v.impacts.length)
  for (const item of v.impacts) writePendingImpact(w, item)
  w.num(v.picks.length)
  for (const item of v.picks) writePendingPick(w, item)
  w.num(v.watched.length)
  for (const item of v.watched) writeWatchedTrade(w, item)
  w.num(v.asked.length)
  for (const item of v.asked) writeAsked(w, item)
  w.num(v.floorSlot)
  w.num(v.floors.length)
  for (const item of v.floors) writeFloor(w, item)
  w.num(v.actors.length)
  for (const item of v.actors) writeNamedActor(w, item)
}

function readToken(r: Reader, id: number): Token {
  const flags = r.u8()
  const mint = r.key()
  const curve = flags & 16 ? r.key() : null
  const pool = flags & 32 ? r.key() : null
  const launchpad = r.upTo(8) as Token['launchpad']
  const quote = r.upTo(3) as Token['quote']
  return {
    id,
    createdKnown: (flags & 1) !== 0,
    mayhem: (flags & 2) !== 0,
    dead: (flags & 4) !== 0,
    deployerDumped: (flags & 8) !== 0,
    fromStart: (flags & 128) !== 0,
    mint,
    curve,
    pool,
    launchpad,
    quote,
    asset: quote === 3 ? readQuoteAsset(r) : null,
    name: r.text(),
    symbol: r.text(),
    uri: r.text(),
    metadata: flags & 64 ? readTokenMetadata(r) : null,
    dup: readDupFlags(r),
    createdSlot: r.num(),
    createdTime: r.num(),
    deployer: r.num(),
    decimals: r.num(),
    supply: r.num(),
    startQuote: r.num(),
    quoteReserve: r.num(),
    baseReserve: r.num(),
    realToken: r.num(),
    realQuote: r.num(),
    startPrice: r.num(),
    lastTradeSlot: r.num(),
    lastTradeTime: r.num(),
    mcap: r.num(),
    ath: r.num(),
    athSlot: r.num(),
    athTime: r.num(),
    completeSlot: r.num(),
    migratedSlot: r.num(),
    migratedTime: r.num(),
    dexPaidTime: r.num(),
    drainedSlot: r.num(),
    ruggedSlot: r.num(),
    ruggedBy: r.num(),
    deployerPeak: r.num(),
    insiderHeld: r.num(),
    insiderPeak: r.num(),
    insiderSold: r.num(),
    insideSold: r.num(),
    exits: readList(r, readExit),
    classes: readList(r, readClassSums),
    firstBuyers: readNumbers(r),
    sales: readList(r, readSale),
    trades: r.num(),
    buys: r.num(),
    sells: r.num(),
    buyers: r.num(),
    holders: r.num(),
    owned: r.num(),
    strategiesSeen: r.num(),
    outstanding: r.num(),
    checkedSlot: r.num(),
    checkedMoved: r.num(),
    lastTradeNo: r.num(),
    lastFreeTradeSlot: r.num(),
    wakeSlot: r.num(),
    buckets: readList(r, readBucket),
    impacts: readList(r, readPendingImpact),
    picks: readList(r, readPendingPick),
    watched: readList(r, readWatchedTrade),
    asked: readList(r, readAsked),
    floorSlot: r.num(),
    floors: readList(r, readFloor),
    actors: readList(r, readNamedActor),
  }
}

export function encodeToken(v: Token): Buffer {
  w.take()
  writeToken(w, v)
  return w.take()
}

export function decodeToken(id: number, bytes: Buffer): Token {
  r.open(bytes, 0, bytes.length)
  const v = readToken(r, id)
  r.done()
  return v
}
