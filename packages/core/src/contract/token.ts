import { z } from 'zod'
import { address, conditions, dateTime, pct, tally, text, usd } from './scalars.ts'

export const RATING_VALUES = ['green', 'yellow', 'red', 'neutral'] as const
export type RatingValue = (typeof RATING_VALUES)[number]

const rating = (meaning: string) => z.enum(RATING_VALUES).describe(meaning)

export const Ratings = z
  .object({
    alpha_hands: rating('supply held by wallets that historically pick winners'),
    bundle: rating('supply held by coordinated wallet groups'),
    conviction: rating('holder conviction index'),
    cooktimer: rating('expected slots before holders sell'),
    dirty: rating('supply held by suspicious wallets'),
    dumpers: rating('supply held by wallets with heavy sell impact'),
    in_profit: rating('supply in unrealized profit'),
    jeets: rating('supply held by quick sellers'),
    pump_dump: rating('pump versus dump condition counters'),
    score: rating('overall quality score'),
  })
  .meta({ id: 'Ratings', description: 'Verdicts. `neutral` means no reading yet; it is not a pass.' })
export type Ratings = z.infer<typeof Ratings>

const flag = (meaning: string) => z.boolean().nullable().describe(meaning)

export const Duplication = z
  .object({
    image: flag('image hash matches an earlier token'),
    name: flag('name matches an earlier token'),
    symbol: flag('symbol matches an earlier token'),
    symbol_name: flag('symbol and name together match an earlier token'),
    telegram: flag('messaging link matches an earlier token'),
    twitter: flag('social link matches an earlier token'),
    website: flag('website matches an earlier token'),
  })
  .meta({ id: 'Duplication', description: 'Reused-information flags; null means the check has not run yet.' })
export type Duplication = z.infer<typeof Duplication>

export const TokenCard = z
  .object({
    agent_bought_at: dateTime().nullable().describe('when a top trading agent bought it; set on the agents list only'),
    agent_buyer: text().nullable().describe('which agent bought it; agents list only'),
    alpha_hands_pct: pct().describe('percent of owned supply held by wallets that historically pick winners'),
    chart_nukers_pct: pct().describe('percent of owned supply held by wallets that historically nuke charts'),
    conviction_score: pct().nullable().describe('weighted holder conviction, 0 to 100'),
    deployed_at: dateTime().nullable().describe('launch time'),
    description: text().nullable().describe('from token metadata'),
    dex_paid: z.boolean().describe('true once a DEX listing order was confirmed'),
    diamond_hands_pct: pct().describe('percent of owned supply held longer than 10 minutes'),
    dirty_pct: pct().describe('percent of owned supply held by suspicious wallets'),
    dump_conditions_met: conditions().nullable().describe('dump conditions currently true, of 24'),
    duplication: Duplication,
    has_migrated: z.boolean().describe('true once graduated'),
    image_uri: text().nullable().describe('image URL'),
    kols_in_count: tally().describe('tracked KOL wallets currently holding'),
    launchpad: text().nullable().describe('launchpad of deployment, for example `pumpfun` or `launchlab`'),
    mcap: usd().describe('current market cap, USD'),
    mint: address().describe('token mint address, base58'),
    name: text(),
    pump_conditions_met: conditions().nullable().describe('pump conditions currently true, of 24'),
    ratings: Ratings,
    score: z.number().min(0).max(10).describe('quality score, 0 to 10'),
    symbol: text(),
    telegram: text().nullable().describe('link from metadata'),
    twitter: text().nullable().describe('link from metadata'),
    website: text().nullable().describe('link from metadata'),
  })
  .meta({ id: 'TokenCard', description: 'An item of the list operations.' })
export type TokenCard = z.infer<typeof TokenCard>
