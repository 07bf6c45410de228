import type { VerdictEvent } from '../../base/verdict-codes.ts'
import type { Globals, Token } from '../../model/state.ts'
import { standingOf } from '../actors/standing.ts'
import type { ActorTracker } from '../actors/tracker.ts'
import { VERDICT } from '../constants.ts'
import type { Holding } from '../reading/holding.ts'
import { ownScore } from '../reading/reading.ts'
import type { LiveToken } from '../resident.ts'
import type { TokenBook } from '../token-book.ts'
import type { TokenEvents } from '../token-events.ts'
import type { WalletCache } from '../wallet-cache.ts'
import type { Level } from './reasons.ts'
import { deployerLevel, judgeVerdict, latchReading } from './verdict.ts'

/** When the fold judges tokens: at the end of an entry that touched them, at fixed ages, and when time is up. */

export interface Judging {
  readonly globals: Globals
  readonly tokens: TokenBook
  readonly wallets: WalletCache
  readonly actors: Pick<ActorTracker, 'rootOf'>
  readonly tokenEvents: TokenEvents
}

export function judge(
  fold: Judging,
  { token }: LiveToken,
  now: { slot: number; time: number },
  event: VerdictEvent,
): void {
  if (token.actors.length !== token.verdict.actorsSeen) latchRecords(fold, token, now.slot)
  judgeVerdict(fold, token, now, event)
}

/** Reads the holders and records for the verdicts until the next fixed age. */
export function latch(fold: Judging, live: LiveToken, slot: number, read: () => Holding): void {
  const { token } = live
  latchRecords(fold, token, slot)
  if (token.lastTradeSlot < 0) return
  const reading = read()
  latchReading(token, reading, Math.round(10 * ownScore(token, reading)), slot)
}

function latchRecords({ tokens, wallets, actors }: Judging, token: Token, slot: number): void {
  const { verdict } = token
  const records = { token: tokens.record, wallet: wallets.byId, rootId: (id: number) => actors.rootOf(id).id }
  let worst = 0
  for (const { actor } of token.actors) {
    const { drained, rugged } = standingOf(records, actors.rootOf(actor), slot)
    worst = Math.max(worst, drained, rugged)
  }
  const { yellow, red } = VERDICT.actorBad
  verdict.actorLevel = (worst >= red ? 2 : worst >= yellow ? 1 : 0) satisfies Level
  verdict.actorsSeen = token.actors.length
  verdict.deployerLevel = deployerLevel(token, token.deployer < 0 ? null : wallets.byId(token.deployer))
}
