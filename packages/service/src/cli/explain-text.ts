import { counted, pct, signed, sol } from '@ti/core/base/format.ts'
import type { Explanation } from '@ti/core/contract/explain.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { OUTLOOK } from '@ti/core/engine/constants.ts'
import { span } from '@ti/core/query/span.ts'
import type { painter } from './terminal-text.ts'
import { ago, table, whoLines } from './who-lines.ts'

/** wallets named per share; the JSON form has more */
const NAMED = 5

/** The verdict and the people, then where the numbers come from: score, outlook, shares, groups, signals. */
export function explanationText(e: Explanation, who: Who, paint: ReturnType<typeof painter>): string {
  const parts = [
    [...whoLines(who, paint), `as of slot ${e.slot}`],
    e.quote === null ? [] : [quoteText(e.quote)],
    scoreLines(e),
    outlookLines(e),
    firstBuyersLines(e),
    deployerLines(e),
    sharesLines(e),
    e.bundles.length === 0 ? ['no coordinated wallets found'] : e.bundles.flatMap((one) => bundleLines(one, e.slot)),
    signalsLines(e),
  ]
  const text = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `${text.join('\n\n')}\n`
}

function quoteText({ mint, decimals, market_cap }: NonNullable<Explanation['quote']>): string {
  const note = decimals === null ? 'its decimals are unknown too' : `${decimals} decimals`
  const worth = market_cap === null ? '' : `; market cap ${market_cap} of it`
  return `quoted in ${mint} (${note}), which has no known price: amounts in SOL and USD are unknown and shown as 0${worth}`
}

const points = (value: number): string => `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(6)}`.padStart(11)

/** What moves the sum beside the metrics. */
const MOVED: Readonly<Record<string, string>> = {
  prior: 'closer to the average token, as little is known of its holders',
}

function scoreLines({ score, ratings }: Explanation): string[] {
  const rows = score.contributions.map((row) => {
    const how =
      row.reading == null
        ? (MOVED[row.what] ?? row.what)
        : `${row.what} ${row.reading} is worth ${row.rated} of 10, weight ${row.weight}`
    return `${points(row.points)}  ${how}`
  })
  const { count, effective } = score.independent
  return [
    `score ${score.value.toFixed(1)} of 10, ${ratings.score}: ${pct(100 * score.coverage)} of held supply is in wallets with a track record`,
    ...rows,
    `${points(score.value)}  sum`,
    `independent holders: ${count} with 0.05 SOL or more, as spread out as ${effective} of equal size`,
  ]
}

const ASKED = {
  drain: 'drained within an hour',
  halving: 'down by half within an hour',
  buyer: 'a gain for a buyer of 0.5 SOL',
} as const

function outlookLines({ outlook }: Explanation): string[] {
  let shown = ''
  return Object.entries(ASKED).flatMap(([question, words]) => {
    const of = outlook[question as keyof typeof ASKED]
    if (of === null) return [`${words}: not asked of a token of this age or price`]
    const { p, n, hits, by, age_slots, inputs } = of
    const answer =
      p === null
        ? `unknown, only ${n} tokens like it so far and ${OUTLOOK.least} are needed`
        : `${hits} of the last ${n} like it (${pct(100 * p)})`
    const rows = inputs.map(({ input, at_least, below }) => `  ${input} ${rangeText(at_least, below)}`)
    const isShown = shown === rows.join()
    shown = rows.join()
    const how = by === 'together' ? 'all readings together' : by
    return [`${words}: ${answer}; read at ${span(age_slots)}, alike by ${how}`, ...(isShown ? [] : rows)]
  })
}

function rangeText(from: number | null, below: number | null): string {
  if (from === null && below === null) return 'no reading'
  return from === null ? `below ${below}` : below === null ? `from ${from}` : `from ${from} to ${below}`
}

function firstBuyersLines({
  who: { first_buyers: of, funders_traced_pct, largest_checked },
  slot,
}: Explanation): string[] {
  const checked =
    largest_checked === null
      ? []
      : [
          `largest balances checked with a node ${ago(slot - largest_checked.slot)}: ${pct(largest_checked.corrected_pct)} of supply corrected`,
        ]
  const funders = [`funders are known for ${pct(funders_traced_pct)} of held supply`, ...checked]
  if (of === null) return ['first buyers unknown: the launch was not seen', ...funders]
  const { count, buyers, holding, gain, loss, moved, unpriced, bought_pct, held_pct, paid_sol, got_sol } = of
  const other = unpriced > 0 ? `, ${unpriced} for something without a known price` : ''
  return [
    `first ${count} of ${buyers} buyers: ${holding} hold, ${gain} sold at a gain, ${loss} at a loss${other} (paid ${sol(paid_sol)} SOL, got ${sol(got_sol)}), ` +
      `${moved} moved it elsewhere; bought ${pct(bought_pct)} of supply, hold ${pct(held_pct)}`,
    ...funders,
  ]
}

type Deeds = NonNullable<NonNullable<Explanation['who']['deployer']>['all']>

function deployerLines({ who: { deployer, launch }, slot }: Explanation): string[] {
  const { fee_payer, creator, creator_kind, named, fee_owners, changes } = launch
  const stranger = named !== null && !named.signed ? `, named without its signature: ${named.wallet}` : ''
  return [
    deployer === null ? 'deployer unknown' : `deployer ${deployer.wallet}`,
    ...deedsLines('other launches', deployer?.all ?? null),
    ...((deployer?.all?.launches ?? 0) > 20 ? deedsLines('the last 20', deployer?.last_20 ?? null) : []),
    ...(fee_payer === null ? [] : [`fee of the creation paid by ${fee_payer}`]),
    creator === null ? 'creator unknown' : `creator ${creator} (${creator_kind?.replaceAll('_', ' ')})${stranger}`,
    ...fee_owners.map(({ address, share_pct }) => `  ${pct(share_pct)} of its fees to ${address}`),
    ...changes.map((one) =>
      `  ${one.slot < 0 ? 'at an unknown time' : ago(slot - one.slot)}: ${one.what.replaceAll('_', ' ')} ${one.address ?? ''}`.trimEnd(),
    ),
  ]
}

function deedsLines(which: string, deeds: Deeds | null): string[] {
  if (deeds === null || deeds.launches === 0) return deeds === null ? [] : [`  ${which}: none`]
  const { launches, drained, rugged, sold, taken_sol, first_sale_slots, bought_pct, bundled_1m_pct } = deeds
  const parts = [
    `${launches}, ${drained} drained (${rugged} rugged), result ${signed(taken_sol, sol(taken_sol))} SOL`,
    ...(first_sale_slots === null ? [] : [`sold ${sold} of them, first after ${span(first_sale_slots)}`]),
    ...(bought_pct === null ? [] : [`bought ${pct(bought_pct)} at creation`]),
    ...(bundled_1m_pct === null ? [] : [`${pct(bundled_1m_pct)} in groups after a minute`]),
  ]
  return [`  ${which}: ${parts.join('; ')}`]
}

const SHARES: Readonly<Record<string, string>> = { dirty_pct: 'dirty_pct (suspicious wallets)' }

const sharesLines = ({ shares }: Explanation): string[] =>
  Object.entries(shares).flatMap(([name, { pct: all, wallets, largest }]) => [
    `${SHARES[name] ?? name} ${pct(all, 2)}: ${counted(wallets, 'wallet')}`,
    ...table(
      largest.slice(0, NAMED).map((row) => [pct(row.pct, 2), row.wallet, (row.why ?? []).join(', ')]),
      new Set([1, 2]),
    ).map((line) => `  ${line}`),
    ...(wallets > NAMED ? [`  and ${wallets - NAMED} more`] : []),
  ])

function bundleLines(bundle: Explanation['bundles'][number], slot: number): string[] {
  const state = bundle.confirmed ? (bundle.red ? 'confirmed, selling heavily' : 'confirmed') : 'not confirmed'
  const members = bundle.members.map(({ wallet, pct_of_supply }) => [pct(pct_of_supply, 2), wallet])
  const evidence = bundle.evidence.map(({ wallets, families }) => {
    const why = families.map((one) => `${one.family.replaceAll('_', ' ')} ${ago(slot - one.slot)}`).join(', ')
    return `  ${wallets.map((wallet) => wallet.slice(0, 8)).join(' + ')}: ${why}`
  })
  return [
    `group ${bundle.name} (${bundle.id}), ${state}, ${pct(bundle.pct_of_supply)} of supply`,
    ...table(members, new Set([1])).map((line) => `  ${line}`),
    ...evidence,
  ]
}

function signalsLines({ signals, one_wallet }: Explanation): string[] {
  if (signals === null) return ['no trades yet, so no signals']
  const rows = signals.map(({ name, value, also, pump, dump, edges }) => {
    const readings = [`${name} ${value ?? 'no reading'}`, ...also.map((one) => `${one.name} ${one.value}`)].join(', ')
    return `${pump ? 'pump' : dump ? 'dump' : '   –'}  ${readings} (pump ${edges.pump}; dump ${edges.dump})`
  })
  return [...oneWalletLines(one_wallet), ...rows]
}

function oneWalletLines(of: Explanation['one_wallet']): string[] {
  if (of === null) return []
  const part = ({ trades_pct, volume_pct }: typeof of.wash): string =>
    `${pct(trades_pct)} of the trades and ${pct(volume_pct)} of the volume in 5 minutes`
  const busiest = of.busiest === null ? [] : [`the busiest wallet made ${part(of.busiest)}`]
  return [...busiest, `wash traders made ${part(of.wash)}`]
}
