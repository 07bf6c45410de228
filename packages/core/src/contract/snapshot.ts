import { z } from 'zod'
import { address, conditions, dateTime, pct, slot, tally, text, usd } from './scalars.ts'
import { Duplication, Ratings } from './token.ts'

const Meta = z
  .object({
    deployed_at: dateTime().nullable().describe('launch time'),
    deployer: address().nullable().describe('deploying wallet, base58'),
    description: text().nullable().describe('from token metadata'),
    image_uri: text().nullable().describe('image URL'),
    launchpad: text().nullable().describe('launchpad of deployment, for example `pumpfun` or `launchlab`'),
    mint: address().describe('token mint address, base58'),
    name: text().nullable(),
    symbol: text().nullable(),
    telegram: text().nullable().describe('link from metadata'),
    twitter: text().nullable().describe('link from metadata'),
    website: text().nullable().describe('link from metadata'),
  })
  .meta({ id: 'SnapshotMeta' })

const Status = z
  .object({
    dex_paid: z.boolean().describe('true once a DEX listing order was confirmed'),
    dex_paid_at: dateTime().nullable(),
    duplication: Duplication,
    has_migrated: z.boolean().describe('true once graduated to a decentralized exchange'),
    is_og: z.boolean().describe('true when no duplication flag is set'),
    migrated_at: dateTime().nullable(),
  })
  .meta({ id: 'SnapshotStatus' })

const Market = z
  .object({
    ath_at: dateTime().nullable().describe('time of the peak; null before the first trade'),
    ath_mcap: usd().describe('peak market cap, USD'),
    ath_slot: slot().describe('chain slot of the peak'),
    mcap: usd().describe('current market cap, USD'),
  })
  .meta({ id: 'SnapshotMarket' })

const Holders = z
  .object({
    count: tally().describe('holders'),
    pct_supply_owned: pct().describe('percent of supply held by tracked wallets'),
    top: z
      .array(
        z.object({
          address: address().describe('wallet, base58'),
          pct_of_supply: pct().describe('percent of supply'),
        }),
      )
      .max(3)
      .describe('three largest holders'),
    top_3_pct: pct().describe('percent of supply of the three largest holders'),
    top_5_pct: pct().describe('percent of supply of the five largest holders'),
    top_10_pct: pct().describe('percent of supply of the ten largest holders'),
  })
  .meta({ id: 'SnapshotHolders' })

const Bundles = z
  .object({
    count: tally().describe('confirmed coordinated groups holding'),
    owned_pct_supply: pct().describe('percent of supply held by bundle wallets'),
    red_count: tally().describe('groups flagged heavy net sellers'),
    top_3_sizes_pct: z.array(pct()).max(3).describe('percent of supply of the three largest bundles'),
  })
  .meta({ id: 'SnapshotBundles' })

const Score = z
  .object({
    alpha_hands_pct: pct().describe('percent of owned supply held by wallets that historically pick winners'),
    bundle_pct: pct().describe('percent of owned supply held by coordinated wallet groups'),
    conviction_score: pct().nullable().describe('weighted holder conviction, 0 to 100'),
    cooktimer_slots: z.number().describe('expected slots before the average holder sells; negative when overdue'),
    dirty_pct: pct().describe('percent of owned supply held by suspicious wallets'),
    dumpers_pct: pct().describe('percent of owned supply held by wallets with heavy sell impact'),
    in_profit_pct: pct().describe('percent of owned supply in unrealized profit'),
    jeets_pct: pct().describe('percent of owned supply held by quick sellers'),
    smart_wallets_count: tally().describe('smart-money holders, a coordinated group counting once'),
    value: z.number().min(0).max(10).describe('headline quality score, 0 to 10, one decimal'),
  })
  .meta({ id: 'SnapshotScore' })

const cohort = <const Names extends readonly string[]>(meaning: string, names: Names) =>
  z
    .object(Object.fromEntries(names.map((name) => [name, pct()])) as Record<Names[number], ReturnType<typeof pct>>)
    .describe(`${meaning}; each bucket is a percent of owned supply`)

const Cohorts = z
  .object({
    buys_pct: cohort('tokens holders bought before', [
      'under_10',
      'between_10_100',
      'between_100_1k',
      'between_1k_10k',
      'over_10k',
    ]),
    hcr_pct: cohort('holders’ healthy-coins rate', ['doa', 'insider_vibes', 'kiss_of_death', 'mid', 'strong']),
    hold_duration_pct: cohort('how long holders held', [
      'under_60s',
      'between_60s_150s',
      'between_150s_300s',
      'between_300s_600s',
      'over_600s',
    ]),
    pnl_pct: cohort('holders’ lifetime PnL in SOL', [
      'loss_50_plus',
      'loss_0_to_50',
      'profit_0_to_50',
      'profit_50_to_150',
      'profit_150_plus',
    ]),
    roi_pct: cohort('holders’ lifetime return', ['rekt', 'bleeding', 'flat', 'printing', 'sus_high']),
    sell_impact_pct: cohort('effect of holders’ past exits on price, percent (the first two are the chart nukers)', [
      'under_neg9_9',
      'neg9_9_to_neg3_6',
      'neg3_6_to_neg0_61',
      'neg0_61_to_pos2_2',
      'over_pos2_2',
    ]),
    sol_balance_pct: cohort('holders’ SOL balances', [
      'under_1',
      'between_1_3',
      'between_3_10',
      'between_10_100',
      'over_100',
    ]),
  })
  .meta({ id: 'SnapshotCohorts' })

const Kols = z
  .object({
    count: tally().describe('tracked KOL wallets currently holding'),
    list: z
      .array(
        z.object({
          expected_sell_slot: z.int().nullable().describe('chain slot; null without a sell on record'),
          pct_of_supply: pct().describe('percent of supply'),
          sell_impact: z.number().nullable().describe('percent points of price after past exits'),
          user_name: text().nullable(),
          wallet: address().describe('wallet, base58'),
        }),
      )
      .describe('largest share first'),
  })
  .meta({ id: 'SnapshotKols' })

const Signals = z
  .object({
    dump_conditions_met: conditions().nullable().describe('dump conditions currently true, of 24'),
    pump_conditions_met: conditions().nullable().describe('pump conditions currently true, of 24'),
  })
  .meta({ id: 'SnapshotSignals', description: 'Null until the token has traded.' })

/** The groups of a snapshot by name. */
export const SNAPSHOT_SCHEMAS = {
  meta: Meta,
  status: Status,
  market: Market,
  holders: Holders,
  bundles: Bundles,
  score: Score,
  cohorts: Cohorts,
  kols: Kols,
  signals: Signals,
  ratings: Ratings,
} as const

export type SnapshotGroup = keyof typeof SNAPSHOT_SCHEMAS

/** In the order of a snapshot. */
export const SNAPSHOT_GROUPS = Object.keys(SNAPSHOT_SCHEMAS) as readonly SnapshotGroup[]

const everyGroup = z.object(SNAPSHOT_SCHEMAS)

export const TokenSnapshot = everyGroup
  .partial()
  .meta({ id: 'TokenSnapshot', description: 'The selected groups; all ten when `fields` is omitted.' })

/** With all ten groups. */
export type TokenSnapshot = z.infer<typeof everyGroup>
