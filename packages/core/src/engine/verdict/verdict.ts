import { COLOUR, VERDICT_CODES, VERDICT_EVENTS, type VerdictEvent } from '../../base/verdict-codes.ts'
import type { Globals, Token, Wallet } from '../../model/state.ts'
import { EXITS, VERDICT } from '../constants.ts'
import { allDeeds, withoutLaunch } from '../deployers.ts'
import { earlySoldPct, soldInHour } from '../exits.ts'
import { ownedByLargest } from '../holders.ts'
import { type Holding, ofSupply } from '../reading/holding.ts'
import type { TokenEvents } from '../token-events.ts'
import { type Level, reasonsOf } from './reasons.ts'
import { conclude, latchedScore } from './said.ts'

/**
 * The verdict of a token: one colour, from reasons, made once in the fold and the same wherever it is shown. It changes
 * by an event, at most once a minute (methodology, section 12).
 */

interface Now {
  readonly slot: number
  /** Unix seconds. */
  readonly time: number
}

interface Told {
  readonly globals: Globals
  readonly tokenEvents: TokenEvents
}

/** Judges the token again after something happened to it. */
export function judgeVerdict({ globals, tokenEvents }: Told, token: Token, now: Now, event: VerdictEvent): void {
  const { verdict } = token
  const { slot } = now
  const reasons = reasonsOf(token, slot, globals.solUsd)
  verdict.red = reasons.red
  verdict.yellow = reasons.yellow
  const { colour, code } = conclude(token, reasons)
  const before = verdict.history.at(-1)
  const from = before?.colour ?? COLOUR.neutral
  if (colour !== from && before !== undefined && slot - before.slot < VERDICT.everySlots) {
    verdict.dueSlot = before.slot + VERDICT.everySlots
    return
  }
  verdict.dueSlot = nextExpiry(token, slot)
  if (colour === from) return
  const change = { colour, code: VERDICT_CODES.indexOf(code), event: VERDICT_EVENTS.indexOf(event) }
  verdict.history.push({ ...change, slot })
  if (verdict.history.length > VERDICT.historyMax) verdict.history.shift()
  globals.verdicts++
  tokenEvents.record(token, { kind: 'verdict', no: globals.verdicts, from, ...change, score: latchedScore(token) }, now)
}

/** The slot at which the memory of an exit forgets its oldest part, -1 if there is none. */
function nextExpiry(token: Token, slot: number): number {
  if (soldInHour(token, slot) === 0 && earlySoldPct(token, slot) === 0) return -1
  return (Math.floor(slot / EXITS.bucketSlots) + 1) * EXITS.bucketSlots
}

/** Keeps what the reading at a fixed age found, which needs all holders. */
export function latchReading(token: Token, reading: Holding, points: number, slot: number): void {
  const { verdict } = token
  verdict.readSlot = slot
  verdict.points = points
  verdict.knownPct = 100 * reading.settled
  verdict.top10Pct = ofSupply(token, ownedByLargest(reading.holders))
}

/** The deployer's record before this token: what it rugged, and so gained by. */
export function deployerLevel(token: Token, deployer: Wallet | null): Level {
  const deeds = deployer && allDeeds(withoutLaunch(deployer, token))
  if (!deeds || deeds.launches < VERDICT.deployerLaunches) return 0
  const { yellow, red } = VERDICT.deployerRuggedShare
  const share = deeds.rugged / deeds.launches
  return share >= red ? 2 : share >= yellow ? 1 : 0
}
