// Made by `npm run model` of the tables in src/model: change those.
import type { Key } from '../../base/ids.ts'
import { type Reader, readList, readNumbers, recordReader, recordWriter, type Writer, writeNumbers } from '../bytes.ts'
import type { Outlook } from '../outlook.ts'
import type { Globals, Partner, Population, Position, Wallet } from '../state.ts'

const w = recordWriter
const r = recordReader

function writePartner(w: Writer, v: Partner): void {
  w.num(v.wallet)
  w.num(v.together)
  w.num(v.follows)
  w.num(v.behind)
}

function readPartner(r: Reader): Partner {
  return {
    wallet: r.num(),
    together: r.num(),
    follows: r.num(),
    behind: r.num(),
  }
}

function writeWallet(w: Writer, v: Wallet): void {
  w.key(v.address)
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
  w.num(v.rank)
  w.num(v.writtenOff)
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
  for (const item of v.partners) writePartner(w, item)
  writeNumbers(w, v.recent)
}

function readWallet(r: Reader, id: number): Wallet {
  const address = r.key()
  const flags = r.upTo(63)
  return {
    id,
    address,
    smart: (flags & 1) !== 0,
    kol: (flags & 2) !== 0,
    agent: (flags & 4) !== 0,
    exchange: (flags & 8) !== 0,
    wash: (flags & 16) !== 0,
    name: flags & 32 ? r.text() : null,
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
    rank: r.num(),
    writtenOff: r.num(),
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

export function encodeWallet(v: Wallet): Buffer {
  w.take()
  writeWallet(w, v)
  return w.take()
}

export function decodeWallet(id: number, bytes: Buffer): Wallet {
  r.open(bytes, 0, bytes.length)
  const v = readWallet(r, id)
  r.done()
  return v
}

function writePosition(w: Writer, v: Position): void {
  w.u8(
    (v.closed ? 1 : 0) |
      (v.writtenOff ? 2 : 0) |
      (v.tripOpen ? 4 : 0) |
      (v.rugCounted ? 8 : 0) |
      (v.unpriced !== 0 ? 16 : 0) |
      (v.settledCost !== 0 ? 32 : 0) |
      (v.settledMark !== 0 ? 64 : 0) |
      (v.soldCounted !== 0 ? 128 : 0),
  )
  if (v.unpriced !== 0) w.num(v.unpriced)
  w.num(v.balance)
  w.num(v.cost)
  if (v.settledCost !== 0) w.num(v.settledCost)
  if (v.settledMark !== 0) w.num(v.settledMark)
  w.num(v.acquiredSlot)
  w.num(v.bought)
  w.num(v.sold)
  w.num(v.firstBuySlot)
  w.num(v.lastBuySlot)
  w.num(v.lastSellSlot)
  w.num(v.received)
  w.num(v.peak)
  w.num(v.episodeIn)
  w.num(v.episodeOut)
  w.num(v.roundTrips)
  w.num(v.insiderBalance)
  if (v.soldCounted !== 0) w.num(v.soldCounted)
  w.num(v.group)
}

function readPosition(r: Reader, token: number, wallet: number): Position {
  const flags = r.u8()
  return {
    token,
    wallet,
    closed: (flags & 1) !== 0,
    writtenOff: (flags & 2) !== 0,
    tripOpen: (flags & 4) !== 0,
    rugCounted: (flags & 8) !== 0,
    unpriced: flags & 16 ? r.num() : 0,
    balance: r.num(),
    cost: r.num(),
    settledCost: flags & 32 ? r.num() : 0,
    settledMark: flags & 64 ? r.num() : 0,
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
    insiderBalance: r.num(),
    soldCounted: flags & 128 ? r.num() : 0,
    group: r.num(),
    owner: null,
  }
}

export function encodePosition(v: Position): Buffer {
  w.take()
  writePosition(w, v)
  return w.take()
}

export function decodePosition(token: number, wallet: number, bytes: Buffer): Position {
  r.open(bytes, 0, bytes.length)
  const v = readPosition(r, token, wallet)
  r.done()
  return v
}

function writePopulation(w: Writer, v: Population): void {
  w.num(v.picks)
  w.num(v.healthyPicks)
  writeNumbers(w, v.holds)
  w.num(v.veterans)
  writeNumbers(w, v.veteranPnl)
  writeNumbers(w, v.veteranRoi)
  writeNumbers(w, v.veteranWin)
}

function readPopulation(r: Reader): Population {
  return {
    picks: r.num(),
    healthyPicks: r.num(),
    holds: readNumbers(r),
    veterans: r.num(),
    veteranPnl: readNumbers(r),
    veteranRoi: readNumbers(r),
    veteranWin: readNumbers(r),
  }
}

function writeOutlook(w: Writer, v: Outlook): void {
  writeNumbers(w, v.n)
  writeNumbers(w, v.hits)
  writeNumbers(w, v.total)
  writeNumbers(w, v.totalHits)
  writeNumbers(w, v.expected)
  writeNumbers(w, v.squared)
  writeNumbers(w, v.sinceHalved)
  writeNumbers(w, v.odds)
  w.num(v.firstSlot)
}

function readOutlook(r: Reader): Outlook {
  return {
    n: readNumbers(r),
    hits: readNumbers(r),
    total: readNumbers(r),
    totalHits: readNumbers(r),
    expected: readNumbers(r),
    squared: readNumbers(r),
    sinceHalved: readNumbers(r),
    odds: readNumbers(r),
    firstSlot: r.num(),
  }
}

function writeGlobals(w: Writer, v: Globals): void {
  w.num(v.seq)
  w.num(v.firstSlot)
  w.num(v.slot)
  w.num(v.time)
  w.num(v.factsSince)
  w.num(v.nextToken)
  w.num(v.nextWallet)
  w.num(v.nextTrade)
  w.num(v.frames)
  w.num(v.tokenEvents)
  w.num(v.solUsd)
  writePopulation(w, v.population)
  writeOutlook(w, v.outlook)
  w.num(v.unpricedTrades)
  w.num(v.missingSlots)
  w.num(v.gapSlot)
  writeNumbers(w, v.migrated)
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
    population: readPopulation(r),
    outlook: readOutlook(r),
    unpricedTrades: r.num(),
    missingSlots: r.num(),
    gapSlot: r.num(),
    migrated: readNumbers(r),
  }
}

export function encodeGlobals(v: Globals): Buffer {
  w.take()
  writeGlobals(w, v)
  return w.take()
}

export function decodeGlobals(bytes: Buffer): Globals {
  r.open(bytes, 0, bytes.length)
  const v = readGlobals(r)
  r.done()
  return v
}

export const emptyWallet = (id: number, address: Key): Wallet => ({
  id,
  address,
  smart: false,
  kol: false,
  agent: false,
  exchange: false,
  wash: false,
  name: null,
  firstSlot: 0,
  lastSlot: -1,
  lastTime: 0,
  trades: 0,
  buys: 0,
  sells: 0,
  bundledTrades: 0,
  mintsBought: 0,
  launches: 0,
  launchesTraded: 0,
  launchesAboveFloor: 0,
  launchesBonded: 0,
  buyLamports: 0,
  holdCostSlots: 0,
  holdCost: 0,
  holdBins: [],
  holdBinCosts: [],
  realised: 0,
  closedCost: 0,
  realisations: 0,
  closed: 0,
  won: 0,
  rank: -1,
  writtenOff: 0,
  picksResolved: 0,
  picksHealthy: 0,
  impactWeighted: 0,
  impactWeight: 0,
  solBalance: -1,
  funder: -1,
  funderSlot: -1,
  funded: 0,
  payer: -1,
  paidFor: 0,
  rugs: 0,
  partners: [],
  recent: [],
  stale: false,
})

export const emptyPosition = (token: number, wallet: number): Position => ({
  token,
  wallet,
  closed: false,
  writtenOff: false,
  tripOpen: false,
  rugCounted: false,
  unpriced: 0,
  balance: 0,
  cost: 0,
  settledCost: 0,
  settledMark: 0,
  acquiredSlot: 0,
  bought: 0,
  sold: 0,
  firstBuySlot: -1,
  lastBuySlot: -1,
  lastSellSlot: -1,
  received: 0,
  peak: 0,
  episodeIn: 0,
  episodeOut: 0,
  roundTrips: 0,
  insiderBalance: -1,
  soldCounted: 0,
  group: -1,
  owner: null,
})

const emptyPopulation = (): Population => ({
  picks: 0,
  healthyPicks: 0,
  holds: [],
  veterans: 0,
  veteranPnl: [],
  veteranRoi: [],
  veteranWin: [],
})

const emptyOutlook = (): Outlook => ({
  n: [],
  hits: [],
  total: [],
  totalHits: [],
  expected: [],
  squared: [],
  sinceHalved: [],
  odds: [],
  firstSlot: -1,
})

export const emptyGlobals = (): Globals => ({
  seq: -1,
  firstSlot: -1,
  slot: -1,
  time: 0,
  factsSince: 0,
  nextToken: 0,
  nextWallet: 0,
  nextTrade: 0,
  frames: 0,
  tokenEvents: 0,
  solUsd: 0,
  population: emptyPopulation(),
  outlook: emptyOutlook(),
  unpricedTrades: 0,
  missingSlots: 0,
  gapSlot: -1,
  migrated: [],
})
