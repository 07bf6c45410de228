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

/** Each reason in a few words that complete “it turned red: …”. */
export const REASON_WORDS: Readonly<Record<VerdictCode, string>> = {
  rugged: 'its inner circle rugged it',
  drained: 'most of the SOL in its market left within minutes',
  dead: 'it no longer trades',
  sold_in_hour: 'its inner circle sold',
  actor: 'a crew that drained or rugged others is in it',
  deployer_record: 'its deployer rugged earlier tokens',
  outlook_drain: 'many tokens like it were drained',
  outlook_halving: 'many tokens like it fell by half',
  bundled: 'coordinated wallets hold a lot of it',
  insiders: 'the deployer and insiders hold a lot of it',
  concentrated: 'ten wallets hold a lot of it',
  early_exit: 'first-minute buyers cashed out',
  sold_ever: 'its inner circle has sold',
  deployer_sold: 'its deployer has sold',
  liquidity_withdrawn: 'liquidity was withdrawn',
  liquidity_unlocked: 'liquidity can be withdrawn',
  snipers: 'snipers hold a lot of it',
  phantom: 'some balances do not add up',
  launch_unseen: 'its launch was not seen',
  unknown_holders: 'too little is known of its holders',
  low_score: 'its holders score low',
  fallen: 'it has fallen far below its peak',
  known_holders: 'its holders are known, and nothing speaks against it',
}

/** Causes of a change: a trade or transfer, time that passed, a reading at a fixed age, or a fact about a wallet. */
export const VERDICT_EVENTS = ['trade', 'time', 'reading', 'fact'] as const
export type VerdictEvent = (typeof VERDICT_EVENTS)[number]
