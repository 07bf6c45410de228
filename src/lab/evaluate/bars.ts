import type { Interval } from './bootstrap.ts'
import type { BundleResult, PairResult } from './bundles.ts'
import type { Calibration } from './calibration.ts'
import { type Cell, type Judgement, OUTCOMES_MIN } from './judge.ts'
import { percent, signed, withInterval } from './numbers.ts'
import type { Report } from './report.ts'
import type { Threshold } from './thresholds.ts'

/** Something the service should manage, and whether it does. null = this log cannot tell, and why. */
export interface Bar {
  readonly area: string
  readonly bar: string
  readonly passed: boolean | null
  readonly detail: string
}

/** Where the bars hang. They are set before looking, by what a reader would need to rely on the result. */
const HEIGHT = {
  /** expected calibration error of a probability */
  ece: 0.05,
  /** fall of the score's AUROC from the earliest to the latest part */
  drift: 0.05,
  /** share of one colour, among tokens that have one, above which a rating tells them apart no more */
  oneColour: 0.95,
  /** share of tokens that have a colour at all */
  coloured: 0.5,
  pairPrecision: 0.9,
  pairRecall: 0.5,
  /** independent snipers put together, of all their pairs */
  sniperMerges: 0.01,
} as const

export function barsOf(report: Omit<Report, 'bars'>): Bar[] {
  const inFull = new Set(report.judgements.map(({ decision, label }) => `${decision} ${label}`))
  return [
    ...report.judgements.flatMap(skill),
    ...report.cells.filter(({ decision, label }) => !inFull.has(`${decision} ${label}`)).flatMap(tableCell),
    ...report.thresholds.flatMap(spread),
    ...bundles(report.bundles),
    ...integrity(report.integrity),
  ]
}

/** Passed when the whole interval lies above `edge`. */
const above = ({ low }: Interval, edge: number): boolean | null => (low === null ? null : low > edge)

function skill(one: Judgement): Bar[] {
  const area = `${one.decision} ${one.label}`
  const bar = (name: string, passed: boolean | null, detail: string): Bar => ({ area, bar: name, passed, detail })
  if (!one.judged) {
    const counts = `${one.positives} of ${one.n} samples have the outcome`
    return [bar('enough of both outcomes to judge', null, counts), ...machinery(one, bar)]
  }
  const { mcap, trades, buyers, bothOfMcap } = one.ahead
  return [
    bar('the score beats chance', above(one.auroc.score, 0.5), `AUROC ${withInterval(one.auroc.score)}`),
    bar('the score beats the market cap alone', above(mcap, 0), `difference ${withInterval(mcap, signed)}`),
    bar('the score beats the trade count', above(trades, 0), `difference ${withInterval(trades, signed)}`),
    bar('the score beats the buyer count', above(buyers, 0), `difference ${withInterval(buyers, signed)}`),
    bar(
      'the score tells tokens of the same market cap apart',
      above(one.withinMcap.score, 0.5),
      `AUROC ${withInterval(one.withinMcap.score)}`,
    ),
    bar(
      'score and market cap together beat the market cap',
      above(bothOfMcap, 0),
      `difference ${withInterval(bothOfMcap, signed)}`,
    ),
    ...colours(one, bar),
    ...calibration(one, bar),
    ...metrics(one, bar),
    ...machinery(one, bar),
  ]
}

type MakeBar = (name: string, passed: boolean | null, detail: string) => Bar

function colours(one: Judgement, bar: MakeBar): Bar[] {
  const order = one.good ? 'green beats yellow beats red' : 'green has fewer than yellow, yellow fewer than red'
  return one.colours.map(({ rating, colours, monotone, apart }) => {
    const rates = (['green', 'yellow', 'red'] as const).map((name) => {
      const { n, rate } = colours[name]
      return `${name} ${rate === null ? 'none' : `${percent(rate)} of ${n}`}`
    })
    const note = monotone === true && apart === false ? '; the intervals overlap' : ''
    return bar(`${rating}: ${order}`, monotone, rates.join(', ') + note)
  })
}

function calibration(one: Judgement, bar: MakeBar): Bar[] {
  const [train, , test] = one.parts
  const { calibration: result } = one
  const comparable = (train?.score ?? null) !== null && (test?.score ?? null) !== null
  const drift = comparable ? train!.score! - test!.score! : 0
  const missing = 'a part of the log lacks one of the outcomes'
  return [
    bar(
      `the AUROC falls by at most ${HEIGHT.drift} from the earliest to the latest part`,
      comparable ? drift <= HEIGHT.drift : null,
      comparable ? `${train!.score!.toFixed(3)} to ${test!.score!.toFixed(3)}` : missing,
    ),
    bar(
      "the score's probability beats a constant (Brier)",
      result === null ? null : result.brier.score < result.brier.constant,
      result === null ? missing : `${result.brier.score.toFixed(4)} against ${result.brier.constant.toFixed(4)}`,
    ),
    bar(
      `calibration error at most ${HEIGHT.ece}`,
      result === null ? null : calibrated(result),
      result === null
        ? missing
        : `ECE ${result.ece.toFixed(3)}; perfect calibration would show ${result.eceByChance.mean.toFixed(3)} on so few`,
    ),
  ]
}

/** Too high, but not beyond what chance does on so few samples, is no verdict. */
function calibrated({ ece, eceByChance }: Calibration): boolean | null {
  if (ece <= HEIGHT.ece) return true
  return ece <= eceByChance.high ? null : false
}

/** Bars only for what is wrong or needed: a metric without an effect is in its table. */
function metrics(one: Judgement, bar: MakeBar): Bar[] {
  const backwards = one.metrics.filter(
    ({ n, positives, auroc }) =>
      Math.min(positives, n - positives) >= OUTCOMES_MIN && auroc.high !== null && auroc.high < 0.5,
  )
  const harmful = one.leaveOneOut.filter(({ worth }) => worth.high !== null && worth.high < 0)
  const list = (items: readonly { name: string }[], detail: (i: number) => string): string =>
    items.map(({ name }, i) => `${name} ${detail(i)}`).join(', ') || 'none'
  return [
    bar(
      'no metric points the wrong way',
      one.metrics.length === 0 ? null : backwards.length === 0,
      list(backwards, (i) => withInterval(backwards[i]!.auroc)),
    ),
    bar(
      'no metric makes the score worse',
      one.leaveOneOut.length === 0 ? null : harmful.length === 0,
      list(harmful, (i) => withInterval(harmful[i]!.worth, signed)),
    ),
  ]
}

function machinery({ permuted }: Judgement, bar: MakeBar): Bar[] {
  if (permuted === null) return [bar('permuted labels give 0.5', null, 'only one outcome')]
  const { mean, low, high } = permuted
  return [
    bar(
      'permuted labels give 0.5',
      permuted.passed,
      `mean ${mean.toFixed(4)}, ${low.toFixed(3)} to ${high.toFixed(3)}`,
    ),
  ]
}

/** Of the compact table only what is clearly worse than the market cap: the rest is there to read. */
function tableCell(cell: Cell): Bar[] {
  const judged = Math.min(cell.positives, cell.n - cell.positives) >= OUTCOMES_MIN
  if (!judged || cell.ahead.high === null || cell.ahead.high >= 0) return []
  const detail = `difference ${withInterval(cell.ahead, signed)}`
  return [
    { area: `${cell.decision} ${cell.label}`, bar: 'not clearly worse than the market cap', passed: false, detail },
  ]
}

function spread({ name, rating, shares }: Threshold): Bar[] {
  if (shares === null) return []
  const area = `thresholds: ${rating ?? name}`
  const coloured = 1 - shares.neutral
  const largest = (['green', 'yellow', 'red'] as const).reduce((a, b) => (shares[b] > shares[a] ? b : a))
  const one = coloured > 0 ? shares[largest] / coloured : null
  return [
    {
      area,
      bar: `at least ${percent(HEIGHT.coloured)} of tokens have a colour`,
      passed: coloured >= HEIGHT.coloured,
      detail: `neutral ${percent(shares.neutral)}`,
    },
    {
      area,
      bar: `no colour holds more than ${percent(HEIGHT.oneColour)} of tokens that have one`,
      passed: one === null ? null : one <= HEIGHT.oneColour,
      detail: one === null ? 'all neutral' : `${largest} ${percent(one)}`,
    },
  ]
}

function bundles(result: BundleResult): Bar[] {
  const bar = (name: string, passed: boolean | null, detail: string): Bar => ({
    area: 'bundles',
    bar: name,
    passed,
    detail,
  })
  const { all, hidden } = result
  if (all === null) return [bar('found groups are the planted ones', null, 'nobody knows the truth of this log')]
  const chance = result.placebo?.precision ?? null
  const precision = all.precision.value
  return [
    bar(
      `at least ${percent(HEIGHT.pairPrecision)} of found pairs are planted`,
      precision === null ? null : precision >= HEIGHT.pairPrecision,
      withInterval(all.precision),
    ),
    bar(
      'found groups beat random ones',
      precision === null || chance === null ? null : (all.precision.low ?? precision) > chance,
      chance === null ? 'no groups' : `precision ${withInterval(all.precision)}, random ${chance.toFixed(3)}`,
    ),
    ...recall(all, '', bar),
    bar(
      `at most ${percent(HEIGHT.sniperMerges)} of independent snipers' pairs put together`,
      all.sniperPairs === 0 ? null : all.sniperMerges / all.sniperPairs <= HEIGHT.sniperMerges,
      `${all.sniperMerges} of ${all.sniperPairs}`,
    ),
    bar(
      'no copy trader linked with whom it follows',
      all.copyPairs === 0 ? null : all.copyMerges === 0,
      `${all.copyMerges} of ${all.copyPairs}`,
    ),
    ...(hidden === null
      ? [bar('families other than A and J find pairs by themselves', null, 'was not run')]
      : [hiding(result, bar), ...recall(hidden, ' with A and J hidden', bar)]),
  ]
}

/** The same pairs to the last one would mean that the families were not hidden, or never decide anything. */
function hiding({ kept }: BundleResult, bar: MakeBar): Bar {
  const changed = kept === null || kept.pairs === 0 ? null : kept.again < kept.pairs
  const detail = kept === null ? 'was not run' : `${kept.again} of ${kept.pairs} pairs are left`
  return bar('hiding A and J takes pairs away', changed, detail)
}

function recall({ recall, byType }: PairResult, when: string, bar: MakeBar): Bar[] {
  const name = `at least ${percent(HEIGHT.pairRecall)} of planted pairs found${when}`
  return [
    bar(name, recall.value === null ? null : recall.value >= HEIGHT.pairRecall, withInterval(recall)),
    ...byType.map(({ type, planted, recalled }) =>
      bar(
        `${name}: ${type}`,
        planted === 0 ? null : recalled / planted >= HEIGHT.pairRecall,
        `${recalled} of ${planted}`,
      ),
    ),
  ]
}

function integrity({ stateHashes, prefix }: Report['integrity']): Bar[] {
  const bar = (name: string, passed: boolean | null, detail: string): Bar => ({
    area: 'integrity',
    bar: name,
    passed,
    detail,
  })
  const different = new Set(stateHashes).size
  return [
    bar(
      'two runs give one state hash',
      stateHashes.length < 2 ? null : different === 1,
      `${stateHashes.length} runs, ${different} different hashes`,
    ),
    bar(
      'a log cut short gives the same answers up to the cut',
      prefix === null || prefix.cuts === 0 ? null : prefix.differing === 0,
      prefix === null ? 'was not run' : `${prefix.differing} of ${prefix.cuts} cuts differ`,
    ),
  ]
}
