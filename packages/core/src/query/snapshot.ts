import { keyToBase58 } from '../base/base58.ts'
import { isoMicrosOrNull } from '../base/time.ts'
import { SNAPSHOT_SCHEMAS, type SnapshotGroup, type TokenSnapshot } from '../contract/snapshot.ts'
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
  const named = <Name extends Cohort>(name: Name, buckets: readonly number[]) =>
    Object.fromEntries(
      BUCKETS[name].map((bucket, at) => [bucket, share(buckets[at]!, owned)]),
    ) as TokenSnapshot['cohorts'][Name]
  const [doa, kissOfDeath, mid, strong, insiderVibes] = cohorts.healthyRate as Five
  return {
    buys_pct: named('buys_pct', cohorts.buys),
    hcr_pct: named('hcr_pct', [doa, insiderVibes, kissOfDeath, mid, strong]),
    hold_duration_pct: named('hold_duration_pct', cohorts.hold),
    pnl_pct: named('pnl_pct', cohorts.pnl),
    roi_pct: named('roi_pct', cohorts.roi),
    sell_impact_pct: named('sell_impact_pct', cohorts.sellImpact),
    sol_balance_pct: named('sol_balance_pct', cohorts.solBalance),
  }
}

type Cohort = keyof TokenSnapshot['cohorts']

/** The names of each cohort's buckets, in order. */
const BUCKETS = Object.fromEntries(
  Object.entries(SNAPSHOT_SCHEMAS.cohorts.shape).map(([name, { shape }]) => [name, Object.keys(shape)]),
) as unknown as Readonly<Record<Cohort, readonly string[]>>

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
