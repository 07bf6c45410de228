import { actorSection } from './actors.ts'
import type { Bar } from './bars.ts'
import { COLOURS } from './colours.ts'
import { bundleSection } from './markdown-bundles.ts'
import { table } from './markdown-table.ts'
import { fixed, NOTHING, percent, reading, signed, whole, withInterval } from './numbers.ts'
import { POPULATION_NAMES } from './populations.ts'
import { QUESTIONS, type Question } from './questions.ts'
import { BASELINE_NAMES } from './ranking.ts'
import type { RegimeCurve } from './regime.ts'
import type { Report } from './report.ts'
import type { SourceNote } from './sample.ts'
import type { Rate } from './wilson.ts'

export const SIMULATED = 'The market is simulated: what follows proves the plumbing, not market skill.'

/** The report as Markdown, from the same object as report.json. */
export function toMarkdown(report: Report): string {
  const title = `# Evaluation of formulas ${report.formulasVersion}`
  const parts = [
    report.sources.some(({ simulated }) => simulated) ? `**${SIMULATED}**\n\n${title}` : title,
    facts(report),
    failures(report.bars),
    ...QUESTIONS.map((question) => questionSection(report, question)),
    regimeSection(report),
    rugSection(report),
    bundleSection(report.bundles),
    ...report.sources.map(({ actors }) => actorSection(actors)),
    smartSection(report.sources),
    realSection(report),
    barTable(report.bars),
    METHOD,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** Untrusted text, such as a file name, without Markdown syntax. */
const plain = (value: string): string => value.replace(/[\r\n|`<>[\]*]/g, ' ').trim()

function facts({ command, sources, seed, looks }: Report): string {
  const rows = sources.map(({ name, dataHash, slots, tokens, trades, integrity }) => [
    plain(name),
    `\`${plain(dataHash).slice(0, 16)}\``,
    reading(((slots[1] - slots[0] + 1) * 0.4) / 3600),
    whole(tokens),
    whole(trades),
    `\`${plain(integrity.stateHashes[0] ?? NOTHING).slice(0, 16)}\``,
  ])
  return [
    `Written by \`${plain(command)}\`; ${whole(looks)} looks at tokens; seed of the resampling ${seed}.`,
    ...(rows.length === 0 ? [] : [table(['log', 'data hash', 'hours', 'tokens', 'trades', 'state hash'], rows)]),
  ].join('\n\n')
}

function failures(bars: readonly Bar[]): string {
  if (bars.length === 0) return ''
  const missed = bars.filter(({ passed }) => passed === false)
  const unknown = bars.filter(({ passed }) => passed === null)
  const passed = bars.length - missed.length - unknown.length
  const list = (items: readonly Bar[]): string =>
    items.map(({ area, bar, detail }) => `- ${plain(area)}: **${bar}**: ${detail}`).join('\n')
  return [
    '## What did not work',
    `Of ${bars.length} bars ${passed} are passed, ${missed.length} missed, ${unknown.length} could not be judged.`,
    missed.length === 0 ? 'No bar is missed.' : list(missed),
    ...(unknown.length === 0 ? [] : ['Could not be judged on these logs:', list(unknown)]),
  ].join('\n\n')
}

const ASKS: Readonly<Record<Question, string>> = {
  drain:
    'Will at least 80 % of the real quote reserve leave within 9,000 slots? Asked where it is 2 SOL or more. Yes is bad.',
  halving:
    'Will the price be half or less within 9,000 slots? Asked where it is at least twice the start, or the token graduated. Yes is bad.',
  buyer:
    'Would 0.5 SOL bought now and sold at +100 %, at −40 % or after 2,250 slots, 1.25 % fees each way and no price impact of its own, end with a gain? Asked where others trade. Yes is good.',
}

function questionSection(report: Report, question: Question): string {
  const ranked = report.ranked.filter((one) => one.question === question && one.n > 0)
  if (ranked.length === 0) return ''
  return [
    `## ${question}`,
    ASKS[question],
    table(
      ['AUROC in', 'cases, yes', 'tokens', 'outlook', 'score', ...BASELINE_NAMES, 'outlook − best of these four'],
      ranked.map((one) => [
        `${one.population}${one.judged ? '' : ' (too few)'}`,
        `${whole(one.n)}, ${percent(one.yes / one.n)}`,
        whole(one.tokens),
        one.outlook === null ? NOTHING : withInterval(one.outlook),
        withInterval(one.score),
        ...BASELINE_NAMES.map((name) => fixed(one.baselines[name].value)),
        one.ahead === null ? NOTHING : `${withInterval(one.ahead, signed)} (${one.best})`,
      ]),
    ),
    'By colour of the score:',
    colourTable(report, question),
    ...reliabilityTables(report, question),
  ].join('\n\n')
}

const rateText = ({ n, rate, low, high }: Rate): string =>
  n === 0 ? NOTHING : `${percent(rate)} [${percent(low)}, ${percent(high)}] of ${whole(n)}`

function colourTable({ colours }: Report, question: Question): string {
  const rows = POPULATION_NAMES.flatMap((population) =>
    colours.filter((one) => one.question === question && one.population === population),
  )
  return table(
    ['answer is yes', ...COLOURS, 'in order'],
    rows.map(({ population, rates, ordered }) => [
      population,
      ...COLOURS.map((colour) => rateText(rates[colour])),
      ordered === null ? NOTHING : ordered ? 'yes' : '**no**',
    ]),
  )
}

function reliabilityTables({ reliability }: Report, question: Question): string[] {
  const one = reliability.find((other) => other.question === question)!
  if (one.brier === null) return ['No probability was served.']
  const row = (name: string, bin: Rate & { readonly mean: number }): string[] => [
    name,
    percent(bin.mean),
    rateText(bin),
  ]
  return [
    `Brier score of the outlook ${fixed(one.brier.outlook, 4)}; of the overall rate, known in hindsight, ${fixed(one.brier.constant, 4)}.`,
    table(
      ['band of the card', 'served, mean', 'observed'],
      one.bands.map((bin) => row(String(bin.band), bin)),
    ),
    table(
      ['served probability', 'mean', 'observed'],
      one.bins.map((bin) => row(`${percent(Math.floor(bin.mean * 10) / 10)} and more`, bin)),
    ),
  ]
}

function regimeSection({ regime }: Report): string {
  if (regime === null) return ''
  const { before, after } = regime.launches
  const share = ([some, all]: readonly [number, number]): string =>
    `${some} of ${whole(all)} (${percent(all === 0 ? null : some / all)})`
  return [
    '## When the market changes',
    `\`${plain(regime.name)}\`: from slot ${regime.fromSlot} on tokens draw more trades. Graduated: ${share(before)} of the launches before, ${share(after)} after. Served against observed, in pieces of 500 outcomes, by outcomes since the change:`,
    ...regime.curves.map(curveTable),
  ].join('\n\n')
}

const curveTable = ({ question, points }: RegimeCurve): string =>
  points.length === 0
    ? `${question}: fewer than 500 outcomes.`
    : `${points.length < 2 ? '' : `![${question}: served and observed](regime-${question}.svg)\n\n`}${table(
        [question, ...points.map(({ at }) => String(at))],
        [
          ['served', ...points.map(({ served }) => percent(served))],
          ['observed', ...points.map(({ observed }) => percent(observed))],
        ],
      )}`

function rugSection({ rugs, greens }: Report): string {
  const looks = `Looks at dead tokens: ${whole(greens.dead)}, green ${greens.deadGreen}. With more than 1 % of the supply in balances that cannot be there: ${whole(greens.phantom)}, green ${greens.phantomGreen}.`
  if (rugs === null) return greens.dead + greens.phantom === 0 ? '' : `## Rugs\n\n${looks}`
  const missed = Object.entries(rugs.missed).map(([type, count]) => `${type} ${count}`)
  return [
    '## Rugs',
    `Of ${rugs.planted} tokens of which a planted group took at least 2 SOL within a minute, ${rugs.drained} are found drained and ${rugs.rugged} rugged. ${rugs.flagged} tokens are found rugged in all; of ${rugs.wrong} of them neither a planted group nor the deployer sold.`,
    ...(missed.length === 0 ? [] : [`Drained and not found rugged, by kind of group: ${missed.join(', ')}.`]),
    looks,
  ].join('\n\n')
}

function smartSection(sources: readonly SourceNote[]): string {
  if (sources.length === 0) return ''
  const half = (of: SourceNote['smart']['median']['smart']): string[] =>
    of === null ? [NOTHING, NOTHING] : [fixed(of.sol, 2), percent(of.won)]
  return [
    '## Smart money',
    'At the end of each log. Veterans have 20 closed positions. Medians of what they realised, and of the positions they won:',
    table(
      ['log', 'wallets', 'veterans', 'smart', 'SOL, smart', 'won, smart', 'SOL, other veterans', 'won, others'],
      sources.map(({ name, smart }) => [
        plain(name),
        whole(smart.wallets),
        whole(smart.veterans),
        whole(smart.smart),
        ...half(smart.median.smart),
        ...half(smart.median.others),
      ]),
    ),
  ].join('\n\n')
}

function realSection({ real }: Report): string {
  if (real.length === 0) return ''
  const notes = real.map(({ title, lines }) => `### ${plain(title)}\n\n${lines.map((one) => `- ${one}`).join('\n')}`)
  return ['## What real material says', ...notes].join('\n\n')
}

function barTable(bars: readonly Bar[]): string {
  if (bars.length === 0) return ''
  const word = (passed: boolean | null): string =>
    passed === null ? 'cannot be judged' : passed ? 'passed' : '**missed**'
  return `## All bars\n\n${table(
    ['area', 'bar', '', 'measured'],
    bars.map(({ area, bar, passed, detail }) => [plain(area), bar, word(passed), detail]),
    '---',
  )}`
}

const METHOD = `## How it is done

Every launch is looked at 75, 150, 750 and 2,250 slots after it and every 2,250 from there to 27,000, before the first block after
that slot: as it was served then. What became of it is computed from the log's trades by code that shares nothing with the engine.
A question whose time is not over when the log ends is left out, whatever its answer would be. Intervals are 95 % percentiles of a
bootstrap that draws deployers, with all their tokens at all ages. A baseline takes the direction that suits it best in hindsight.
Colours and bands are compared by their rates as they are, from 100 and from 200 cases on. Rows, bands, bins and counts are of the
counted probabilities, also in the hour after an exit. Served there is the worse of that and of what was foretold before the exit, which
is a rule and no frequency: it is ranked in the last row. The tables by colour have everybody.`
