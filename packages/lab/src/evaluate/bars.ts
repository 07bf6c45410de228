import { actorBars, groupBars, pairBars } from './bars-who.ts'
import { CASES_MIN } from './colours.ts'
import { fixed, percent, signed, withInterval } from './numbers.ts'
import { EVERYBODY } from './populations.ts'
import { IS_GOOD, QUESTIONS, type Question } from './questions.ts'
import { type Ranked, WITH_EXITS } from './ranking.ts'
import { RIGHT_WITHIN } from './regime.ts'
import { JUDGED, type Reliability } from './reliability.ts'
import type { Report } from './report.ts'
import type { RugResult } from './rugs.ts'
import type { Counted, SourceNote } from './sample.ts'

/** A requirement of the formulas; `passed` is null if this log cannot decide it. */
export interface Bar {
  readonly area: string
  readonly bar: string
  readonly passed: boolean | null
  readonly detail: string
}

/** Required AUROC of the outlook. */
const AREA: Readonly<Record<Question, number>> = { drain: 0.78, halving: 0.85, buyer: 0.65 }
const RUGS = { found: 0.9, wrong: 0.02 }

export const barsOf = (report: Omit<Report, 'bars'>): Bar[] => [
  ...report.ranked
    .filter(({ population }) => population === EVERYBODY || population === WITH_EXITS)
    .flatMap(rankingBars),
  ...report.reliability.flatMap(reliabilityBars),
  ...report.colours.map(({ question, population, rates, ordered }) => ({
    area: `${question}, ${population}`,
    bar: IS_GOOD[question]
      ? 'green gains as often as yellow, and that as red'
      : 'green is no worse than yellow, and that than red',
    passed: ordered,
    detail: (['green', 'yellow', 'red'] as const)
      .map((colour) => {
        const { rate, n } = rates[colour]
        return `${colour} ${percent(rate)} of ${n}${n < CASES_MIN ? ' (too few)' : ''}`
      })
      .join(', '),
  })),
  ...greenBars(report),
  ...(report.rugs === null ? [] : rugBars(report.rugs)),
  ...(report.bundles.all === null ? [] : pairBars(report.bundles.all)),
  ...(report.groups === null ? [] : groupBars(report.groups)),
  ...regimeBars(report),
  ...report.sources.flatMap(sourceBars),
]

function rankingBars({ question, population, judged, outlook, best, ahead, baselines }: Ranked): Bar[] {
  const area = population === WITH_EXITS ? `${question}, ${WITH_EXITS}` : question
  const isKnown = judged && outlook !== null
  return [
    {
      area,
      bar: `the outlook ranks with AUROC ≥ ${AREA[question]}`,
      passed: isKnown ? outlook.value! >= AREA[question] : null,
      detail: outlook === null ? 'nothing is foretold' : withInterval(outlook),
    },
    {
      area,
      bar: 'the outlook is ahead of the best baseline',
      passed: isKnown ? ahead!.low! > 0 : null,
      detail: `${best} ${withInterval(baselines[best])}; difference ${ahead === null ? 'unknown' : withInterval(ahead, signed)}`,
    },
  ]
}

function reliabilityBars({ question, bins, bands, calibrated, monotone }: Reliability): Bar[] {
  const enough = bins.filter(({ n }) => n >= JUDGED.cases)
  const worst = enough.reduce((most, { mean, rate }) => Math.max(most, Math.abs(mean - rate!)), 0)
  return [
    {
      area: question,
      bar: `every bin of ${JUDGED.cases} or more is within ${percent(JUDGED.within)} of what was served`,
      passed: calibrated,
      detail: `${enough.length} bins, the worst ${(100 * worst).toFixed(1)} points away`,
    },
    {
      area: question,
      bar: `rates rise with the bands of ${JUDGED.cases} or more`,
      passed: monotone,
      detail: bands.map(({ band, rate, n }) => `${band}: ${percent(rate)} of ${n}`).join(', ') || 'nothing is foretold',
    },
  ]
}

const greenBars = ({ greens }: Pick<Report, 'greens'>): Bar[] => [
  {
    area: 'verdict',
    bar: 'no dead token is green',
    passed: greens.dead === 0 ? null : greens.deadGreen === 0,
    detail: `${greens.deadGreen} of ${greens.dead} looks`,
  },
  {
    area: 'verdict',
    bar: 'no token is green with more than 1 % of its supply held that is not there',
    passed: greens.phantom === 0 ? null : greens.phantomGreen === 0,
    detail: `${greens.phantomGreen} of ${greens.phantom} looks`,
  },
]

const part = (some: number, all: number): string => `${some} of ${all} (${percent(all === 0 ? null : some / all)})`

const rugBars = ({ planted, drained, rugged, flagged, wrong }: RugResult): Bar[] => [
  {
    area: 'rugs',
    bar: `of planted rugs of 2 SOL and more ${percent(RUGS.found)} are found drained`,
    passed: planted === 0 ? null : drained >= RUGS.found * planted,
    detail: part(drained, planted),
  },
  {
    area: 'rugs',
    bar: `of planted rugs of 2 SOL and more ${percent(RUGS.found)} are found rugged`,
    passed: planted === 0 ? null : rugged >= RUGS.found * planted,
    detail: part(rugged, planted),
  },
  {
    area: 'rugs',
    bar: `at most ${percent(RUGS.wrong)} of those found rugged had no insider that sold`,
    passed: flagged === 0 ? null : wrong <= RUGS.wrong * flagged,
    detail: part(wrong, flagged),
  },
]

const regimeBars = ({ regime }: Pick<Report, 'regime'>): Bar[] =>
  (regime?.curves ?? []).map(({ question, rightAfter, after }) => ({
    area: 'change of market',
    bar: `${question}: right again within ${RIGHT_WITHIN} outcomes`,
    passed: after <= RIGHT_WITHIN ? null : rightAfter !== null && rightAfter <= RIGHT_WITHIN,
    detail: `${after} outcomes; right from ${rightAfter === null ? 'none' : rightAfter} on`,
  }))

const same = (a: Counted, b: Counted): boolean => a.n === b.n && a.hits === b.hits

function sourceBars({ name, integrity, smart, counted, actors }: SourceNote): Bar[] {
  const { stateHashes, prefix } = integrity
  const share = smart.veterans === 0 ? null : smart.smart / smart.veterans
  return [
    {
      area: name,
      bar: 'a run cut short and restarted ends as the whole one',
      passed: stateHashes.length < 2 ? null : new Set(stateHashes).size === 1,
      detail: stateHashes.map((hash) => hash.slice(0, 12)).join(', '),
    },
    {
      area: name,
      bar: 'answers know nothing of what comes later',
      passed: prefix === null ? null : prefix.differing === 0,
      detail: prefix === null ? 'not compared' : `${prefix.differing} of ${prefix.cuts} cuts differ`,
    },
    {
      area: name,
      bar: 'smart money is neither nobody nor everybody',
      passed: smart.veterans < 200 ? null : smart.smart > 0 && smart.smart < smart.veterans / 2,
      detail: `${smart.smart} of ${smart.veterans} veterans (${fixed(share)}) and ${smart.wallets} wallets`,
    },
    ...(actors === null ? [] : actorBars(name, actors)),
    ...QUESTIONS.map((question) => ({
      area: name,
      bar: `${question}: the fold has counted what the trades say`,
      passed: same(counted.fold[question], counted.trades[question]),
      detail: [counted.fold[question], counted.trades[question]].map(({ n, hits }) => `${hits} of ${n}`).join(' and '),
    })),
  ]
}
