import type { AppExplain } from '../../../../src/contract/app.ts'

/** Who is behind each percentage: names of the shares, and their reasons in words. */

export type ShareName = keyof AppExplain['shares']

const SHARES: Record<ShareName, readonly [label: string, means: string, tone: 'good' | 'bad']> = {
  bundle_pct: ['Bundled', 'Held by members of confirmed coordinated groups.', 'bad'],
  dirty_pct: ['Dirty', 'Held by suspicious wallets, each counted once.', 'bad'],
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

/** `groupNames`: id of a group → its name */
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

/** Every id under which a group was ever known. */
export const groupNamesOf = (bundles: AppExplain['bundles']): Map<string, string> =>
  new Map(bundles.flatMap(({ id, name, aliases }) => [id, ...aliases].map((known) => [known, name] as const)))
