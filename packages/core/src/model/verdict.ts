import { atMost, list, none, num, type Open, small, table } from './field.ts'

/** The judgement of a token and how it came about (methodology, section 12). */

const CHANGE = table('VerdictChange', {
  /** Indexes in COLOURS, VERDICT_CODES and VERDICT_EVENTS. */
  colour: small<number>(3),
  code: small<number>(63),
  event: small<number>(3),
  slot: num,
})
export interface VerdictChange extends Open<typeof CHANGE> {}

export const VERDICT = table('TokenVerdict', {
  /** Its newest changes of colour, oldest first; before the first it is neutral. */
  history: atMost(64, list(CHANGE)),
  /** Bit n: the n-th of VERDICT_CODES is a reason, red or yellow. */
  red: num,
  yellow: num,
  /** The slot at which it is judged again without an event, -1 if none. */
  dueSlot: none,
  /** Slot of the latest reading, -1 before the first, and what it found: tenths of the score before caps, */
  readSlot: none,
  points: num,
  /** and percent of the supply: held by known wallets (of the held supply), and by the ten largest holders. */
  knownPct: num,
  top10Pct: num,
  /** The records of the deployer before this token and of the actors here as of then, 0 to 2, and the actors counted. */
  deployerLevel: small<number>(2),
  actorLevel: small<number>(2),
  actorsSeen: num,
})
export interface TokenVerdict extends Open<typeof VERDICT> {}
