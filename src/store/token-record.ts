import type { Key } from '../base/ids.ts'
import { LAUNCHPAD_MAX, type Launchpad, QUOTE, QUOTE_MAX, type Quote, type QuoteAsset } from '../decode/events.ts'
import {
  type Bucket,
  DUP,
  type Dup,
  type DupFlags,
  type PendingImpact,
  type PendingPick,
  type Token,
  type TokenMetadata,
  type WatchedTrade,
} from '../engine/state.ts'
import type { Reader, Writer } from '../log/bytes.ts'
import { decodeWith, encodeWith, readList } from './records.ts'

/** Token records as bytes; the rules of records.ts hold. */
export const encodeToken = (token: Token): Buffer => encodeWith(writeToken, token)
export const decodeToken = (id: number, bytes: Buffer): Token => decodeWith(bytes, (r) => readToken(r, id))

/** Bits of the first byte; metadata may be absent as a whole. */
const CREATED_KNOWN = 1
const MAYHEM = 2
const DEAD = 4
const DEPLOYER_DUMPED = 8
const HAS_CURVE = 16
const HAS_POOL = 32
const HAS_METADATA = 64

function writeToken(w: Writer, t: Token): void {
  w.u8(
    (t.createdKnown ? CREATED_KNOWN : 0) |
      (t.mayhem ? MAYHEM : 0) |
      (t.dead ? DEAD : 0) |
      (t.deployerDumped ? DEPLOYER_DUMPED : 0) |
      (t.curve === null ? 0 : HAS_CURVE) |
      (t.pool === null ? 0 : HAS_POOL) |
      (t.metadata === null ? 0 : HAS_METADATA),
  )
  w.raw(t.mint, 32)
  if (t.curve !== null) w.raw(t.curve, 32)
  if (t.pool !== null) w.raw(t.pool, 32)
  w.u8(t.launchpad)
  w.u8(t.quote)
  if (t.asset !== null) writeAsset(w, t.asset)
  w.text(t.name)
  w.text(t.symbol)
  w.text(t.uri)
  if (t.metadata !== null) writeMetadata(w, t.metadata)
  writeDup(w, t.dup)
  w.num(t.createdSlot)
  w.num(t.createdTime)
  w.num(t.deployer)
  w.num(t.decimals)
  w.num(t.supply)
  w.num(t.startQuote)
  w.num(t.quoteReserve)
  w.num(t.baseReserve)
  w.num(t.realToken)
  w.num(t.lastTradeSlot)
  w.num(t.lastTradeTime)
  w.num(t.mcap)
  w.num(t.ath)
  w.num(t.athSlot)
  w.num(t.athTime)
  w.num(t.completeSlot)
  w.num(t.migratedSlot)
  w.num(t.migratedTime)
  w.num(t.dexPaidTime)
  w.num(t.ruggedSlot)
  w.num(t.trades)
  w.num(t.buys)
  w.num(t.sells)
  w.num(t.buyers)
  w.num(t.holders)
  w.num(t.owned)
  w.num(t.strategiesSeen)
  w.num(t.lastTradeNo)
  w.num(t.lastFreeTradeSlot)
  w.num(t.wakeSlot)
  w.num(t.buckets.length)
  for (const bucket of t.buckets) writeBucket(w, bucket)
  w.num(t.impacts.length)
  for (const impact of t.impacts) writeImpact(w, impact)
  w.num(t.picks.length)
  for (const pick of t.picks) writePick(w, pick)
  w.num(t.watched.length)
  for (const trade of t.watched) writeWatched(w, trade)
}

function readToken(r: Reader, id: number): Token {
  const flags = r.upTo(127)
  const mint = r.raw(32) as Key
  const curve = flags & HAS_CURVE ? (r.raw(32) as Key) : null
  const pool = flags & HAS_POOL ? (r.raw(32) as Key) : null
  const launchpad = r.upTo(LAUNCHPAD_MAX) as Launchpad
  const quote = r.upTo(QUOTE_MAX) as Quote
  return {
    id,
    mint,
    launchpad,
    quote,
    asset: quote === QUOTE.other ? readAsset(r) : null,
    name: r.text(),
    symbol: r.text(),
    uri: r.text(),
    metadata: flags & HAS_METADATA ? readMetadata(r) : null,
    dup: readDup(r),
    createdKnown: (flags & CREATED_KNOWN) !== 0,
    createdSlot: r.num(),
    createdTime: r.num(),
    deployer: r.num(),
    decimals: r.num(),
    supply: r.num(),
    curve,
    pool,
    mayhem: (flags & MAYHEM) !== 0,
    startQuote: r.num(),
    quoteReserve: r.num(),
    baseReserve: r.num(),
    realToken: r.num(),
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
    deployerDumped: (flags & DEPLOYER_DUMPED) !== 0,
    ruggedSlot: r.num(),
    dead: (flags & DEAD) !== 0,
    trades: r.num(),
    buys: r.num(),
    sells: r.num(),
    buyers: r.num(),
    holders: r.num(),
    owned: r.num(),
    strategiesSeen: r.num(),
    lastTradeNo: r.num(),
    lastFreeTradeSlot: r.num(),
    wakeSlot: r.num(),
    buckets: readList(r, readBucket),
    impacts: readList(r, readImpact),
    picks: readList(r, readPick),
    watched: readList(r, readWatched),
  }
}

function writeAsset(w: Writer, { mint, decimals }: QuoteAsset): void {
  w.raw(mint, 32)
  w.num(decimals)
}

const readAsset = (r: Reader): QuoteAsset => ({ mint: r.raw(32) as Key, decimals: r.num() })

export function writeMetadata(w: Writer, m: TokenMetadata): void {
  w.textOrNull(m.description)
  w.textOrNull(m.image)
  w.textOrNull(m.twitter)
  w.textOrNull(m.telegram)
  w.textOrNull(m.website)
}

export const readMetadata = (r: Reader): TokenMetadata => ({
  description: r.textOrNull(),
  image: r.textOrNull(),
  twitter: r.textOrNull(),
  telegram: r.textOrNull(),
  website: r.textOrNull(),
})

export function writeDup(w: Writer, d: DupFlags): void {
  w.u8(d.name)
  w.u8(d.symbol)
  w.u8(d.symbolName)
  w.u8(d.image)
  w.u8(d.twitter)
  w.u8(d.telegram)
  w.u8(d.website)
}

export function readDup(r: Reader): DupFlags {
  const flag = (): Dup => r.upTo(DUP.yes) as Dup
  return {
    name: flag(),
    symbol: flag(),
    symbolName: flag(),
    image: flag(),
    twitter: flag(),
    telegram: flag(),
    website: flag(),
  }
}

function writeBucket(w: Writer, b: Bucket): void {
  w.num(b.index)
  w.num(b.buyLamports)
  w.num(b.sellLamports)
  w.num(b.buys)
  w.num(b.sells)
  w.num(b.open)
  w.num(b.high)
  w.num(b.holders)
  w.num(b.sold)
  w.num(b.insiderSold)
}

const readBucket = (r: Reader): Bucket => ({
  index: r.num(),
  buyLamports: r.num(),
  sellLamports: r.num(),
  buys: r.num(),
  sells: r.num(),
  open: r.num(),
  high: r.num(),
  holders: r.num(),
  sold: r.num(),
  insiderSold: r.num(),
})

function writeImpact(w: Writer, i: PendingImpact): void {
  w.num(i.wallet)
  w.num(i.dueSlot)
  w.num(i.priceBefore)
  w.num(i.weight)
}

const readImpact = (r: Reader): PendingImpact => ({
  wallet: r.num(),
  dueSlot: r.num(),
  priceBefore: r.num(),
  weight: r.num(),
})

function writePick(w: Writer, p: PendingPick): void {
  w.num(p.wallet)
  w.num(p.dueSlot)
  w.num(p.mcap)
}

const readPick = (r: Reader): PendingPick => ({ wallet: r.num(), dueSlot: r.num(), mcap: r.num() })

function writeWatched(w: Writer, t: WatchedTrade): void {
  w.u8((t.smart ? 1 : 0) | (t.kol ? 2 : 0))
  w.num(t.wallet)
  w.num(t.slot)
  w.num(t.lamports)
}

function readWatched(r: Reader): WatchedTrade {
  const flags = r.upTo(3)
  return {
    wallet: r.num(),
    slot: r.num(),
    lamports: r.num(),
    smart: (flags & 1) !== 0,
    kol: (flags & 2) !== 0,
  }
}
