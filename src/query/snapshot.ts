import { keyToBase58 } from '../base/base58.ts'
import { isoMicrosOrNull } from '../base/time.ts'
import type { SnapshotGroup, TokenSnapshot } from '../contract/resources.ts'
import { isOriginal } from '../engine/duplication.ts'
import { viewHolders } from '../engine/holders.ts'
import type { Wallet } from '../engine/state.ts'
import type { LiveToken } from '../engine/token-book.ts'
import { isMigrated } from '../engine/tokens.ts'
import { duplication, NO_RATINGS } from './readings.ts'
import { share } from './round.ts'
import { tokenFacts, tokenLinks } from './token-facts.ts'

/** One renderer a group: a caller that asks for fewer groups pays for fewer scans. */
type Groups = { [Group in SnapshotGroup]: (live: LiveToken, wallet: (id: number) => Wallet) => TokenSnapshot[Group] }

export const SNAPSHOT_GROUP: Groups = {
  meta: ({ token }, wallet) => ({
    ...tokenFacts(token),
    ...tokenLinks(token),
    deployer: token.deployer >= 0 ? keyToBase58(wallet(token.deployer).address) : null,
    name: token.name,
    symbol: token.symbol,
  }),
  status: ({ token }) => ({
    dex_paid: token.dexPaidTime > 0,
    dex_paid_at: isoMicrosOrNull(token.dexPaidTime),
    duplication: duplication(token.dup),
    has_migrated: isMigrated(token),
    is_og: isOriginal(token),
    migrated_at: isoMicrosOrNull(token.migratedTime),
  }),
  market: ({ token }) => ({
    ath_at: isoMicrosOrNull(token.athTime),
    ath_mcap: token.ath,
    ath_slot: Math.max(0, token.athSlot),
    mcap: token.mcap,
  }),
  holders: renderHolders,
  bundles: () => ({ count: 0, owned_pct_supply: 0, red_count: 0, top_3_sizes_pct: [] }),
  score: () => ({
    alpha_hands_pct: 0,
    bundle_pct: 0,
    conviction_score: null,
    cooktimer_slots: 0,
    dirty_pct: 0,
    dumpers_pct: 0,
    in_profit_pct: 0,
    jeets_pct: 0,
    smart_wallets_count: 0,
    value: 0,
  }),
  cohorts: () => ({
    buys_pct: { under_10: 0, between_10_100: 0, between_100_1k: 0, between_1k_10k: 0, over_10k: 0 },
    hcr_pct: { doa: 0, insider_vibes: 0, kiss_of_death: 0, mid: 0, strong: 0 },
    hold_duration_pct: {
      under_60s: 0,
      between_60s_150s: 0,
      between_150s_300s: 0,
      between_300s_600s: 0,
      over_600s: 0,
    },
    pnl_pct: { loss_50_plus: 0, loss_0_to_50: 0, profit_0_to_50: 0, profit_50_to_150: 0, profit_150_plus: 0 },
    roi_pct: { rekt: 0, bleeding: 0, flat: 0, printing: 0, sus_high: 0 },
    sell_impact_pct: {
      under_neg9_9: 0,
      neg9_9_to_neg3_6: 0,
      neg3_6_to_neg0_61: 0,
      neg0_61_to_pos2_2: 0,
      over_pos2_2: 0,
    },
    sol_balance_pct: { under_1: 0, between_1_3: 0, between_3_10: 0, between_10_100: 0, over_100: 0 },
  }),
  kols: () => ({ count: 0, list: [] }),
  signals: () => ({ dump_conditions_met: null, pump_conditions_met: null }),
  ratings: () => NO_RATINGS,
}

function renderHolders(live: LiveToken, wallet: (id: number) => Wallet): TokenSnapshot['holders'] {
  const { supply } = live.token
  const { count, owned, top } = viewHolders(live)
  const largest = (n: number): number =>
    share(
      top.slice(0, n).reduce((sum, { balance }) => sum + balance, 0),
      supply,
    )
  return {
    count,
    pct_supply_owned: share(owned, supply),
    top: top.slice(0, 3).map((holder) => ({
      address: keyToBase58(wallet(holder.wallet).address),
      pct_of_supply: share(holder.balance, supply),
    })),
    top_3_pct: largest(3),
    top_5_pct: largest(5),
    top_10_pct: largest(10),
  }
}
