import { Packr } from 'msgpackr'
import type { Key, Sig } from '../base/ids.ts'
import {
  type Bucket,
  DUP,
  type DupField,
  type Globals,
  type Position,
  type Token,
  type TradeRow,
  type Wallet,
} from '../engine/state.ts'

/**
 * State records as bytes: MessagePack arrays, fields by position, keys and signatures as raw bytes. Deterministic and
 * exact for every number. Changing a layout means raising FORMAT_VERSION in open.ts.
 */
const packr = new Packr({ useRecords: false, variableMapSize: true })
const pack = (row: readonly unknown[]): Buffer => packr.pack(row)
// biome-ignore lint/suspicious/noExplicitAny: rows are read back by position, as they were written
const unpack = (bytes: Buffer): any[] => packr.unpack(bytes)

const bytesOf = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text, 'latin1'))
const textOf = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')

export const encodeGlobals = (g: Globals): Buffer =>
  pack([
    g.seq,
    g.slot,
    g.time,
    g.factsSince,
    g.nextToken,
    g.nextWallet,
    g.nextTrade,
    g.solUsd,
    g.population.picks,
    g.population.healthyPicks,
    g.unpricedTrades,
    g.missingSlots,
    g.migrated,
  ])

export function decodeGlobals(bytes: Buffer): Globals {
  const r = unpack(bytes)
  return {
    seq: r[0],
    slot: r[1],
    time: r[2],
    factsSince: r[3],
    nextToken: r[4],
    nextWallet: r[5],
    nextTrade: r[6],
    solUsd: r[7],
    population: { picks: r[8], healthyPicks: r[9] },
    unpricedTrades: r[10],
    missingSlots: r[11],
    migrated: r[12],
  }
}

const DUP_FIELDS = [
  'name',
  'symbol',
  'symbolName',
  'image',
  'twitter',
  'telegram',
  'website',
] as const satisfies DupField[]
/** seven flags of two bits */
const packDup = (dup: Token['dup']): number => DUP_FIELDS.reduce((bits, field, i) => bits | (dup[field] << (2 * i)), 0)
const unpackDup = (bits: number): Token['dup'] => ({
  name: (bits & 3) as Token['dup']['name'],
  symbol: ((bits >> 2) & 3) as Token['dup']['symbol'],
  symbolName: ((bits >> 4) & 3) as Token['dup']['symbolName'],
  image: ((bits >> 6) & 3) as Token['dup']['image'],
  twitter: ((bits >> 8) & 3) as Token['dup']['twitter'],
  telegram: ((bits >> 10) & 3) as Token['dup']['telegram'],
  website: ((bits >> 12) & 3) as Token['dup']['website'],
})
/** number of a field in the key of its first use */
export const dupFieldCode = (field: DupField): number => DUP_FIELDS.indexOf(field)
if (DUP.yes > 3) throw new Error('duplication flags need more than two bits')

/** Buckets as one flat list of numbers, ten each. */
function packBuckets(buckets: readonly Bucket[]): number[] {
  const flat: number[] = []
  for (const b of buckets) {
    flat.push(b.index, b.buyLamports, b.sellLamports, b.buys, b.sells, b.open, b.high, b.close, b.sold, b.insiderSold)
  }
  return flat
}

function unpackBuckets(flat: readonly number[]): Bucket[] {
  const buckets: Bucket[] = []
  for (let i = 0; i < flat.length; i += 10) {
    buckets.push({
      index: flat[i]!,
      buyLamports: flat[i + 1]!,
      sellLamports: flat[i + 2]!,
      buys: flat[i + 3]!,
      sells: flat[i + 4]!,
      open: flat[i + 5]!,
      high: flat[i + 6]!,
      close: flat[i + 7]!,
      sold: flat[i + 8]!,
      insiderSold: flat[i + 9]!,
    })
  }
  return buckets
}

export const encodeToken = (t: Token): Buffer =>
  pack([
    t.id,
    bytesOf(t.mint),
    t.launchpad,
    t.createdKnown,
    t.createdSlot,
    t.createdTime,
    t.deployer,
    t.name,
    t.symbol,
    t.uri,
    t.metadata === null
      ? null
      : [t.metadata.description, t.metadata.image, t.metadata.twitter, t.metadata.telegram, t.metadata.website],
    packDup(t.dup),
    t.quote,
    t.decimals,
    t.supply,
    bytesOf(t.curve),
    bytesOf(t.pool),
    t.mayhem,
    t.startQuote,
    t.quoteReserve,
    t.baseReserve,
    t.realToken,
    t.lastTradeSlot,
    t.lastTradeTime,
    t.mcap,
    t.ath,
    t.athSlot,
    t.athTime,
    t.completeSlot,
    t.migratedSlot,
    t.migratedTime,
    t.dexPaidTime,
    t.deployerDumped,
    t.ruggedSlot,
    t.settledSlot,
    t.dead,
    t.trades,
    t.buys,
    t.sells,
    t.buyers,
    t.lastTradeNo,
    t.lastFreeTradeSlot,
    packBuckets(t.buckets),
    t.impacts.flatMap((i) => [i.wallet, i.dueSlot, i.priceBefore, i.weight]),
    t.picks.flatMap((p) => [p.wallet, p.dueSlot, p.mcap]),
    t.wakeSlot,
  ])

export function decodeToken(bytes: Buffer): Token {
  const r = unpack(bytes)
  const [description, image, twitter, telegram, website] = r[10] ?? []
  const impacts: number[] = r[43]
  const picks: number[] = r[44]
  const token: Token = {
    id: r[0],
    mint: textOf(r[1]) as Key,
    launchpad: r[2],
    createdKnown: r[3],
    createdSlot: r[4],
    createdTime: r[5],
    deployer: r[6],
    name: r[7],
    symbol: r[8],
    uri: r[9],
    metadata: r[10] === null ? null : { description, image, twitter, telegram, website },
    dup: unpackDup(r[11]),
    quote: r[12],
    decimals: r[13],
    supply: r[14],
    curve: textOf(r[15]) as Key | null,
    pool: textOf(r[16]) as Key | null,
    mayhem: r[17],
    startQuote: r[18],
    quoteReserve: r[19],
    baseReserve: r[20],
    realToken: r[21],
    lastTradeSlot: r[22],
    lastTradeTime: r[23],
    mcap: r[24],
    ath: r[25],
    athSlot: r[26],
    athTime: r[27],
    completeSlot: r[28],
    migratedSlot: r[29],
    migratedTime: r[30],
    dexPaidTime: r[31],
    deployerDumped: r[32],
    ruggedSlot: r[33],
    settledSlot: r[34],
    dead: r[35],
    trades: r[36],
    buys: r[37],
    sells: r[38],
    buyers: r[39],
    lastTradeNo: r[40],
    lastFreeTradeSlot: r[41],
    buckets: unpackBuckets(r[42]),
    impacts: [],
    picks: [],
    wakeSlot: r[45],
  }
  for (let i = 0; i < impacts.length; i += 4) {
    const [wallet, dueSlot, priceBefore, weight] = impacts.slice(i, i + 4) as [number, number, number, number]
    token.impacts.push({ wallet, dueSlot, priceBefore, weight })
  }
  for (let i = 0; i < picks.length; i += 3) {
    const [wallet, dueSlot, mcap] = picks.slice(i, i + 3) as [number, number, number]
    token.picks.push({ wallet, dueSlot, mcap })
  }
  return token
}

export const encodeWallet = (w: Wallet): Buffer =>
  pack([
    w.id,
    bytesOf(w.address),
    w.firstSlot,
    w.lastSlot,
    w.lastTime,
    w.trades,
    w.buys,
    w.sells,
    w.bundledTrades,
    w.mintsBought,
    w.launches,
    w.launchesTraded,
    w.launchesAboveFloor,
    w.launchesBonded,
    w.buyLamports,
    w.holdCostSlots,
    w.holdCost,
    w.holdBins,
    w.holdBinCosts,
    w.realised,
    w.closedCost,
    w.realisations,
    w.closed,
    w.won,
    w.picksResolved,
    w.picksHealthy,
    w.impactWeighted,
    w.impactWeight,
    w.solBalance,
    w.smart,
    w.recent,
  ])

export function decodeWallet(bytes: Buffer): Wallet {
  const r = unpack(bytes)
  return {
    id: r[0],
    address: textOf(r[1]) as Key,
    firstSlot: r[2],
    lastSlot: r[3],
    lastTime: r[4],
    trades: r[5],
    buys: r[6],
    sells: r[7],
    bundledTrades: r[8],
    mintsBought: r[9],
    launches: r[10],
    launchesTraded: r[11],
    launchesAboveFloor: r[12],
    launchesBonded: r[13],
    buyLamports: r[14],
    holdCostSlots: r[15],
    holdCost: r[16],
    holdBins: r[17],
    holdBinCosts: r[18],
    realised: r[19],
    closedCost: r[20],
    realisations: r[21],
    closed: r[22],
    won: r[23],
    picksResolved: r[24],
    picksHealthy: r[25],
    impactWeighted: r[26],
    impactWeight: r[27],
    solBalance: r[28],
    smart: r[29],
    recent: r[30],
  }
}

export const encodePosition = (p: Position): Buffer =>
  pack([
    p.token,
    p.wallet,
    p.balance,
    p.cost,
    p.acquiredSlot,
    p.bought,
    p.sold,
    p.lamportsIn,
    p.lamportsOut,
    p.firstSlot,
    p.lastSlot,
    p.lastBuySlot,
    p.received,
    p.peak,
    p.episodeIn,
    p.episodeOut,
    p.closed,
    p.writtenOff,
  ])

export function decodePosition(bytes: Buffer): Position {
  const r = unpack(bytes)
  return {
    token: r[0],
    wallet: r[1],
    balance: r[2],
    cost: r[3],
    acquiredSlot: r[4],
    bought: r[5],
    sold: r[6],
    lamportsIn: r[7],
    lamportsOut: r[8],
    firstSlot: r[9],
    lastSlot: r[10],
    lastBuySlot: r[11],
    received: r[12],
    peak: r[13],
    episodeIn: r[14],
    episodeOut: r[15],
    closed: r[16],
    writtenOff: r[17],
  }
}

export const encodeTrade = (t: TradeRow): Buffer =>
  pack([
    t.no,
    t.token,
    t.wallet,
    t.prev,
    bytesOf(t.sig),
    t.outer,
    t.inner,
    t.venue,
    t.slot,
    t.time,
    t.isBuy,
    t.lamports,
    t.tokens,
    t.mcap,
    t.buysBefore,
    t.buyLamportsBefore,
    t.avgHoldSlots,
    t.pnlLamports,
    t.roi,
    t.winRate,
    t.healthyRate,
    t.sellImpact,
    t.bundledRate,
    t.solBalance,
    t.smart,
  ])

export function decodeTrade(bytes: Buffer): TradeRow {
  const r = unpack(bytes)
  return {
    no: r[0],
    token: r[1],
    wallet: r[2],
    prev: r[3],
    sig: textOf(r[4]) as Sig,
    outer: r[5],
    inner: r[6],
    venue: r[7],
    slot: r[8],
    time: r[9],
    isBuy: r[10],
    lamports: r[11],
    tokens: r[12],
    mcap: r[13],
    buysBefore: r[14],
    buyLamportsBefore: r[15],
    avgHoldSlots: r[16],
    pnlLamports: r[17],
    roi: r[18],
    winRate: r[19],
    healthyRate: r[20],
    sellImpact: r[21],
    bundledRate: r[22],
    solBalance: r[23],
    smart: r[24],
  }
}
