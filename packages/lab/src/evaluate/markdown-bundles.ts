import type { BundleResult, PairResult } from './bundles.ts'
import { table } from './markdown-table.ts'
import { fixed, percent, whole, withInterval } from './numbers.ts'

export function bundleSection(result: BundleResult): string {
  const { all, hidden, kept, placebo } = result
  const parts = [
    '## Bundles',
    `Confirmed an hour after creation: ${whole(result.groups)} groups on ${whole(result.tokens)} tokens, ${whole(result.pairs)} pairs of wallets.`,
  ]
  if (kept !== null) {
    const share = percent(kept.pairs === 0 ? null : kept.again / kept.pairs)
    parts.push(
      `With families A and J hidden, the others find ${whole(kept.again)} of ${whole(kept.pairs)} of these pairs again (${share}).`,
    )
  }
  if (all === null)
    return [...parts, 'Nobody knows the truth of this log: precision and recall cannot be said.'].join('\n\n')
  parts.push(
    `${whole(all.notLookedAt)} tokens with planted groups are left out because the log ends within their first hour.`,
    pairTable(all, hidden),
  )
  if (all.byType.length > 0) parts.push(typeTable(all, hidden))
  if (placebo !== null) {
    parts.push(
      `Placebo: random groups of the same sizes from the wallets named for the same token, ${placebo.rounds} for each found group, have precision ${fixed(placebo.precision)}.`,
    )
  }
  return parts.join('\n\n')
}

const of = (part: number, all: number): string =>
  `${whole(part)} of ${whole(all)} (${percent(all === 0 ? null : part / all)})`

function pairTable(all: PairResult, hidden: PairResult | null): string {
  const row = (name: string, read: (result: PairResult) => string): string[] => [
    name,
    read(all),
    ...(hidden === null ? [] : [read(hidden)]),
  ]
  return table(
    ['pairs of wallets', 'all families', ...(hidden === null ? [] : ['A and J hidden'])],
    [
      row('precision', (result) => withInterval(result.precision)),
      row('found pairs planted together', (result) => of(result.correct, result.found)),
      row('recall', (result) => withInterval(result.recall)),
      row('planted pairs found', (result) => of(result.recalled, result.planted)),
      row("independent snipers' pairs put together", (result) => of(result.sniperMerges, result.sniperPairs)),
      row('the same, of all found pairs', (result) => of(result.sniperMerges, result.found)),
      row('copy traders linked with their leader', (result) => of(result.copyMerges, result.copyPairs)),
      row('wrong pairs of two wash traders', (result) => whole(result.washerMerges)),
    ],
  )
}

function typeTable(all: PairResult, hidden: PairResult | null): string {
  const again = new Map(hidden?.byType.map((type) => [type.type, type]))
  return table(
    ['evasion type', 'bundles', 'touched', 'pairs found', ...(hidden === null ? [] : ['A and J hidden'])],
    all.byType.map(({ type, bundles, touched, planted, recalled }) => {
      const other = again.get(type)
      const row = [type, whole(bundles), of(touched, bundles), of(recalled, planted)]
      return hidden === null ? row : [...row, of(other?.recalled ?? 0, other?.planted ?? planted)]
    }),
  )
}
