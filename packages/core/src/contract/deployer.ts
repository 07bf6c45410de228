import { z } from 'zod'
import { address, dateTime, pct, slot, tally, text, usd } from './scalars.ts'

export const DevToken = z
  .object({
    ath_at: dateTime().nullable().describe('time of the peak'),
    ath_mcap: usd().nullable().describe('peak market cap, USD; null when never recorded'),
    ath_slot: slot().nullable().describe('chain slot of the peak'),
    deployed_at: dateTime().nullable().describe('launch time'),
    dex_paid: z.boolean().describe('true once a DEX listing order was confirmed'),
    has_migrated: z.boolean().describe('true once graduated'),
    image_uri: text().nullable().describe('image URL'),
    launchpad: text().nullable().describe('launchpad of deployment, for example `pumpfun` or `launchlab`'),
    migrated_at: dateTime().nullable(),
    mint: address().describe('token mint address, base58'),
    name: text(),
    symbol: text(),
  })
  .meta({ id: 'DevToken', description: 'One launch of a deployer.' })
export type DevToken = z.infer<typeof DevToken>

const percentile = () => usd().nullable().describe('USD; null without a recorded peak')

export const DevSummary = z
  .object({
    ath_mcap_percentiles: z
      .object({ p25: percentile(), p50: percentile(), p75: percentile(), p90: percentile() })
      .describe('peak market caps, nearest rank'),
    ath_milestones: z.array(
      z.object({
        mcap: usd().describe('rung, USD'),
        pct: pct().describe('percent of the sample that reached it'),
        reached: tally().describe('launches that reached it'),
      }),
    ),
    ath_sample_size: tally().describe('launches with a recorded peak; the denominator'),
    best_ath_mcap: usd().nullable().describe('USD'),
    bond_rate: pct().describe('percent of launches that graduated'),
    bonded_count: tally().describe('how many graduated'),
    total_deployed: tally().describe('tokens launched by the deployer'),
  })
  .meta({ id: 'DevSummary', description: 'Over all launches of the deployer, not the page.' })
export type DevSummary = z.infer<typeof DevSummary>
