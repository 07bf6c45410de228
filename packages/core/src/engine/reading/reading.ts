import type { Token } from '../../model/state.ts'
import { isCopy } from '../duplication.ts'
import type { LiveToken } from '../resident.ts'
import { capOf } from '../verdict/said.ts'
import { type Holding, holdingOf, type ReadToken } from './holding.ts'
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
  return { score: scoreOf({ ...scoreInput(token, holding), cap: capOf(token) }), ...holding }
}

const scoreInput = (token: Token, { metrics, coverage }: Holding) => ({ metrics, coverage, isCopy: isCopy(token) })

/** The score before the verdict lowers it. */
export const ownScore = (token: Token, holding: Holding): number =>
  scoreOf({ ...scoreInput(token, holding), cap: null }).value
