import type { Random } from './random.ts'
import type { SimToken } from './tokens.ts'
import type { Habit } from './traders.ts'

/** The probability that each habit is the next buyer of a token, which depends on its age and price history. */
type Mix = readonly (readonly [Habit, number])[]

const LAUNCH: Mix = [
  ['scalper', 0.4],
  ['retail', 0.2],
  ['regular', 0.4],
]
const RISING: Mix = [
  ['momentum', 0.3],
  ['regular', 0.25],
  ['scalper', 0.18],
  ['retail', 0.16],
  ['holder', 0.11],
]
const FALLEN: Mix = [
  ['dip', 0.4],
  ['regular', 0.2],
  ['scalper', 0.2],
  ['retail', 0.12],
  ['holder', 0.08],
]
const CALM: Mix = [
  ['regular', 0.32],
  ['scalper', 0.26],
  ['retail', 0.2],
  ['holder', 0.13],
  ['momentum', 0.07],
  ['dip', 0.02],
]

/** Share of buyers that can pick, and that are KOLs, on a token of usual quality; multiplied by e^quality. */
const PICKERS = 0.02
const KOLS = 0.003
const INSIGHT_MAX = 5

export function nextBuyer(token: SimToken, slot: number, random: Random): Habit {
  const insight = Math.min(INSIGHT_MAX, Math.exp(token.quality))
  const who = random.float()
  if (who < PICKERS * insight) return 'picker'
  if (who < (PICKERS + KOLS) * insight) return 'kol'
  const mix = mixOf(token, slot)
  let left = random.float()
  for (const [habit, share] of mix) {
    left -= share
    if (left < 0) return habit
  }
  return 'regular'
}

function mixOf(token: SimToken, slot: number): Mix {
  if (slot - token.createdSlot <= 2) return LAUNCH
  if (token.price > 1.06 * token.slowPrice) return RISING
  return token.price < 0.6 * token.highPrice ? FALLEN : CALM
}
