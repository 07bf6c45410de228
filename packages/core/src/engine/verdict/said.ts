import {
  COLOUR,
  COLOURS,
  type Colour,
  VERDICT_CODES,
  VERDICT_EVENTS,
  type VerdictCode,
  type VerdictEvent,
} from '../../base/verdict-codes.ts'
import type { Token } from '../../model/state.ts'
import { SCORE, VERDICT } from '../constants.ts'
import type { Cap } from '../reading/score.ts'
import { isLaunchSeen } from '../unseen.ts'

/** Reads a token's verdict, and how far it lowers the score (methodology, sections 4 and 12). */

interface Conclusion {
  readonly colour: number
  /** The most serious reason of the colour. */
  readonly code: VerdictCode
}

const bitsOf = (...codes: VerdictCode[]): number =>
  codes.reduce((bits, code) => bits | (1 << VERDICT_CODES.indexOf(code)), 0)
/** Red for what happened: its money is gone, or its own people have just sold. */
const OVER = bitsOf('rugged', 'drained', 'dead', 'sold_in_hour')
/** Exits of the past are no forecast, so they make nothing yellow. They keep a token from being green, and lower the score. */
const EXITS_PAST = bitsOf('early_exit', 'sold_ever', 'deployer_sold')

const firstOf = (bits: number): VerdictCode => VERDICT_CODES[31 - Math.clz32(bits & -bits)]!

export function conclude(token: Token, { red, yellow }: { readonly red: number; readonly yellow: number }): Conclusion {
  if (red !== 0) return { colour: COLOUR.red, code: firstOf(red) }
  const now = yellow & ~EXITS_PAST
  if (now !== 0) return { colour: COLOUR.yellow, code: firstOf(now) }
  const missing = yellow !== 0 ? firstOf(yellow) : missingOf(token)
  return missing === null ? { colour: COLOUR.green, code: 'known_holders' } : { colour: COLOUR.neutral, code: missing }
}

/** Why a token without a reason against it is not green; null if it is: its holders are known and have something to lose. */
function missingOf(token: Token): VerdictCode | null {
  const { verdict } = token
  if (!isLaunchSeen(token)) return 'launch_unseen'
  if (verdict.readSlot < 0 || verdict.knownPct < VERDICT.knownPct) return 'unknown_holders'
  if (verdict.points < 10 * SCORE.rated[0]) return 'low_score'
  return token.mcap < token.ath * VERDICT.athShare ? 'fallen' : null
}

/** The verdict as served. */
export function verdictOf(
  token: Token,
): Conclusion & { readonly name: Colour; readonly sinceSlot: number; readonly event: VerdictEvent | null } {
  const { history, red, yellow } = token.verdict
  const last = history.at(-1)
  const { colour, code } = conclude(token, { red, yellow })
  const served = last?.colour ?? COLOUR.neutral
  return {
    colour: served,
    name: COLOURS[served]!,
    // a change of colour that waits for its minute has no code yet
    code: colour === served ? code : VERDICT_CODES[last?.code ?? VERDICT_CODES.indexOf('unknown_holders')]!,
    sinceSlot: last?.slot ?? token.createdSlot,
    event: last === undefined ? null : VERDICT_EVENTS[last.event]!,
  }
}

/** True if it is red for what happened. */
export const isRedByPast = ({ verdict }: Token): boolean => (verdict.red & OVER) !== 0

/** The colour of a reason that stands; a reason from the past is neutral. */
export function colourOfReason({ verdict: { red, yellow } }: Token, code: VerdictCode): 'red' | 'yellow' | 'neutral' {
  const bit = bitsOf(code)
  return (red & bit) !== 0 ? 'red' : (yellow & bit & ~EXITS_PAST) !== 0 ? 'yellow' : 'neutral'
}

/** The most that the score can be: only a green verdict leaves it as it is. Null if nothing lowers it. */
export function capOf(token: Token): Cap | null {
  const { colour, code } = verdictOf(token)
  const { red, yellow } = token.verdict
  const { caps } = SCORE
  // a reason lowers the score at once, also while a change of colour waits for its minute
  if (red !== 0) return { code: firstOf(red), at: caps.red }
  if (colour === COLOUR.red) return { code, at: caps.red }
  if (colour === COLOUR.green && yellow === 0) return null
  const exits = yellow & EXITS_PAST
  return exits === 0 ? { code, at: caps.unproven } : { code: firstOf(exits), at: caps.exited }
}

/** Tenths: the score of the latest reading, lowered by the verdict as it is; -1 before the first. */
export function latchedScore(token: Token): number {
  const { readSlot, points } = token.verdict
  return readSlot < 0 ? -1 : Math.min(points, 10 * (capOf(token)?.at ?? 10))
}
