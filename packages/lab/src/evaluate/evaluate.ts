import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { barsOf } from './bars.ts'
import { judgeBundles } from './bundles.ts'
import { colourRates } from './colours.ts'
import { judgeGroups } from './groups.ts'
import { toJson } from './json.ts'
import { toMarkdown } from './markdown.ts'
import { regimePlot } from './plots.ts'
import { POPULATION_NAMES } from './populations.ts'
import { QUESTIONS } from './questions.ts'
import { rankCases, WITH_EXITS } from './ranking.ts'
import { regimeCurves } from './regime.ts'
import { reliabilityOf } from './reliability.ts'
import type { Report } from './report.ts'
import type { Evaluation } from './sample.ts'

/** Evaluates everything the passes collected. The same evaluation and seed give the same report, byte for byte. */
export function evaluateAll(evaluation: Evaluation, seed: number): Report {
  const { command, formulasVersion, sources, cases, truth, found, rugs, greens, regime, real } = evaluation
  const each = QUESTIONS.flatMap((question) => POPULATION_NAMES.map((population) => [question, population] as const))
  const report = {
    ...{ command, formulasVersion, seed, sources, looks: cases.length },
    ranked: QUESTIONS.flatMap((question) =>
      ([...POPULATION_NAMES, WITH_EXITS] as const).map((population) => rankCases(cases, question, population, seed)),
    ),
    colours: each.map(([question, population]) => colourRates(cases, question, population)),
    reliability: QUESTIONS.map((question) => reliabilityOf(cases, question)),
    regime: regime === null ? null : { ...withoutCases(regime), curves: regimeCurves(regime) },
    ...{ rugs, greens, real },
    bundles: judgeBundles(evaluation, seed),
    groups: truth === null ? null : judgeGroups(truth, found),
  }
  return { ...report, bars: sources.length === 0 ? [] : barsOf(report) }
}

const withoutCases = ({ name, fromSlot, launches }: NonNullable<Evaluation['regime']>) => ({ name, fromSlot, launches })

/** Writes report.md, report.json and a picture of each curve into `dir`, replacing earlier ones. */
export function writeReport(dir: string, report: Report): void {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'report.md'), toMarkdown(report))
  writeFileSync(join(dir, 'report.json'), toJson(report))
  for (const curve of report.regime?.curves ?? []) {
    const svg = regimePlot(curve)
    if (svg !== null) writeFileSync(join(dir, `regime-${curve.question}.svg`), svg)
  }
}
