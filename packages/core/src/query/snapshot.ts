import { keyToBase58 } from '../base/base58.ts'
import { isoMicrosOrNull } from '../base/time.ts'
import type { SnapshotGroup, TokenSnapshot } from '../contract/resources.ts'
import { isOriginal } from '../engine/duplication.ts'
import { sellImpact } from '../engine/history.ts'
import { ownedByLargest } from '../engine/holders.ts'
import type { Reading } from '../engine/reading/reading.ts'
import { countDump, countPump } from '../engine/reading/signals.ts'
import { isMigrated } from '../engine/tokens.ts'
import { duplication } from './duplication.ts'
import { ratingsOf } from './ratings.ts'
import { maybe, percent, share } from './round.ts'
import { scoreGroup } from './score.ts'
import { tokenFacts, tokenLinks } from './token-facts.ts'
import type { NewestView, TokenView } from './view.ts'

/** Groups that do not depend on holders. Requested alone, they are of the newest block. */
type PlainGroup = 'meta' | 'status' | 'market'
const PLAIN: ReadonlySet<SnapshotGroup> = new Set<PlainGroup>(['meta', 'status', 'market'])
export const isPlain = (group: SnapshotGroup): group is PlainGroup => PLAIN.has(group)

/** One renderer per group, so that fewer groups need fewer scans. */
type Groups = {
  [Group in SnapshotGroup]: (view: Group extends PlainGroup ? NewestView : TokenView) => TokenSnapshot[Group]
}

export const SNAPSHOT_GROUP: Groups = {
  meta: ({ live: { token }, wallet }) => ({
    ...tokenFacts(token),
    ...tokenLinks(token),
    deployer: token.deployer >= 0 ? keyToBase58(wallet(token.deployer).address) : null,
    name: token.name,
    symbol: token.symbol,
  }),
  status: ({ live: { token } }) => ({
    dex_paid: token.dexPaidTime > 0,
    dex_paid_at: isoMicrosOrNull(token.dexPaidTime),
    duplication: duplication(token.dup),
    has_migrated: isMigrated(token),
    is_og: isOriginal(token),
    migrated_at: isoMicrosOrNull(token.migratedTime),
  }),
  market: ({ live: { token } }) => ({
    ath_at: isoMicrosOrNull(token.athTime),
    ath_mcap: token.ath,
    ath_slot: Math.max(0, token.athSlot),
    mcap: token.mcap,
  }),
  holders: renderHolders,
  bundles: ({ live: { token }, reading }) => {
    const { bundles } = reading()
    return {
      count: bundles.count,
      owned_pct_supply: share(bundles.owned, token.supply),
      red_count: bundles.redCount,
      top_3_sizes_pct: bundles.largest.map((balance) => share(balance, token.supply)),
    }
  },
  score: ({ reading }) => scoreGroup(reading()),
  cohorts: ({ reading }) => renderCohorts(reading()),
  kols: ({ live: { token }, reading }) => {
    const { kols } = reading()
    return {
      count: kols.length,
      list: kols.map(({ wallet, balance, expectedSellSlot }) => ({
        expected_sell_slot: expectedSellSlot,
        pct_of_supply: share(balance, token.supply),
        sell_impact: maybe(sellImpact(wallet), percent),
        user_name: wallet.name,
        wallet: keyToBase58(wallet.address),
      })),
    }
  },
  signals: ({ conditions }) => {
    const met = conditions()
    return {
      dump_conditions_met: met === null ? null : countDump(met),
      pump_conditions_met: met === null ? null : countPump(met),
    }
  },
  ratings: ({ reading, conditions }) => ratingsOf(reading(), conditions()),
}

function renderCohorts({ cohorts, holders: { owned } }: Reading): TokenSnapshot['cohorts'] {
  const pct = (buckets: readonly number[]) => buckets.map((balance) => share(balance, owned)) as Five
  const [doa, kissOfDeath, mid, strong, insiderVibes] = pct(cohorts.healthyRate)
  const buys = pct(cohorts.buys)
  const hold = pct(cohorts.hold)
  const pnl = pct(cohorts.pnl)
  const roi = pct(cohorts.roi)
  const impact = pct(cohorts.sellImpact)
  const sol = pct(cohorts.solBalance)
  return {
    buys_pct: {
      under_10: buys[0],
      between_10_100: buys[1],
      between_100_1k: buys[2],
      between_1k_10k: buys[3],
      over_10k: buys[4],
    },
    hcr_pct: { doa, insider_vibes: insiderVibes, kiss_of_death: kissOfDeath, mid, strong },
    hold_duration_pct: {
      under_60s: hold[0],
      between_60s_150s: hold[1],
      between_150s_300s: hold[2],
      between_300s_600s: hold[3],
      over_600s: hold[4],
    },
    pnl_pct: {
      loss_50_plus: pnl[0],
      loss_0_to_50: pnl[1],
      profit_0_to_50: pnl[2],
      profit_50_to_150: pnl[3],
      profit_150_plus: pnl[4],
    },
    roi_pct: { rekt: roi[0], bleeding: roi[1], flat: roi[2], printing: roi[3], sus_high: roi[4] },
    sell_impact_pct: {
      under_neg9_9: impact[0],
      neg9_9_to_neg3_6: impact[1],
      neg3_6_to_neg0_61: impact[2],
      neg0_61_to_pos2_2: impact[3],
      over_pos2_2: impact[4],
    },
    sol_balance_pct: {
      under_1: sol[0],
      between_1_3: sol[1],
      between_3_10: sol[2],
      between_10_100: sol[3],
      over_100: sol[4],
    },
  }
}

type Five = [number, number, number, number, number]

function renderHolders({ live, wallet, reading }: TokenView): TokenSnapshot['holders'] {
  const { supply } = live.token
  const { holders } = reading()
  const { count, owned, top } = holders
  const largest = (n: number): number => share(ownedByLargest(holders, n), supply)
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
