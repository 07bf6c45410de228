import { VERDICT_CODES, type VerdictCode } from '../../base/verdict-codes.ts'
import type { Token } from '../../model/state.ts'
import { CLASS, type Class, classOf } from '../class-memory.ts'
import { COVERAGE, VERDICT } from '../constants.ts'
import { earlySoldEverPct, earlySoldPct, soldInHour } from '../exits.ts'
import { liquidityOf, sharesOf, withdrawnFrom } from '../liquidity.ts'
import { latchedColour } from '../outlook/outlook.ts'
import { ofSupply } from '../reading/holding.ts'
import { phantomOf } from '../tokens.ts'
import { hasValue, valueIn } from '../units.ts'

/** The reasons for which a verdict is red or yellow (methodology, section 12). */

/** 0 no reason, 1 yellow, 2 red. */
export type Level = 0 | 1 | 2

/** A reason that is there leaves only when its number is this far below the edge, so that nothing flaps. */
const leave = (edge: number, was: boolean): number => (was ? edge * VERDICT.leave : edge)

interface Edges {
  readonly yellow?: number
  readonly red?: number
}

const levelOf = (value: number, { yellow, red }: Edges, was: Level): Level => {
  if (red !== undefined && value >= leave(red, was === 2)) return 2
  return yellow !== undefined && value >= leave(yellow, was >= 1) ? 1 : 0
}

type Judge = (token: Token, slot: number, was: Level, solUsd: number) => Level

const heldBy = (token: Token, which: Class): number => ofSupply(token, classOf(token, which).held)

/** All are O(1): what needs wallets or a scan was read at the latest fixed age. */
const REASONS: Readonly<Partial<Record<VerdictCode, Judge>>> = {
  rugged: ({ ruggedSlot }) => (ruggedSlot >= 0 ? 2 : 0),
  drained: ({ drainedSlot, ruggedSlot }) => (drainedSlot >= 0 && ruggedSlot < 0 ? 2 : 0),
  dead: ({ dead }) => (dead ? 2 : 0),
  sold_in_hour: (token, slot) => (ofSupply(token, soldInHour(token, slot)) >= VERDICT.soldHourPct ? 2 : 0),
  actor: ({ verdict }) => verdict.actorLevel as Level,
  deployer_record: ({ verdict }) => verdict.deployerLevel as Level,
  outlook_drain: (token) => outlookLevel(token, 'drain'),
  outlook_halving: (token) => outlookLevel(token, 'halving'),
  bundled: (token, _, was) => levelOf(heldBy(token, CLASS.bundled), VERDICT.bundledPct, was),
  insiders: (token, _, was) => levelOf(heldBy(token, CLASS.insiders), VERDICT.insidersPct, was),
  concentrated: ({ verdict }, _, was) => levelOf(verdict.top10Pct, VERDICT.top10Pct, was),
  early_exit: (token, slot) => {
    const isLarge = earlySoldEverPct(token) >= VERDICT.earlyEverPct && !isTakenOver(token)
    return isLarge || earlySoldPct(token, slot) >= VERDICT.soldHourPct ? 1 : 0
  },
  sold_ever: (token) => {
    const sold = ofSupply(token, classOf(token, CLASS.signed).sold)
    return sold >= VERDICT.soldEverPct && !isTakenOver(token) ? 1 : 0
  },
  deployer_sold: (token) => {
    const { sold, held, peak } = classOf(token, CLASS.deployer)
    const isBag = ofSupply(token, peak) >= VERDICT.deployerBagPct
    return isBag && sold >= (sold + held) * VERDICT.deployerSoldShare && !isTakenOver(token) ? 1 : 0
  },
  liquidity_withdrawn: (token, _slot, _was, solUsd) => {
    const market = liquidityOf(token)
    const withdrawn = market && withdrawnFrom(market)
    if (!withdrawn || !hasValue(token)) return 0
    return valueIn(token, withdrawn.took, solUsd) >= VERDICT.withdrawnSol * 1e9 ? 1 : 0
  },
  liquidity_unlocked: (token) => {
    const market = liquidityOf(token)
    return ((market && sharesOf(market)?.pullable) ?? 0) >= VERDICT.pullableShare ? 1 : 0
  },
  snipers: (token, _, was) => levelOf(heldBy(token, CLASS.firstSeconds), VERDICT.snipersPct, was),
  phantom: (token) => (ofSupply(token, phantomOf(token)) > COVERAGE.phantomPct ? 1 : 0),
}

const isTakenOver = ({ takenOverSlot }: Token): boolean => takenOverSlot >= 0

const LEVELS = { green: 0, yellow: 1, red: 2 } as const
const outlookLevel = (token: Token, question: 'drain' | 'halving'): Level =>
  LEVELS[latchedColour(token, question) ?? 'green']

const JUDGES = VERDICT_CODES.map((code) => REASONS[code] ?? null)

/** The reasons as bits of VERDICT_CODES. */
export interface Reasons {
  readonly red: number
  readonly yellow: number
}

export function reasonsOf(token: Token, slot: number, solUsd: number): Reasons {
  const { verdict } = token
  let [red, yellow] = [0, 0]
  for (let code = 0; code < JUDGES.length; code++) {
    const judge = JUDGES[code]
    if (!judge) continue
    const bit = 1 << code
    const was = (verdict.red & bit) !== 0 ? 2 : (verdict.yellow & bit) !== 0 ? 1 : 0
    const level = judge(token, slot, was, solUsd)
    if (level === 2) red |= bit
    else if (level === 1) yellow |= bit
  }
  return { red, yellow }
}
