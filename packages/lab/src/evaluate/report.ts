import { FORMULAS_VERSION, SCORE } from '@ti/core/engine/constants.ts'
import { coloursSection } from './colours.ts'
import { groupsSection } from './groups.ts'
import { type Label, labelsSection } from './labels.ts'
import { listsSection } from './lists.ts'
import type { Bar, Look, Material, Section } from './looks.ts'
import { table } from './markdown-table.ts'
import { changesSection, neverGreenSection } from './never-green.ts'
import { part } from './numbers.ts'
import { outlookSection } from './outlook.ts'
import { reasonsSection } from './reasons.ts'
import { rugsSection } from './rugs.ts'

/** The sections about markets. The same material and seed give the same text. */
export function judge(materials: readonly Material[], labels: readonly Label[] | null, seed: number): Section[] {
  const looks = materials.flatMap((one) => one.looks)
  const launches = materials.flatMap((one) => one.launches)
  const byVerdict = { name: 'verdict', colourOf: ({ colour }: Look) => colour }
  const byScore = { name: 'score', colourOf: ({ rating }: Look) => rating }
  return [
    coloursSection(looks, byVerdict, seed),
    withTable(coloursSection(looks, byScore, seed), looks),
    reasonsSection(looks),
    outlookSection(looks, seed),
    ...(labels === null
      ? [rugsSection(launches)]
      : materials.map((one) => labelsSection(one.launches, labels, one.slots[0]))),
    neverGreenSection(launches, looks),
    changesSection(launches),
    listsSection(
      materials.flatMap(({ listed }) => listed),
      seed,
    ),
    ...(labels === null ? [groupsSection(launches)] : []),
  ]
}

/** A rating follows from its number by the specification's table, always. */
function withTable(section: Section, looks: readonly Look[]): Section {
  const [green, yellow] = SCORE.rated
  const wrong = looks.filter(
    ({ score, rating, hasReading }) =>
      rating !== (!hasReading ? 'grey' : score >= green! ? 'green' : score >= yellow! ? 'yellow' : 'red'),
  ).length
  const bar = {
    bar: "the score's rating is that of the specification's table",
    passed: looks.length === 0 ? null : wrong === 0,
    detail: `${part(wrong, looks.length)} differ`,
  }
  return { ...section, bars: [bar, ...section.bars] }
}

export interface Report {
  readonly command: string
  readonly seed: number
  readonly materials: readonly Material[]
  readonly sections: readonly Section[]
}

export const barsOf = ({ sections }: Pick<Report, 'sections'>): Bar[] => sections.flatMap(({ bars }) => bars)

const marketsOf = (materials: readonly Material[]): string =>
  table(
    ['market', 'slots', 'trades', 'launches', 'looks'],
    materials.map(({ name, slots, trades, launches, looks }) => [
      name.replace(/[|\s]+/g, ' '),
      `${slots[1] - slots[0] + 1}`,
      `${trades}`,
      `${launches.length}`,
      `${looks.length}`,
    ]),
  )

export function toMarkdown({ command, seed, materials, sections }: Report): string {
  const bars = barsOf({ sections })
  const passed = bars.filter((one) => one.passed === true).length
  const unjudged = bars.filter((one) => one.passed === null).length
  return `${[
    `# Evaluation of formulas ${FORMULAS_VERSION}`,
    `Made by \`${command}\`; the resampling has seed ${seed}. Simulated markets prove the plumbing and what the rules do in them, not skill on a real market.`,
    ...(materials.length === 0 ? [] : [marketsOf(materials)]),
    '## Bars',
    `${passed} of ${bars.length} are passed, ${unjudged} could not be judged, ${bars.length - passed - unjudged} are missed.`,
    table(
      ['bar', 'passed', 'measured'],
      bars.map(({ bar, passed: is, detail }) => [bar, is === null ? 'not judged' : is ? 'yes' : '**no**', detail]),
      '---',
    ),
    ...sections.flatMap(({ title, lines }) => [`## ${title}`, ...lines]),
  ].join('\n\n')}\n`
}

/** Compares runs without a family of evidence: it carries nothing if nothing changes. */
export function ablationSection(whole: readonly Section[], hidden: ReadonlyMap<string, readonly Section[]>): Section {
  const figures = (of: readonly Section[]): Record<string, string> => Object.assign({}, ...of.map((one) => one.figures))
  const all = figures(whole)
  const names = Object.keys(all)
  const row = (name: string, of: Record<string, string>): string[] => [
    name,
    ...names.map((figure) => (name !== 'nothing' && of[figure] === all[figure] ? 'same' : (of[figure] ?? '–'))),
  ]
  const rows = [row('nothing', all), ...[...hidden].map(([name, of]) => row(name, figures(of)))]
  return { title: 'Ablation', lines: [table(['hidden', ...names], rows)], bars: [], figures: {} }
}
