import type { Token } from '../../model/state.ts'
import { isCopy } from '../duplication.ts'
import { type OutlookMarket, type OutlookReading, outlookOf } from '../outlook/outlook.ts'
import type { LiveToken } from '../resident.ts'
import { capOf } from '../verdict/said.ts'
import { type Holding, holdingOf, type ReadToken } from './holding.ts'
import { emptyScan, type Scan, scanInto } from './scan.ts'
import { type Score, scoreOf } from './score.ts'

/** A token's holders, the outcomes of similar tokens, and the score, which depends on both. */
export interface Reading extends Holding {
  readonly outlook: OutlookReading
  readonly score: Score
}

/** Reads a token in one scan over all wallets that ever held it. */
export function readToken(live: LiveToken, market: OutlookMarket): Reading {
  const scan = emptyScan()
  scanInto(scan, live, market, live.positions.passing())
  return readingOf(live, market, scan)
}

/** `scan` covers every position exactly once. */
export function readingOf(live: ReadToken, market: OutlookMarket, scan: Scan): Reading {
  const { token } = live
  const holding = holdingOf(live, market, scan)
  const outlook = outlookOf(live, market, holding)
  return { outlook, score: scoreOf({ ...scoreInput(token, holding), cap: capOf(token) }), ...holding }
}

const scoreInput = (token: Token, { metrics, coverage }: Holding) => ({ metrics, coverage, isCopy: isCopy(token) })

/** The score before the verdict lowers it. */
export const ownScore = (token: Token, holding: Holding): number =>
  scoreOf({ ...scoreInput(token, holding), cap: null }).value
