// Made by `npm run model` of the tables in packages/core/src/model: change those.
import { type Reader, readList, readNumbers, recordReader, recordWriter, type Writer, writeNumbers } from '../bytes.ts'
import type { Deployer, Launch } from '../deployer.ts'
import type { Outlook } from '../outlook.ts'
import type { Globals, Partner, Position, Wallet } from '../state.ts'
import { readMembership, readPopulation, writeMembership, writePopulation } from './parts.ts'

const w = recordWriter
const r = recordReader

function writeLaunch(w: Writer, v: Launch): void {
  w.u8((v.drained ? 1 : 0) | (v.rugged ? 2 : 0))
  w.num(v.token)
  w.num(v.taken)
  w.num(v.firstSale)
  w.num(v.bought)
  w.num(v.bundled)
}

function readLaunch(r: Reader): Launch {
  const flags = r.upTo(3)
  return {
    drained: (flags & 1) !== 0,
    rugged: (flags & 2) !== 0,
    token: r.num(),
    taken: r.num(),
    firstSale: r.num(),
    bought: r.num(),
    bundled: r.num(),
  }
}

function writeDeployer(w: Writer, v: Deployer): void {
  w.num(v.drained)
  w.num(v.rugged)
  w.num(v.taken)
  w.num(v.seen)
  w.num(v.bought)
  w.num(v.sales)
  w.num(v.saleSlots)
  w.num(v.minutes)
  w.num(v.bundled)
  w.num(v.recent.length)
  for (const item of v.recent) writeLaunch(w, item)
}

function readDeployer(r: Reader): Deployer {
  return {
    drained: r.num(),
    rugged: r.num(),
    taken: r.num(),
    seen: r.num(),
    bought: r.num(),
    sales: r.num(),
    saleSlots: r.num(),
    minutes: r.num(),
    bundled: r.num(),
    recent: readList(r, readLaunch),
  }
}

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
      (v.name === null ? 0 : 32) |
      (v.deployer === null ? 0 : 64),
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
  w.num(v.funderLamports)
  w.num(v.funded)
  w.num(v.payer)
  w.num(v.paidFor)
  w.num(v.rugs)
  if (v.deployer !== null) writeDeployer(w, v.deployer)
  w.num(v.partners.length)
  for (const item of v.partners) writePartner(w, item)
  writeNumbers(w, v.recent)
  w.num(v.actor)
  w.num(v.serves)
  w.num(v.memberships.length)
  for (const item of v.memberships) writeMembership(w, item)
}

function readWallet(r: Reader, id: number): Wallet {
  const address = r.key()
  const flags = r.upTo(127)
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
    funderLamports: r.num(),
    funded: r.num(),
    payer: r.num(),
    paidFor: r.num(),
    rugs: r.num(),
    deployer: flags & 64 ? readDeployer(r) : null,
    partners: readList(r, readPartner),
    recent: readNumbers(r),
    actor: r.num(),
    serves: r.num(),
    memberships: readList(r, readMembership),
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
  w.u8(v.classes !== 0 ? 1 : 0)
  if (v.classes !== 0) w.num(v.classes)
  w.num(v.group)
}

function readPosition(r: Reader, token: number, wallet: number): Position {
  const flags = r.u8()
  const unpriced = flags & 16 ? r.num() : 0
  const balance = r.num()
  const cost = r.num()
  const settledCost = flags & 32 ? r.num() : 0
  const settledMark = flags & 64 ? r.num() : 0
  const acquiredSlot = r.num()
  const bought = r.num()
  const sold = r.num()
  const firstBuySlot = r.num()
  const lastBuySlot = r.num()
  const lastSellSlot = r.num()
  const received = r.num()
  const peak = r.num()
  const episodeIn = r.num()
  const episodeOut = r.num()
  const roundTrips = r.num()
  const insiderBalance = r.num()
  const soldCounted = flags & 128 ? r.num() : 0
  const flags2 = r.upTo(1)
  return {
    token,
    wallet,
    closed: (flags & 1) !== 0,
    writtenOff: (flags & 2) !== 0,
    tripOpen: (flags & 4) !== 0,
    rugCounted: (flags & 8) !== 0,
    unpriced,
    balance,
    cost,
    settledCost,
    settledMark,
    acquiredSlot,
    bought,
    sold,
    firstBuySlot,
    lastBuySlot,
    lastSellSlot,
    received,
    peak,
    episodeIn,
    episodeOut,
    roundTrips,
    insiderBalance,
    soldCounted,
    classes: flags2 & 1 ? r.num() : 0,
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
  w.num(v.nextActor)
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
    nextActor: r.num(),
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
