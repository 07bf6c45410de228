import { actorSection } from './actors.ts'
import type { Bar } from './bars.ts'
import type { Interval } from './bootstrap.ts'
import { COLOUR_SAMPLES_MIN, COLOURS } from './colours.ts'
import { type Judgement, OUTCOMES_MIN } from './judge.ts'
import { bundleSection } from './markdown-bundles.ts'
import { table } from './markdown-table.ts'
import { fixed, NOTHING, percent, reading, signed, whole, withInterval } from './numbers.ts'
import { plotsOf } from './plots.ts'
import type { Report } from './report.ts'

export const SIMULATED = 'This log is simulated: what follows proves the plumbing, not market skill.'

/** The report for people. Everything in it comes from the same object as report.json. */
export function toMarkdown(report: Report): string {
  const { source } = report
  const title = `# Evaluation of ${plain(source.name)}`
  const parts = [
    source.simulated ? `**${SIMULATED}**\n\n${title}` : title,
    facts(report),
    failures(report.bars),
    ...report.judgements.map(judgement),
    compact(report),
    thresholdSection(report),
    bundleSection(report.bundles),
    actorSection(report.actors),
    integritySection(report),
    barTable(report.bars),
    realSection(report),
    method(report),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** Text from outside (a file's name) cannot leave its place. */
const plain = (value: string): string => value.replace(/[\r\n|`<>[\]*]/g, ' ').trim()

function facts({ source, formulasVersion, seed, integrity }: Report): string {
  const [first, last] = source.slots
  return table(
    ['log', ''],
    [
      ['data hash', `\`${plain(source.dataHash)}\``],
      ['formulas version', formulasVersion],
      ['state hash', `\`${plain(integrity.stateHashes[0] ?? NOTHING)}\``],
      ['slots', `${first} to ${last} (${reading(((last - first + 1) * 0.4) / 3600)} h)`],
      ['tokens, trades', `${whole(source.tokens)}, ${whole(source.trades)}`],
      ['seed of resampling', String(seed)],
    ],
    '---',
  )
}

function failures(bars: readonly Bar[]): string {
  const missed = bars.filter(({ passed }) => passed === false)
  const unknown = bars.filter(({ passed }) => passed === null)
  const passed = bars.length - missed.length - unknown.length
  const list = (items: readonly Bar[]): string =>
    items.map(({ area, bar, detail }) => `- ${area}: **${bar}**: ${detail}`).join('\n')
  return [
    '## What did not work',
    `Of ${bars.length} bars ${passed} are passed, ${missed.length} missed, ${unknown.length} could not be judged.`,
    missed.length === 0 ? 'No bar is missed.' : list(missed),
    ...(unknown.length === 0 ? [] : ['Could not be judged on this log:', list(unknown)]),
  ].join('\n\n')
}

function judgement(one: Judgement): string {
  const { left, n } = one
  const outcome = one.good ? 'outcome (good)' : 'outcome (bad: a low score should foretell it)'
  const counts = `${whole(n)} tokens of ${whole(one.clusters)} deployers, ${whole(one.positives)} with the ${outcome}: base rate ${percent(n === 0 ? null : one.positives / n)}. Left out: ${whole(left.settled)} already graduated, ${whole(left.censored)} too close to the end of the log, ${whole(left.unknown)} unknown.`
  const parts = [`## ${one.decision} × ${one.label}`, counts]
  if (n === 0) return [...parts, '**No token can be judged.**'].join('\n\n')
  if (!one.judged) parts.push('**Too few of one outcome to judge; the numbers below are for completeness.**')
  parts.push(ranking(one), withinTable(one), decileTable(one), colourTable(one), partTable(one), embargo(one))
  parts.push(calibrationTable(one), metricTable(one), permutedLine(one))
  const plots = plotsOf(one).map(({ name, title }) => `![${title}](plots/${name})`)
  return [...parts.filter((part) => part !== ''), plots.join('\n')].join('\n\n')
}

const embargo = ({ split }: Judgement): string =>
  split.shortened
    ? `The log is too short for a 24 h embargo; it is ${whole(split.embargoSlots)} slots, a tenth of the span, so that outcomes of one part may still be decided in the next part's time.`
    : 'Embargo 24 h.'

const withinTable = ({ withinMcap }: Judgement): string =>
  table(
    ['within market-cap deciles', 'AUROC'],
    [
      ['score', withInterval(withinMcap.score)],
      ['market cap itself', withInterval(withinMcap.mcap)],
      ['score, lowest to highest decile', withinMcap.byDecile.map((value) => fixed(value, 2)).join(' ')],
    ],
  )

function ranking(one: Judgement): string {
  const ahead = (value: Interval): string => withInterval(value, signed)
  const constant = one.n === 0 ? null : one.positives / one.n
  return table(
    ['predictor', 'AUROC', 'score ahead by', 'AUPRC', 'top 1 %', 'top 5 %'],
    [
      ['score', withInterval(one.auroc.score), '', withInterval(one.auprc.score), ...tops(one.top.score)],
      [
        'market cap',
        withInterval(one.auroc.mcap),
        ahead(one.ahead.mcap),
        withInterval(one.auprc.mcap),
        ...tops(one.top.mcap),
      ],
      ['trade count', withInterval(one.auroc.trades), ahead(one.ahead.trades), '', '', ''],
      ['buyer count', withInterval(one.auroc.buyers), ahead(one.ahead.buyers), '', '', ''],
      ['constant', '0.500', '', fixed(constant), percent(constant), percent(constant)],
      [
        'score and market cap',
        withInterval(one.auroc.both),
        `over market cap ${ahead(one.ahead.bothOfMcap)}`,
        '',
        '',
        '',
      ],
    ],
  )
}

const tops = (top: Judgement['top']['score']): string[] => [percent(top.percent1), percent(top.percent5)]

function decileTable({ deciles }: Judgement): string {
  if (deciles.length === 0) return ''
  const range = (low: number, high: number): string => (low === high ? String(low) : `${low} to ${high}`)
  return table(
    ['decile of the score', ...deciles.map((_, i) => String(i + 1))],
    [
      ['score', ...deciles.map(({ low, high }) => range(low, high))],
      ['outcome rate', ...deciles.map(({ n, positives }) => percent(positives / n))],
    ],
  )
}

function colourTable({ colours }: Judgement): string {
  const words = { true: 'yes', false: '**no**', null: NOTHING } as const
  return table(
    ['outcome rate by colour', ...COLOURS, 'in order', 'apart'],
    colours.map(({ rating, colours: by, monotone, apart }) => [
      rating,
      ...COLOURS.map((colour) => {
        const { n, rate, low, high } = by[colour]
        if (rate === null) return NOTHING
        const few = n < COLOUR_SAMPLES_MIN ? ' (few)' : ''
        return `${percent(rate)} [${percent(low)}, ${percent(high)}] of ${whole(n)}${few}`
      }),
      words[`${monotone}`],
      words[`${apart}`],
    ]),
  )
}

const partTable = ({ parts }: Judgement): string =>
  table(
    ['part of the log', 'tokens', 'base rate', 'AUROC score', 'AUROC market cap'],
    parts.map(({ part, n, positives, score, mcap }) => [
      part,
      whole(n),
      percent(n === 0 ? null : positives / n),
      fixed(score),
      fixed(mcap),
    ]),
  )

function calibrationTable({ calibration: result }: Judgement): string {
  if (result === null) return 'No calibration: a part of the log lacks one of the outcomes.'
  return [
    table(
      ['probability learnt on `train`, judged on `test`', 'Brier'],
      [
        ['from the score (isotonic)', fixed(result.brier.score, 4)],
        ['from the market cap (isotonic)', fixed(result.brier.mcap, 4)],
        ['constant (rate of `train`)', fixed(result.brier.constant, 4)],
      ],
    ),
    `Expected calibration error ${fixed(result.ece)} over ${result.bins.length} bins (a perfect calibration would show ${fixed(result.eceByChance.mean)} on so few samples); base rate ${percent(result.trainRate)} in \`train\`, ${percent(result.testRate)} in \`test\`.`,
  ].join('\n\n')
}

/** Both tables in one: each metric alone, and the score without it. */
function metricTable({ metrics, leaveOneOut }: Judgement): string {
  const names = [...new Set([...metrics, ...leaveOneOut].map(({ name }) => name))].sort()
  if (names.length === 0) return ''
  return table(
    ['metric', 'readings', 'AUROC alone', 'score without it', 'its worth'],
    names.map((name) => {
      const alone = metrics.find((metric) => metric.name === name)
      const left = leaveOneOut.find((metric) => metric.name === name)
      return [
        name,
        alone === undefined ? NOTHING : whole(alone.n),
        alone === undefined ? NOTHING : withInterval(alone.auroc),
        fixed(left?.auroc ?? null),
        left === undefined ? NOTHING : withInterval(left.worth, signed),
      ]
    }),
  )
}

function permutedLine({ permuted }: Judgement): string {
  if (permuted === null) return ''
  const { permutations, mean, low, high, pValue, passed } = permuted
  return `Labels permuted ${permutations} times: AUROC ${fixed(mean)} [${fixed(low)}, ${fixed(high)}], ${passed ? 'pass' : '**FAIL**'}; the true labels' AUROC or more in ${percent(pValue)} of them.`
}

function compact({ cells }: Report): string {
  const rows = cells.map(({ decision, label, n, positives, score, mcap, ahead }) => [
    `${decision} × ${label}`,
    whole(n),
    percent(n === 0 ? null : positives / n) +
      (n > 0 && Math.min(positives, n - positives) < OUTCOMES_MIN ? ' (few)' : ''),
    withInterval(score),
    withInterval(mcap),
    withInterval(ahead, signed),
  ])
  const head = ['decision × label', 'tokens', 'base rate', 'AUROC score', 'AUROC market cap', 'score ahead by']
  const few = `(few): under ${OUTCOMES_MIN} of one outcome, so that the intervals are not to be trusted.`
  return `## Every decision and label\n\n${table(head, rows)}\n\n${few}`
}

function thresholdSection({ thresholds }: Report): string {
  if (thresholds.length === 0) return ''
  const rows = thresholds.map(({ name, rating, readings, quartiles, green, red, medianColour, shares }) => [
    name === rating || rating === null ? name : `${name} (${rating})`,
    whole(readings),
    quartiles === null ? NOTHING : quartiles.map(reading).join(' / '),
    green === null || red === null ? NOTHING : `${green} / ${red}`,
    medianColour ?? NOTHING,
    shares === null ? NOTHING : COLOURS.map((colour) => percent(shares[colour])).join(' / '),
  ])
  const head = ['metric', 'readings', 'quartiles', 'green / red edge', 'median', 'green / yellow / red / neutral']
  return `## Where tokens at T + 5 min land against the thresholds\n\n${table(head, rows)}`
}

function integritySection({ integrity }: Report): string {
  const { stateHashes, prefix } = integrity
  const rows = [
    ['runs', String(stateHashes.length)],
    ['different state hashes', String(new Set(stateHashes).size)],
    ['cuts of the log compared', prefix === null ? NOTHING : String(prefix.cuts)],
    ['cuts with a difference', prefix === null ? NOTHING : String(prefix.differing)],
  ]
  return `## Integrity\n\n${table(['', ''], rows)}`
}

function barTable(bars: readonly Bar[]): string {
  const word = (passed: boolean | null): string => (passed === null ? 'not judged' : passed ? 'passed' : '**missed**')
  const rows = bars.map(({ area, bar, passed, detail }) => [area, bar, word(passed), detail])
  return `## Every bar\n\n${table(['area', 'bar', 'result', 'detail'], rows, '---')}`
}

function realSection({ real }: Report): string {
  if (real.length === 0) return ''
  const notes = real.map(({ title, lines }) => `### ${title}\n\n${lines.map((text) => `- ${text}`).join('\n')}`)
  return ['## Real material beside this log', ...notes].join('\n\n')
}

const method = ({ resamples }: Report): string => `## How to read this

- **AUROC**: chance that a token with the outcome ranks above one without. For bad outcomes low scores should foretell.
- **[low, high]**: percentile 95 % intervals, deployers drawn together, ${resamples.full} resamples (${resamples.tables} in tables of many rows). Differences are paired: both sides on the same resamples.
- Baselines may count upwards or downwards, whichever suits the earliest 60 % of the log. The score may not.
- **Parts**: 60/20/20 of the time of creation. Nothing is fitted but the isotonic curves, on \`train\`; \`validate\` fits nothing and shows drift.
- **worth**: AUROC with all metrics minus without one. **AUPRC** is average precision; the constant's is the base rate.
- A token counts only when the log runs past the label's time: good ends are known early, bad ones late. Tokens that had graduated by the decision are left out of \`graduated_24h\`.
- Many bars are looked at; at 95 % about one in forty intervals lies on the wrong side by chance alone.`
