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

/** Each reason in a few words, for a change of colour in one line. */
export const REASON_WORDS: Readonly<Record<VerdictCode, string>> = {
  rugged: 'rugged',
  drained: 'drained',
  dead: 'dead',
  sold_in_hour: 'insiders sold in the past hour',
  actor: 'a crew known from drained tokens is in',
  deployer_record: 'the deployer rugged before',
  outlook_drain: 'many tokens like it were drained',
  outlook_halving: 'many tokens like it fell by half',
  bundled: 'coordinated groups hold a lot',
  insiders: 'insiders hold a lot',
  concentrated: 'the top 10 own a lot',
  early_exit: 'first-minute buyers cashed out',
  sold_ever: 'insiders have sold a lot',
  deployer_sold: 'the deployer has sold',
  liquidity_withdrawn: 'liquidity was withdrawn',
  liquidity_unlocked: 'liquidity is not locked',
  snipers: 'snipers hold a lot',
  phantom: 'balances do not add up',
  launch_unseen: 'its launch was not seen',
  unknown_holders: 'too little is known of its holders',
  low_score: 'a low score',
  fallen: 'it fell by half',
  known_holders: 'its holders are known',
}

/** Causes of a change: a trade or transfer, time that passed, a reading at a fixed age, or a fact about a wallet. */
export const VERDICT_EVENTS = ['trade', 'time', 'reading', 'fact'] as const
export type VerdictEvent = (typeof VERDICT_EVENTS)[number]
