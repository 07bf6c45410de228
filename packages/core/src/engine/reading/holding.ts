import type { Token, Wallet } from '../../model/state.ts'
import { holdingGroups, isRed } from '../bundles/groups.ts'
import { CONVICTION, COVERAGE, SCORE } from '../constants.ts'
import type { Holders } from '../holders.ts'
import type { LiveToken } from '../resident.ts'
import { hasVeterans } from '../smart.ts'
import { idleSlots, isDead, phantomOf } from '../tokens.ts'
import { hasValue } from '../units.ts'
import { isLaunchSeen } from '../unseen.ts'
import type { Cohorts } from './cohorts.ts'
import { between } from './knots.ts'
import type { Market } from './market.ts'
import { emptyScan, PARTS, type Scan, scanInto } from './scan.ts'
import type { ScoreMetrics } from './score.ts'
import { sumOfSquares } from './squares.ts'

/** The results of one scan over a token's holders (methodology, sections 3 to 5). Nothing is rounded here. */
export interface Holding {
  readonly holders: Holders
  readonly bundles: BundleReading
  /** The share of the owned supply held by wallets with a track record, 0 to 1. */
  readonly coverage: number
  /** The share of the owned supply held by wallets that are known and have something to lose, 0 to 1. */
  readonly settled: number
  /** The share of the owned supply held by wallets with a known funder, 0 to 1. */
  readonly traced: number
  /** Percent of owned supply. */
  readonly shares: Readonly<Record<ShareName, number>>
  /** 0 to 100; null with few holders or little history. */
  readonly conviction: number | null
  /** Slots until the average holder is expected to sell, whole; 0 without a reading. */
  readonly cooktimer: number
  /** Percent of owned supply whose holders are expected to have sold by now. */
  readonly overduePct: number
  readonly smartWallets: number
  readonly independent: Independent
  /** Null means no reading. */
  readonly metrics: ScoreMetrics
  readonly life: Life
  readonly cohorts: Cohorts
  readonly kols: readonly KolHolding[]
  /** Wallets that bought and that sold in the last minute. */
  readonly minute: { readonly buyers: number; readonly sellers: number }
}

/** Holders outside every confirmed group who are not insiders. */
interface Independent {
  /** The number of those whose balance is worth enough to count. */
  readonly count: number
  /** The number of equal balances with the same concentration, to hundredths. */
  readonly effective: number
}

/** Properties that limit how far the numbers can be trusted. */
interface Life {
  readonly dead: boolean
  /** Slots since the last trade, or since the launch if there was none. */
  readonly idleSlots: number
  readonly launchSeen: boolean
  /** Percent of supply in recorded balances beyond what was given out. */
  readonly phantomPct: number
}

interface BundleReading {
  /** Confirmed groups above the counted minimum; heavy net sellers among all confirmed groups, whatever they hold. */
  readonly count: number
  readonly redCount: number
  /** Base units held by all members of confirmed groups, and by the largest three groups. */
  readonly owned: number
  readonly largest: readonly number[]
}

type ShareName = 'bundle' | 'dirty' | 'dumpers' | 'jeets' | 'alphaHands' | 'nukers' | 'diamond' | 'inProfit'

export interface KolHolding {
  readonly wallet: Wallet
  /** Base units. */
  readonly balance: number
  readonly expectedSellSlot: number | null
}

/** Reads a token in one scan over all wallets that ever held it. */
export function readHolding(live: LiveToken, market: Market): Holding {
  const scan = emptyScan()
  scanInto(scan, live, market, live.positions.passing())
  return holdingOf(live, market, scan)
}

/** The parts of a token that a reading needs after its positions were scanned. */
export type ReadToken = Pick<LiveToken, 'token' | 'bundles' | 'sizes'> & {
  /** By wallet id: at least the positions of the deployer and the first buyers. */
  readonly positions: Pick<LiveToken['positions'], 'get'>
}

/** `scan` covers every position exactly once. */
export function holdingOf(live: ReadToken, market: Market, scan: Scan): Holding {
  const { token } = live
  const { holders, cohorts, kols } = scan
  const bundles = readBundles(live, market.slot, scan)
  const { owned } = token

  const hasReading = token.lastTradeSlot >= 0 && owned > 0
  const phantomPct = ofSupply(token, phantomOf(token))
  const isPhantom = phantomPct > COVERAGE.phantomPct
  // part of the recorded supply does not exist, and its owners are unknown
  const real = isPhantom ? owned - phantomOf(token) : owned
  const coverage = owned > 0 ? (scan.known / owned) * (real / owned) : 0
  const pct = (part: number): number => (owned > 0 ? (100 * part) / owned : 0)
  const ofReal = (part: number): number => (part >= real ? (part > 0 ? 100 : 0) : (100 * part) / real)
  const shares = {
    bundle: ofReal(scan.bundle),
    dirty: ofReal(scan.dirty),
    dumpers: ofReal(scan.dumpers),
    jeets: ofReal(scan.jeets),
    alphaHands: pct(scan.alphaHands),
    nukers: pct(scan.nukers),
    diamond: pct(scan.diamond),
    inProfit: pct(scan.inProfit),
  }
  const historic = hasReading && coverage >= COVERAGE.min
  const conviction = historic && holders.count >= CONVICTION.holdersMin ? scan.conviction / PARTS.point : null
  const cooktimer = hasReading ? Math.round(scan.cook / PARTS.slot) : 0
  const smartWallets = scan.smart + scan.smartGroups.size
  const independent = { count: scan.independent, effective: effectiveNumber(scan) }
  const metrics = metricsOf({
    token,
    market,
    hasReading,
    historic,
    shares,
    conviction,
    cooktimer,
    smartWallets,
    independent,
  })
  const life = {
    dead: isDead(token, market.slot),
    idleSlots: idleSlots(token, market.slot),
    launchSeen: isLaunchSeen(token),
    phantomPct,
  }
  kols.sort((a, b) => b.balance - a.balance || a.wallet.id - b.wallet.id)
  return {
    holders,
    bundles,
    coverage,
    settled: pct(scan.settled) / 100,
    traced: pct(scan.traced) / 100,
    shares,
    conviction,
    cooktimer,
    smartWallets,
    metrics,
    life,
    cohorts,
    kols,
    independent,
    overduePct: pct(scan.overdue),
    minute: { buyers: scan.buyers, sellers: scan.sellers },
  }
}

interface Measured extends Pick<Holding, 'shares' | 'conviction' | 'cooktimer' | 'smartWallets' | 'independent'> {
  readonly token: Token
  readonly market: Market
  /** The token has holders and was traded. */
  readonly hasReading: boolean
  /** Wallets with a track record hold enough of it. */
  readonly historic: boolean
}

/** The metrics of the score, each null without a reading. */
function metricsOf({ token, market, hasReading, historic, shares, conviction, ...of }: Measured): ScoreMetrics {
  const ifKnown = (x: number): number | null => (historic ? x : null)
  return {
    bundle: hasReading ? shares.bundle : null,
    dirty: hasReading ? shares.dirty : null,
    dumpers: ifKnown(shares.dumpers),
    jeets: ifKnown(shares.jeets),
    alphaHands: ifKnown(shares.alphaHands),
    inProfit: hasReading && hasValue(token) ? shares.inProfit : null,
    conviction,
    cooktimer: ifKnown(of.cooktimer),
    smartWallets: hasReading && hasVeterans(market.population) ? of.smartWallets : null,
    independentHolders: hasReading ? countedHolders(of.independent) : null,
  }
}

/** (Σb)² / Σb² over the independent holders, rounded down to hundredths; 0 if there are none. */
function effectiveNumber({ free, freeSquares }: Pick<Scan, 'free' | 'freeSquares'>): number {
  const squares = sumOfSquares(freeSquares)
  return squares > 0n ? Number((100n * BigInt(free) * BigInt(free)) / squares) / 100 : 0
}

/** The smaller of the count and the count that the effective number is worth. */
function countedHolders({ count, effective }: Independent): number {
  return Math.min(count, between(SCORE.effectiveHolders, SCORE.knots.independentHolders.x, effective))
}

/** Percent of total supply. */
export const ofSupply = (token: Token, balance: number): number =>
  token.supply > 0 ? (100 * balance) / token.supply : 0

function readBundles({ token, bundles }: ReadToken, slot: number, { bundle }: Scan): BundleReading {
  const holding = holdingGroups(bundles, token)
  const redCount = bundles.groups.filter(
    (one) => one.mergedInto < 0 && one.confirmedSlot >= 0 && isRed(one, slot),
  ).length
  const largest = holding.map(({ balance }) => balance).sort((a, b) => b - a)
  return { count: holding.length, redCount, owned: bundle, largest: largest.slice(0, 3) }
}

/** The share of the deployer's position that was sold, 0 to 1; 0 without a position. */
export function deployerSoldShare({ token, positions }: ReadToken): number {
  const position = token.deployer < 0 ? undefined : positions.get(token.deployer)
  const bag = position === undefined ? 0 : position.bought + position.received
  return bag > 0 ? Math.min(1, position!.sold / bag) : 0
}
