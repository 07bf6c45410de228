import type { AppExplain } from '@ti/core/contract/app.ts'
import type { TokenSnapshot } from '@ti/core/contract/resources.ts'

/** Names of the shares, and their reasons in words. */

export type ShareName = keyof AppExplain['shares']

const SHARES: Record<ShareName, readonly [label: string, means: string, tone: 'good' | 'bad']> = {
  bundle_pct: ['Bundled', 'Held by members of confirmed coordinated groups.', 'bad'],
  dirty_pct: ['Suspicious', 'Held by suspicious wallets, each counted once.', 'bad'],
  dumpers_pct: ['Dumpers', 'Held by wallets whose past sells lowered prices by more than 0.6%.', 'bad'],
  chart_nukers_pct: ['Chart nukers', 'Held by wallets whose past sells lowered prices by more than 3.6%.', 'bad'],
  jeets_pct: ['Quick sellers', 'Held by wallets that usually sell within a minute.', 'bad'],
  alpha_hands_pct: ['Alpha hands', 'Held by wallets with a record of picking winners.', 'good'],
  diamond_hands_pct: ['Diamond hands', 'Held for more than ten minutes.', 'good'],
  in_profit_pct: ['In profit', 'Worth at least what its holders paid.', 'good'],
  smart_wallets: ['Smart money', 'Held by wallets with a long record of profit.', 'good'],
}

const REASONS: Record<string, string> = {
  bundle: 'in a coordinated group',
  sniper: 'bought within seconds of the launch',
  wash: 'wash trader',
  serialRugger: 'serial rugger',
  fresh: 'new wallet',
  insider: 'deployer or funded by it',
}

interface ShareHolder {
  readonly wallet: string
  readonly pct: number
  readonly why: readonly string[]
}

export interface ShareRow {
  readonly name: ShareName
  readonly label: string
  readonly means: string
  readonly tone: 'good' | 'bad'
  readonly pct: number
  readonly wallets: number
  readonly largest: readonly ShareHolder[]
}

/** `groupNames`: names of groups by id */
export function shareRows(shares: AppExplain['shares'], groupNames: ReadonlyMap<string, string>): ShareRow[] {
  return (Object.keys(SHARES) as ShareName[]).flatMap((name) => {
    const share = shares[name]
    if (share === undefined) return []
    const [label, means, tone] = SHARES[name]
    const largest = share.largest.map(({ wallet, pct, why = [] }) => ({
      wallet,
      pct,
      why: why.map((reason) => reasonInWords(reason, groupNames)),
    }))
    return [{ name, label, means, tone, pct: share.pct, wallets: share.wallets, largest }]
  })
}

function reasonInWords(reason: string, groupNames: ReadonlyMap<string, string>): string {
  const group = groupNames.get(reason)
  if (group !== undefined) return `in ${group}`
  const impact = /^sell impact (-?[\d.]+)$/.exec(reason)
  if (impact) return `prices after its sells: ${String(impact[1]).replace('-', '−')}%`
  return REASONS[reason] ?? reason
}

/** Names of groups by every id that they ever had. */
export const groupNamesOf = (bundles: AppExplain['bundles']): Map<string, string> =>
  new Map(bundles.flatMap(({ id, name, aliases }) => [id, ...aliases].map((known) => [known, name] as const)))

/** Cohorts as bars, with the share that no bucket covers. */

type Tone = 'good' | 'bad' | 'plain'

interface Bucket {
  readonly label: string
  readonly pct: number
  readonly tone: Tone
}

export interface Cohort {
  readonly name: keyof TokenSnapshot['cohorts']
  readonly label: string
  /** one sentence */
  readonly means: string
  readonly buckets: readonly Bucket[]
  /** share of holders without a reading */
  readonly unread: number
}

type Words = readonly (readonly [key: string, label: string, tone?: Tone])[]

const COHORTS: Record<keyof TokenSnapshot['cohorts'], readonly [label: string, means: string, buckets: Words]> = {
  hold_duration_pct: [
    'Held for',
    'How long the holders have held. More than ten minutes counts as diamond hands.',
    [
      ['under_60s', 'under 1 min'],
      ['between_60s_150s', '1 to 2.5 min'],
      ['between_150s_300s', '2.5 to 5 min'],
      ['between_300s_600s', '5 to 10 min'],
      ['over_600s', 'over 10 min', 'good'],
    ],
  ],
  buys_pct: [
    'Tokens bought before',
    'How many different tokens the holders have bought in their history.',
    [
      ['under_10', 'under 10'],
      ['between_10_100', '10 to 100'],
      ['between_100_1k', '100 to 1k'],
      ['between_1k_10k', '1k to 10k'],
      ['over_10k', 'over 10k'],
    ],
  ],
  sol_balance_pct: [
    'SOL balance',
    'The holders’ SOL balances at their last trade.',
    [
      ['under_1', 'under 1'],
      ['between_1_3', '1 to 3'],
      ['between_3_10', '3 to 10'],
      ['between_10_100', '10 to 100'],
      ['over_100', 'over 100'],
    ],
  ],
  pnl_pct: [
    'Lifetime profit, SOL',
    'The holders’ profit or loss over all their trades.',
    [
      ['loss_50_plus', 'lost more than 50', 'bad'],
      ['loss_0_to_50', 'lost up to 50', 'bad'],
      ['profit_0_to_50', 'gained up to 50', 'good'],
      ['profit_50_to_150', 'won 50 to 150', 'good'],
      ['profit_150_plus', 'gained more than 150', 'good'],
    ],
  ],
  roi_pct: [
    'Lifetime return',
    'Profit relative to cost of the holders’ closed positions. A very high return over many trades is suspicious.',
    [
      ['rekt', 'rekt: below −50%', 'bad'],
      ['bleeding', 'bleeding: to −10%', 'bad'],
      ['flat', 'flat: within 10%'],
      ['printing', 'printing: over 10%', 'good'],
      ['sus_high', 'suspicious: 150%+', 'bad'],
    ],
  ],
  hcr_pct: [
    'Healthy picks',
    'Share of the holders’ past picks that were still healthy an hour later. Being right nearly always suggests inside knowledge.',
    [
      ['doa', 'dead: under 10%', 'bad'],
      ['kiss_of_death', 'kiss of death: to 25%', 'bad'],
      ['mid', 'middling: to 45%'],
      ['strong', 'strong: to 70%', 'good'],
      ['insider_vibes', 'insider vibes: 70%+', 'bad'],
    ],
  ],
  sell_impact_pct: [
    'Effect of past sells',
    'How the price moved after the holders’ past sells. The first two are the chart nukers.',
    [
      ['under_neg9_9', 'under −9.9%', 'bad'],
      ['neg9_9_to_neg3_6', '−9.9 to −3.6%', 'bad'],
      ['neg3_6_to_neg0_61', '−3.6 to −0.6%'],
      ['neg0_61_to_pos2_2', '−0.6 to +2.2%', 'good'],
      ['over_pos2_2', 'over +2.2%', 'good'],
    ],
  ],
}

export function cohortRows(cohorts: TokenSnapshot['cohorts']): Cohort[] {
  return (Object.keys(COHORTS) as (keyof TokenSnapshot['cohorts'])[]).map((name) => {
    const [label, means, words] = COHORTS[name]
    const values: Record<string, number> = cohorts[name]
    const buckets = words.map(([key, bucket, tone = 'plain']) => ({ label: bucket, pct: values[key] ?? 0, tone }))
    const known = buckets.reduce((sum, { pct }) => sum + pct, 0)
    // each share is rounded to two decimals; five roundings leave less than this
    const unread = 100 - known
    return { name, label, means, buckets, unread: unread > 0.05 ? unread : 0 }
  })
}
