/** The vocabulary of verdicts (methodology, section 12). */

export const COLOUR = { neutral: 0, green: 1, yellow: 2, red: 3 } as const
export const COLOURS = ['neutral', 'green', 'yellow', 'red'] as const
export type Colour = (typeof COLOURS)[number]

/** Reasons of a verdict, most serious first. An index is stored, so only append. */
export const VERDICT_CODES = [
  'rugged',
  'drained',
  'dead',
  'sold_in_hour',
  'actor',
  'deployer_record',
  'outlook_drain',
  'outlook_halving',
  'bundled',
  'insiders',
  'concentrated',
  'early_exit',
  'sold_ever',
  'deployer_sold',
  'liquidity_withdrawn',
  'liquidity_unlocked',
  'snipers',
  'phantom',
  'launch_unseen',
  'unknown_holders',
  'low_score',
  'fallen',
  'known_holders',
] as const
export type VerdictCode = (typeof VERDICT_CODES)[number]

/** Causes of a change: a trade or transfer, time that passed, a reading at a fixed age, or a fact about a wallet. */
export const VERDICT_EVENTS = ['trade', 'time', 'reading', 'fact'] as const
export type VerdictEvent = (typeof VERDICT_EVENTS)[number]
