import { z } from 'zod'
import { COLOURS, VERDICT_CODES, VERDICT_EVENTS } from '../base/verdict-codes.ts'
import { Explanation } from './explain.ts'
import { address, dateTime, pct, slot, tally, text, turnover, usd } from './scalars.ts'
import { ActorName, Launch } from './who.ts'
import { Deeds } from './who-classes.ts'
import { CohortMoney, STATES } from './who-money.ts'

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
  liquidity_sol: z.number().min(0).nullable().describe('real SOL in its market; null where it is not known'),
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
        kind: z.enum(['launcher_sell', 'insider_sell', 'group_sell', 'kol_sell', 'graduated', 'liquidity']),
        time: z.number().describe('Unix seconds of its first sale'),
        until: z.number().describe('of its last sale'),
        slot: slot(),
        until_slot: slot(),
        mcap_before: usd().describe('0 where nothing was traded before'),
        mcap: usd().describe('after its last sale'),
        name: text().nullable().describe('of the group or the KOL'),
        group: text().nullable().describe('id of the group'),
        wallets: tally().describe('that sold'),
        pct: turnover().describe('of supply, sold'),
        sol: z.number().min(0).nullable().describe('what the sales brought; null without a price'),
      }),
    )
    .describe(
      'exits of the launcher, insiders, groups and KOLs as known now, the graduation, and the latest withdrawal of liquidity, ascending',
    ),
  truncated: z.boolean().describe('there are older trades than the first point shows'),
})
export type AppLine = z.infer<typeof AppLine>

const heldByTrades = (what: string) => pct().describe(`${what}, by the wallets whose coins moved in trades only`)

/** A token as of an earlier slot, from what is kept: stored trades and changes of the verdict. The same on every node. */
export const AppPast = z.object({
  slot: slot(),
  verdict: z
    .object({
      colour: z.enum(COLOURS),
      code: z
        .enum(VERDICT_CODES)
        .nullable()
        .describe('what the last change of colour rested on; null before the first'),
      event: z.enum(VERDICT_EVENTS).nullable(),
      since_slot: slot().nullable(),
    })
    .nullable()
    .describe('null where only later changes are kept'),
  graduated: z.boolean(),
  mcap: usd().nullable().describe('after the last trade until then; null before the first'),
  peak_mcap: usd().nullable().describe('until then; this and all below: null where older trades are not read'),
  trades: tally().nullable(),
  money: z
    .array(
      z.object({
        ...CohortMoney.shape,
        wallets: tally().describe('that had traded'),
        paid_sol: z.number().min(0).nullable().describe('without fees; null without a price'),
        got_sol: z.number().min(0).nullable().describe('likewise'),
        moved: tally().describe('of these: their coins also moved outside trades, so what they held is not known'),
        peak_pct: heldByTrades('most held together until then'),
        holds_pct: heldByTrades('held then'),
      }),
    )
    .nullable()
    .describe('cohorts as they are known now'),
  holders: z
    .object({
      count: tally().describe('wallets whose coins moved in trades only, with at least one coin'),
      moved: tally().describe('wallets whose coins also moved outside trades'),
      top: z
        .array(
          z.object({
            wallet: address(),
            name: text().nullable(),
            holds_pct: pct(),
            paid_sol: z.number().min(0).nullable(),
            got_sol: z.number().min(0).nullable(),
          }),
        )
        .max(20),
    })
    .nullable(),
})
export type AppPast = z.infer<typeof AppPast>

/** Search results for the beginning of a name, an address, or a link. */
export const AppSearch = z.object({
  tokens: z.array(FoundToken).max(10),
  wallet: z
    .object({ address: address(), user_name: text().nullable(), is_deployer: z.boolean(), trades: tally() })
    .nullable(),
  people: z
    .array(
      z.object({ kind: z.enum(['actor', 'kol']), id: text().describe('of an actor, or an address'), name: text() }),
    )
    .max(5)
    .describe('crews and KOLs by name'),
  nothing: text().nullable().describe('where nothing is found: what was understood, and what to do next'),
})
export type AppSearch = z.infer<typeof AppSearch>

/** The board's own lists: `launches` has three columns, each other view one. */
const BOARD_VIEWS = ['launches', 'pumps', 'survivors', 'agents'] as const
export type BoardView = (typeof BOARD_VIEWS)[number]

/** Facts of a card that can be unusual: percents of supply, and a number of KOLs. */
export const FACT_CODES = [
  'crew',
  'group_sold',
  'dev_sold',
  'group',
  'dev',
  'insiders',
  'snipers',
  'fresh',
  'top_10',
  'kols',
] as const
export type FactCode = (typeof FACT_CODES)[number]

/** A token on the board. */
const BoardCard = z.object({
  mint: address(),
  symbol: text(),
  name: text(),
  deployed_at: dateTime().nullable(),
  telegram: text().nullable(),
  twitter: text().nullable(),
  website: text().nullable(),
  colour: z.enum(COLOURS).describe('of the verdict'),
  why: text().describe('headline of the verdict'),
  facts: z
    .array(z.object({ code: z.enum(FACT_CODES), value: z.number().describe('percent of supply, or a count of KOLs') }))
    .max(3)
    .describe('what is unusual about this token, the most unusual first'),
  buys_1m: tally().describe('in the last minute'),
  sells_1m: tally(),
  agent_buyer: text().nullable().describe('list of agents only'),
  agent_bought_at: dateTime().nullable(),
  values: z
    .record(text(), z.union([z.number(), z.boolean(), z.null()]))
    .describe('numbers and flags by the names of conditions (docs/alerts.md); null: unknown'),
})
export type BoardCard = z.infer<typeof BoardCard>

export const AppBoard = z.object({
  columns: z.array(
    z.object({
      id: z.enum(['new', 'near', 'graduated', 'pumps', 'survivors', 'agents']),
      cards: z.array(BoardCard).max(50),
      hidden: tally().describe('tokens above the end of the list that it leaves out'),
      dropped: tally().describe('of these: rugged, drained or dead, or sold by their inner circle within the hour'),
    }),
  ),
  launches_5m: tally().describe('tokens launched in the last five minutes'),
})
export type AppBoard = z.infer<typeof AppBoard>

export const BoardCards = z.array(BoardCard).max(50)

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

/** The fate of a launch, for its drawing. Times are seconds after the launch, by the chain's clock. */
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

/** Wallets that bought right before and right after a wallet's first purchases. */
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
  past: { path: '/app/tokens/{mint}/past', answer: AppPast },
  board: { path: '/app/board', answer: AppBoard },
  hidden: { path: '/app/hidden', answer: BoardCards },
  cards: { path: '/app/cards', answer: BoardCards },
  deployer: { path: '/app/deployers/{wallet}', answer: AppDeployer },
  lives: { path: '/app/lives', answer: AppLives },
  neighbours: { path: '/app/wallets/{wallet}/neighbours', answer: AppNeighbours },
  search: { path: '/app/search', answer: AppSearch },
  status: { path: '/app/status', answer: AppStatus },
} as const
export type AppOperation = keyof typeof APP_ENDPOINTS
