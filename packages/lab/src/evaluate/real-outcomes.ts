import { auroc, rank } from './auc.ts'
import { bootstrap, clusterBy, difference, type Estimate, interval, RESAMPLES } from './bootstrap.ts'
import { percent, signed, withInterval } from './numbers.ts'
import { createRandom } from './random.ts'
import { flag, number, type Row, row, rows, string } from './records.ts'

/** names in the source: figures of the first minute after graduation */
const FEATURES: readonly (readonly [string, string])[] = [
  ['f60_uniq_buyers', 'distinct buyers'],
  ['f60_n_buys', 'buys'],
  ['f60_net_sol', 'net SOL in'],
  ['f60_max_buy_sol', 'largest buy'],
]

/** names in the source: output of its own detector */
const DETECTOR: readonly (readonly [string, string])[] = [
  ['f_cluster_size', 'wallets in the flagged cluster'],
  ['f_common_funder_n', 'wallets of one funder'],
  ['f_snipe_sol', 'SOL sniped'],
]

const OUTCOME = 't_ath_ge_300k_buyable'

/** `file`: graduates with their later all-time high. Outcome: 300,000 USD reached after a purchase was possible. */
export function outcomeNotes(file: unknown, seed: number): string[] {
  const usable = rows(row(file).B).filter(
    (one) =>
      flag(one, 'q_mc_plausible') === true && flag(one, 'q_mc_regime_ok') === true && flag(one, OUTCOME) !== null,
  )
  const captured = rows(row(file).C).filter(
    (one) => flag(one, 'q_mc_plausible') === true && flag(one, OUTCOME) !== null,
  )
  const flagged = rows(row(file).A).filter(
    (one) => flag(one, 'poison_default') === false && flag(one, OUTCOME) !== null,
  )
  return [
    `${usable.length} fast graduates with a plausible market cap when detected; ${hits(usable)} later stood at 300,000 USD or more and could still be bought before.`,
    `The market cap when detected foretells this with AUROC ${withInterval(interval(area(usable, 'detect_mc', OUTCOME, seed)))}: a real measure of the baseline that a score must beat.`,
    `For ${captured.length} graduates the first minute of pool trading was captured (${hits(captured)}). AUROC on those: ${features(captured, FEATURES, seed)}.`,
    `Among ${flagged.length} launches that the source's detector flagged as bundled or sniped (${hits(flagged)}): ${features(flagged, DETECTOR, seed)}. Label "BUNDLER": ${bundler(flagged)}.`,
    "Intervals are 95 %, drawing together what the source clustered in time. The set holds graduates only, of three weeks in 2026; its flags are one author's detector and not truth, and there are no launch trades of these tokens here: neither the score nor our groups can be judged on it.",
  ]
}

const hits = (of: readonly Row[]): string => {
  const n = of.filter((one) => flag(one, OUTCOME) === true).length
  return `${n}, ${percent(of.length === 0 ? null : n / of.length)}`
}

/** AUROC of one field for a flag; rows without the field are dropped. */
export function area(of: readonly Row[], field: string, outcome: string, seed: number): Estimate {
  const known = of.filter((one) => number(one, field) !== null)
  const clusters = clusterBy(known.map((one) => clusterOf(one)))
  const positive = Uint8Array.from(known, (one) => (flag(one, outcome) === true ? 1 : 0))
  const values = known.map((one) => number(one, field)!)
  const ranking = rank(values, positive, clusters.of)
  const random = createRandom(seed, `real ${field} ${known.length}`)
  return bootstrap(clusters.count, { area: (draws) => auroc(ranking, draws) }, RESAMPLES.headline, random).area
}

const clusterOf = (one: Row): string | null => {
  const cluster = number(one, 'cluster_id')
  return cluster === null ? null : `${string(one, 'day')} ${cluster}`
}

/** Each feature, and the lead of the market cap over it on the same rows. */
function features(of: readonly Row[], names: readonly (readonly [string, string])[], seed: number): string {
  const mcap = withInterval(interval(area(of, 'detect_mc', OUTCOME, seed)))
  const each = names.map(([field, words]) => `${words} ${withInterval(interval(area(of, field, OUTCOME, seed)))}`)
  return [`market cap ${mcap}`, ...each].join(', ')
}

/** Outcome rate with and without the label, and the difference. */
function bundler(flagged: readonly Row[]): string {
  const isBundler = (one: Row): boolean => string(one, 'f_bot_label') === 'BUNDLER'
  const counted = flagged.map((one) => ({ ...one, bundler: isBundler(one) ? 1 : 0 }))
  const estimate = area(counted, 'bundler', OUTCOME, 1)
  const half: Estimate = { value: 0.5, replicates: new Float64Array(estimate.replicates.length).fill(0.5) }
  const groups = [flagged.filter(isBundler), flagged.filter((one) => !isBundler(one))]
  return `${groups.map(hits).join(' with it against ')} without; AUROC minus a half ${withInterval(interval(difference(estimate, half)), signed)}`
}
