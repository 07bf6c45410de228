import type { WhoAnswer } from './who.ts'

/** Ownership of a token as plain text. */
export function whoText({
  classes,
  first_buyers,
  funders_traced_pct,
  largest_checked,
  deployer,
  launch,
}: WhoAnswer): string {
  const rows = Object.entries(classes).map(([name, sums]) =>
    sums === null
      ? `  ${name.padEnd(12)} unknown`
      : `  ${name.padEnd(12)} ${sums.wallets === null ? '' : `${sums.wallets} wallets, `}hold ${sums.held_pct}, at most ${sums.peak_pct}, sold ${sums.sold_pct}`,
  )
  return [
    'classes, % of supply',
    ...rows,
    firstBuyersText(first_buyers),
    `funders are known of ${funders_traced_pct} % of held supply`,
    ...checkText(largest_checked),
    ...deployerText(deployer),
    ...launchText(launch),
  ].join('\n')
}

const checkText = (of: WhoAnswer['largest_checked']): string[] =>
  of === null
    ? []
    : [`largest balances as a node reported them at slot ${of.slot}: ${of.corrected_pct} % of supply corrected`]

function firstBuyersText(of: WhoAnswer['first_buyers']): string {
  if (of === null) return 'first buyers unknown: the launch was not seen'
  const { count, buyers, holding, gain, loss, moved, unpriced, bought_pct, held_pct, paid_sol, got_sol } = of
  const sold = `${gain} sold at a gain, ${loss} at a loss${unpriced > 0 ? `, ${unpriced} for something of unknown price` : ''}`
  return `first ${count} of ${buyers} buyers: ${holding} hold, ${sold} (paid ${paid_sol} SOL, got ${got_sol}), ${moved} moved it; bought ${bought_pct} % of supply, hold ${held_pct} %`
}

type DeployerAnswer = NonNullable<WhoAnswer['deployer']>

function deployerText(of: WhoAnswer['deployer']): string[] {
  if (of === null) return ['deployer unknown']
  if (of.all?.launches === 0) return [`deployer ${of.wallet}, first launch`]
  return [`deployer ${of.wallet}, other launches`, ...deedsText('all', of.all), ...deedsText('last 20', of.last_20)]
}

function launchText({ fee_payer, creator, creator_kind, named, fee_owners, changes }: WhoAnswer['launch']): string[] {
  const stranger = named !== null && !named.signed ? `, named without its signature: ${named.wallet}` : ''
  return [
    ...(fee_payer === null ? [] : [`fee of the creation paid by ${fee_payer}`]),
    creator === null ? 'creator unknown' : `creator ${creator} (${creator_kind})${stranger}`,
    ...fee_owners.map(({ address, share_pct }) => `  ${share_pct} % of its fees to ${address}`),
    ...changes.map(({ what, address, slot }) => `  slot ${slot}: ${what}${address === null ? '' : ` ${address}`}`),
  ]
}

function deedsText(which: string, deeds: DeployerAnswer['all']): string[] {
  if (deeds === null) return []
  const { launches, drained, rugged, sold, taken_sol, first_sale_slots, bought_pct, bundled_1m_pct } = deeds
  const parts = [
    `${launches} launches, ${drained} drained, ${rugged} rugged, ${taken_sol} SOL taken out`,
    ...(first_sale_slots === null ? [] : [`sold ${sold} of them, first after ${first_sale_slots} slots`]),
    ...(bought_pct === null ? [] : [`bought ${bought_pct} % at the creation`]),
    ...(bundled_1m_pct === null ? [] : [`${bundled_1m_pct} % in bundles after a minute`]),
  ]
  return [`  ${which}: ${parts.join('; ')}`]
}
