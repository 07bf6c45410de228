import { z } from 'zod'
import { COLOURS } from '../base/verdict-codes.ts'
import { Explanation } from './explain.ts'
import { address, dateTime, pct, rate, slot, tally, text, turnover, usd } from './scalars.ts'
import { TokenCard } from './token.ts'
import { ActorName, Launch, STATES } from './who.ts'
import { Deeds } from './who-classes.ts'

/**
 * Answers for the page only, besides `/v1`. They are same-origin, not part of the versioned interface, and may change
 * with the page. Answers are `{ "data": … }`; errors use the service's envelope.
 */

/** The visitor's session and its rights. */
export const AppSession = z.object({
  access: z.enum(['open', 'signed-in', 'off']).describe('who may read through the page'),
  may_read: z.boolean().describe('this visitor may'),
  signed_in: z.boolean(),
  wallet: address().nullable().describe('of the account that is signed in'),
  plan: z.enum(['pro', 'free']).nullable(),
  sandbox: z.boolean().describe('payments are play money'),
  network: z
    .enum(['mainnet'])
    .nullable()
    .describe('where the addresses shown exist for everybody; null: a simulated market or a replay'),
  public_url: text().describe('how the service calls itself, without a trailing slash'),
  limit: z
    .object({ limit: tally(), remaining: tally(), reset_s: tally() })
    .describe('reads a minute, as counted so far; all 0 where the visitor may not read'),
  trial: z
    .object({
      left_s: tally().describe('seconds of streams left'),
      until: dateTime().describe('when some of what was used is free again'),
    })
    .nullable()
    .describe('where streams are open to this visitor by the trial of the free plan only'),
})
export type AppSession = z.infer<typeof AppSession>

/** A token as a search result. */
const FoundToken = z.object({
  mint: address(),
  symbol: text(),
  name: text(),
  mcap: usd(),
  score: z.number().min(0).max(10),
  colour: z.enum(COLOURS).describe('of the verdict'),
  has_migrated: z.boolean(),
  deployed_at: dateTime().nullable(),
  first: z.boolean().nullable().describe('nobody used its symbol before; null while that is not checked'),
})
export type FoundToken = z.infer<typeof FoundToken>

/** Properties compared with all earlier tokens. For images only the fact of an earlier use is stored. */
export const TRACED = ['symbol_name', 'symbol', 'name', 'twitter', 'telegram', 'website'] as const

/** The explanation of a token's numbers. */
export const AppExplain = z.object({
  ...Explanation.shape,
  earlier: z
    .array(
      z.object({
        field: z.enum(TRACED),
        token: FoundToken,
        copied: z.boolean().describe('always of links; of text for a day, or while the earlier token is worth more'),
      }),
    )
    .describe('of what the token reuses: who had it first'),
})
export type AppExplain = z.infer<typeof AppExplain>

/** A token's market cap over its known history. */
export const AppLine = z.object({
  points: z
    .array(
      z.object({
        time: z.number().describe('Unix seconds of the last trade of the span'),
        slot: slot(),
        mcap: usd().describe('after that trade'),
        buys_sol: z.number().min(0),
        sells_sol: z.number().min(0),
        trades: tally(),
      }),
    )
    .max(300)
    .describe('ascending; equal spans of the known history, those without a trade left out'),
  marks: z
    .array(
      z.object({
        kind: z.enum(['bundle_exit', 'kol_sell', 'graduated']),
        time: z.number().describe('Unix seconds'),
        slot: slot(),
        mcap: usd(),
        label: text(),
      }),
    )
    .describe('ascending'),
  truncated: z.boolean().describe('there are older trades than the first point shows'),
})
export type AppLine = z.infer<typeof AppLine>

/** Search results for a prefix or an address. */
export const AppSearch = z.object({
  tokens: z.array(FoundToken).max(10),
  wallet: z
    .object({ address: address(), user_name: text().nullable(), is_deployer: z.boolean(), trades: tally() })
    .nullable(),
})
export type AppSearch = z.infer<typeof AppSearch>

const known = (what: string) => pct().nullable().describe(`${what}, percent of supply; null where it cannot be known`)

/** Board data of a token beyond its card. */
const AppCard = z.object({
  colour: z.enum(COLOURS).describe('of the verdict'),
  bundle_pct: pct().describe('percent of the owned supply with coordinated groups'),
  group_sold_pct: turnover().describe('percent of supply that coordinated groups have sold'),
  dev_pct: known('held by the deployer'),
  dev_sold_pct: turnover()
    .nullable()
    .describe('sold by the deployer, percent of supply; null where it cannot be known'),
  top_10_pct: pct().describe('percent of supply with the ten largest holders'),
  snipers_pct: known('held by wallets that bought within 3 seconds of the creation'),
  fresh_pct: known('held by wallets that were new when they bought'),
  actors: tally().describe('actors known from other tokens that are in it'),
  actors_bad: tally().describe('of these: seen on another token that was drained or rugged'),
  drain: z
    .object({
      p: rate().describe('probability that the market is drained within an hour'),
      n: tally().describe('latest tokens like it whose outcome was counted'),
    })
    .nullable()
    .describe('null where it is not asked'),
  rugged: z.boolean(),
  curve_pct: pct().nullable().describe('of 85 SOL on the curve; null off the curve, or where it is not known'),
  deployer: z
    .object({ wallet: address(), launched: tally(), graduated: tally(), drained: tally().nullable() })
    .describe('record without this token')
    .nullable(),
})
export type AppCard = z.infer<typeof AppCard>

/** By mint, for the tokens of the board's lists. */
export const AppCards = z.record(address(), AppCard)
export type AppCards = z.infer<typeof AppCards>

/** Tokens that have filled at least half of their curve, fullest first. */
export const AppNear = z.array(TokenCard).max(50)

/** A deployer's record beyond the specification's fields. */
export const AppDeployer = z.object({
  wallet: address(),
  name: text().nullable(),
  launched: tally(),
  graduated: tally(),
  actor: ActorName.nullable().describe('it belongs to or serves'),
  all: Deeds.nullable(),
  last_20: Deeds.nullable(),
  launches: z.array(Launch).max(20).describe('newest first'),
})
export type AppDeployer = z.infer<typeof AppDeployer>

/** Tokens in one answer about lives. */
export const LIVES = 50

/** What became of a launch, for its drawing. Times are seconds after the launch, by the chain's clock. */
const AppLife = z.object({
  mint: address(),
  symbol: text(),
  name: text(),
  colour: z.enum(COLOURS).describe('of the verdict'),
  state: z.enum(STATES),
  launched_at: dateTime().nullable(),
  age_s: z.number().min(0),
  mcap: usd(),
  peak: z.object({ mcap: usd(), s: z.number().min(0) }).nullable(),
  graduated_s: z.number().min(0).nullable(),
  drained_s: z.number().min(0).nullable(),
})
export type AppLife = z.infer<typeof AppLife>

/** In the order asked for, without those that are not tracked. */
export const AppLives = z.array(AppLife).max(LIVES)

/** Who bought right before and right after a wallet's first purchases. */
export const AppNeighbours = z.object({
  within_s: z.number().describe('seconds that count as right before and right after'),
  tokens: tally().describe('of the wallet’s newest tokens, those whose trades were read back to its first purchase'),
  unread: tally().describe('others of the newest: bought too long ago to be read'),
  wallets: z
    .array(
      z.object({
        wallet: address(),
        name: text().nullable(),
        after: tally().describe('tokens that it first bought right after the wallet'),
        before: tally().describe('tokens that it first bought right before'),
        bought: tally().describe('tokens that it ever bought'),
      }),
    )
    .max(20)
    .describe('on two tokens or more, most first'),
})
export type AppNeighbours = z.infer<typeof AppNeighbours>

const Series = z.array(z.number()).max(300)

/** The state of the service, with the last ten minutes. */
export const AppStatus = z.object({
  ready: z.boolean(),
  reason: text().nullable().describe('why it is not ready'),
  slot: z.int().describe('-1 before the first block'),
  seq: z.int().describe('-1 before the first log entry'),
  lag_slots: z.int().nullable(),
  uptime_s: tally(),
  tokens_live: tally(),
  tokens: tally(),
  wallets: tally(),
  sockets: tally().describe('open streams'),
  store_bytes: tally(),
  memory_bytes: tally(),
  source: z.record(text(), z.number()).nullable().describe('a live source in numbers'),
  waiting_outside: z.record(text(), z.number()).nullable().describe('facts asked of the outside, by observer'),
  unknown: z
    .object({
      kinds: tally(),
      count: tally(),
      last_seen: text().nullable().describe('block time of the last one, RFC 3339'),
      list: z
        .array(
          z.object({
            program: text(),
            what: z.enum(['event', 'instruction']),
            why: text(),
            name: text().describe("as the program's interface file calls it, '' where it has none"),
            discriminator: text(),
            length: z.int().describe('bytes; -1 several'),
            count: tally(),
            last_slot: z.int(),
          }),
        )
        .max(16),
    })
    .nullable()
    .describe('what no decoder knows: a program may have been upgraded; null where nothing is decoded'),
  series: z.object({
    times: Series.describe('Unix seconds of each sample, oldest first'),
    blocks: Series.describe('log entries folded since the sample before'),
    trades: Series,
    lag_slots: Series.describe('-1 where it is not known'),
    memory_bytes: Series,
    store_bytes: Series,
    sockets: Series,
  }),
})
export type AppStatus = z.infer<typeof AppStatus>

/** Paths of the page's own reads. A name in braces stands for one segment. */
export const APP_ENDPOINTS = {
  session: { path: '/app/session', answer: AppSession },
  explain: { path: '/app/tokens/{mint}/explain', answer: AppExplain },
  line: { path: '/app/tokens/{mint}/line', answer: AppLine },
  cards: { path: '/app/cards', answer: AppCards },
  near: { path: '/app/near', answer: AppNear },
  deployer: { path: '/app/deployers/{wallet}', answer: AppDeployer },
  lives: { path: '/app/lives', answer: AppLives },
  neighbours: { path: '/app/wallets/{wallet}/neighbours', answer: AppNeighbours },
  search: { path: '/app/search', answer: AppSearch },
  status: { path: '/app/status', answer: AppStatus },
} as const
export type AppOperation = keyof typeof APP_ENDPOINTS
