import { z } from 'zod'
import { ActorEdge, ActorHere } from './actors.ts'
import { address, pct, rate, said, slot, tally, text, turnover } from './scalars.ts'
import { SNAPSHOT_SCHEMAS } from './snapshot.ts'
import { Ratings } from './token.ts'
import { WhoClasses } from './who-classes.ts'

const Contribution = z.object({
  what: text().describe('a metric by its name in the API, or what moved the sum beside them'),
  points: z.number().describe('all of them add up to the value'),
  reading: z.number().nullable().optional(),
  rated: z.number().optional().describe('points of 10 that the reading is worth'),
  weight: z.number().optional(),
})

const Share = z.object({
  pct: pct().describe('percent of the owned supply'),
  wallets: tally(),
  largest: z.array(
    z.object({
      wallet: address(),
      pct: pct().describe('percent of the owned supply'),
      why: z.array(text()).optional(),
    }),
  ),
})

const SHARES = [
  'bundle_pct',
  'dirty_pct',
  'dumpers_pct',
  'chart_nukers_pct',
  'jeets_pct',
  'alpha_hands_pct',
  'diamond_hands_pct',
  'in_profit_pct',
  'smart_wallets',
] as const

const Evidence = z.object({
  wallets: z.array(address()).length(2),
  families: z.array(z.object({ family: text(), slot: z.int() })),
})

const Bundle = z.object({
  id: text(),
  name: text().describe('adjective-noun-number'),
  aliases: z.array(text()).describe('ids of groups that turned out to be this one'),
  confirmed: z.boolean(),
  confirmed_slot: slot().nullable(),
  red: z.boolean().describe('heavy net seller'),
  pct_of_supply: pct(),
  peak_pct_of_supply: pct(),
  sold_pct_of_supply: turnover(),
  members: z.array(z.object({ wallet: address(), pct_of_supply: pct() })),
  evidence: z.array(Evidence),
})

const MarketPart = z.object({ trades_pct: pct(), volume_pct: pct() })

const Signal = z.object({
  name: text(),
  value: z.union([z.number(), z.literal('infinite')]).nullable(),
  also: z.array(z.object({ name: text(), value: z.number() })).describe('what else decides it'),
  pump: z.boolean(),
  dump: z.boolean(),
  edges: z.object({ pump: text(), dump: text() }).describe('when each holds: of the value, or of what is named'),
})

const Foretold = z.object({
  p: rate().nullable().describe('hits of n; null while fewer than 20 like it are counted'),
  n: tally().describe('the latest tokens like it'),
  hits: tally().describe('of these, how many it came true for'),
  by: text().describe('what makes tokens alike: all inputs `together`, one of them, or `all` asked about'),
  age_slots: tally().describe('fixed age at which it was asked; served until the next'),
  slot: slot(),
  inputs: z
    .array(z.object({ input: text(), at_least: z.number().nullable(), below: z.number().nullable() }))
    .describe('bins of its readings then; both edges null: no reading'),
})

export const Outlooks = z.object({
  drain: Foretold.nullable().describe('at least 80% of the real quote reserve leaves within 9,000 slots'),
  halving: Foretold.nullable().describe('the price halves within 9,000 slots'),
  buyer: Foretold.nullable().describe('0.5 SOL bought now gain'),
})

const Life = z.object({
  dead: z.boolean(),
  idle_slots: z.int().describe('without a trade'),
  launch_seen: z.boolean(),
  phantom_supply_pct: pct().describe('in balances that cannot all be there'),
  drained_slot: slot().nullable(),
  rugged: z.object({ slot: slot(), by: z.array(text()) }).nullable(),
})

export const Remembered = z.object({
  deployer_peak_pct: pct(),
  insiders_peak_pct: pct(),
  insiders_sold_pct: turnover(),
  sold_pct: turnover().describe('by the deployer, insiders and confirmed groups together, ever'),
  sold_in_hour_pct: turnover(),
})

/** The explanation of a token's numbers. */
export const Explanation = z
  .object({
    mint: address(),
    said_by_deployer: said(),
    slot: z.int().describe('as of which chain slot'),
    quote: z
      .object({
        mint: address(),
        decimals: z.int().min(0).nullable().describe('null while nothing reported them'),
        market_cap: z.number().min(0).nullable().describe('in whole units of the quote'),
      })
      .nullable()
      .describe('what the token trades against, if that has no known price; amounts in SOL and USD are then 0'),
    score: z.object({
      value: z.number().min(0).max(10),
      coverage: rate().describe('share of the owned supply held by wallets with a track record'),
      contributions: z.array(Contribution),
      independent: z
        .object({
          count: z.int().min(0).describe('holders with 0.05 SOL or more'),
          effective: z.number().min(0).describe('how many of equal size would be as concentrated'),
        })
        .describe('holders outside every confirmed bundle'),
    }),
    life: Life,
    memory: Remembered,
    who: WhoClasses,
    served: SNAPSHOT_SCHEMAS.score,
    ratings: Ratings,
    shares: z.object(
      Object.fromEntries(SHARES.map((name) => [name, Share])) as Record<(typeof SHARES)[number], typeof Share>,
    ),
    bundles: z.array(Bundle).describe('largest first'),
    one_wallet: z
      .object({ busiest: MarketPart.nullable(), wash: MarketPart })
      .nullable()
      .describe('what conditions 1 to 4 and 9 leave out: the wallet with most trades of 5 minutes, and wash traders'),
    outlook: Outlooks,
    signals: z.array(Signal).nullable().describe('24 paired conditions; null until the token has traded'),
  })
  .meta({ id: 'Explanation', description: 'The exact sum of the score, and the wallets behind each share.' })
export type Explanation = z.infer<typeof Explanation>

/** With the actors known from other tokens. */
export const TokenExplanation = z
  .object({
    ...Explanation.shape,
    actors: z.array(
      z.object({
        ...ActorHere.shape,
        members: z.array(address()),
        newest_tokens: z.array(address()),
        evidence: z.array(ActorEdge),
      }),
    ),
  })
  .meta({ id: 'TokenExplanation' })
