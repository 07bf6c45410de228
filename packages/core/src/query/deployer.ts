import { isoMicrosOrNull } from '../base/time.ts'
import type { DevSummary, DevToken } from '../contract/resources.ts'
import type { DeployerRecord } from '../engine/deployers.ts'
import { isMigrated } from '../engine/tokens.ts'
import type { Token } from '../model/state.ts'
import { share } from './round.ts'
import { tokenFacts } from './token-facts.ts'

export const renderDevToken = (token: Token): DevToken => ({
  ...tokenFacts(token),
  ath_at: isoMicrosOrNull(token.athTime),
  ath_mcap: token.athSlot >= 0 ? token.ath : null,
  ath_slot: token.athSlot >= 0 ? token.athSlot : null,
  dex_paid: token.dexPaidTime > 0,
  has_migrated: isMigrated(token),
  migrated_at: isoMicrosOrNull(token.migratedTime),
  name: token.name,
  symbol: token.symbol,
})

export const renderDevSummary = (record: DeployerRecord): DevSummary => ({
  ath_mcap_percentiles: record.percentiles,
  ath_milestones: record.rungs.map(({ mcap, reached }) => ({ mcap, reached, pct: share(reached, record.sample) })),
  ath_sample_size: record.sample,
  best_ath_mcap: record.best,
  bond_rate: share(record.bonded, record.total),
  bonded_count: record.bonded,
  total_deployed: record.total,
})
