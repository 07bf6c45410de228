import { COVERAGE, SCORE } from '../constants.ts'
import { isCopy } from '../duplication.ts'
import { ownedByLargest } from '../holders.ts'
import type { LiveToken } from '../resident.ts'
import { isLaunchSeen } from '../unseen.ts'
import { deployerSoldShare, type Holding, holdingOf, ofSupply, type ReadToken } from './holding.ts'
import type { Market } from './market.ts'
import { emptyScan, type Scan, scanInto } from './scan.ts'
import { type Score, scoreOf } from './score.ts'

/** A token's holders, and the score that depends on them. */
export interface Reading extends Holding {
  readonly score: Score
}

/** Reads a token in one scan over all wallets that ever held it. */
export function readToken(live: LiveToken, market: Market): Reading {
  const scan = emptyScan()
  scanInto(scan, live, market, live.positions.passing())
  return readingOf(live, market, scan)
}

/** `scan` covers every position exactly once. */
export function readingOf(live: ReadToken, market: Market, scan: Scan): Reading {
  const { token } = live
  const holding = holdingOf(live, market, scan)
  const { metrics, coverage, bundles, holders, past, life } = holding
  const score = scoreOf({
    metrics,
    coverage,
    redSupplyPct: ofSupply(token, bundles.redOwned),
    top10Pct: ofSupply(token, ownedByLargest(holders)),
    deployerSoldShare: soldMore(live) ? 1 : hadBag(live) ? deployerSoldShare(live) : 0,
    soldHourPct: past.soldHourPct,
    soldEverPct: past.soldEverPct,
    isRugged: past.rugged,
    isPhantom: life.phantomPct > COVERAGE.phantomPct,
    isCopy: isCopy(token),
    isDead: life.dead,
  })
  return { score, ...holding }
}

/** True if the deployer sold more than it was seen to buy. */
function soldMore({ token, positions }: ReadToken): boolean {
  const position = token.deployer < 0 ? undefined : positions.get(token.deployer)
  return position !== undefined && isLaunchSeen(token) && position.sold > position.bought
}

/** True if the deployer once had a position large enough to cap the score. */
function hadBag({ token, positions }: ReadToken): boolean {
  const position = token.deployer < 0 ? undefined : positions.get(token.deployer)
  const bag = position === undefined ? 0 : position.bought + position.received
  return ofSupply(token, bag) >= SCORE.caps.deployerBagPct
}
