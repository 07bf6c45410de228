import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '../../config/limits.ts'
import { barsOf } from './bars.ts'
import { judgeBundles } from './bundles.ts'
import { DECISIONS, LABELS } from './cohort.ts'
import { toJson } from './json.ts'
import { compare, judge } from './judge.ts'
import { toMarkdown } from './markdown.ts'
import { plotsOf } from './plots.ts'
import { FULL, type Report } from './report.ts'
import type { Decision, Evaluation, Label } from './sample.ts'
import { thresholds } from './thresholds.ts'

/** Judges everything one pass collected. The same evaluation and seed give the same report, byte for byte. */
export function evaluateAll(evaluation: Evaluation, seed: number): Report {
  const [primary] = FULL[0]!
  const report = {
    source: evaluation.source,
    formulasVersion: evaluation.formulasVersion,
    seed,
    resamples: { full: LIMITS.evaluateResamples, tables: LIMITS.evaluateTableResamples },
    judgements: FULL.map(([decision, label]) => judge(evaluation, decision, label, seed)),
    cells: TABLE.map(([decision, label]) => compare(evaluation, decision, label, seed)),
    thresholds: thresholds(evaluation.samples.filter((sample) => sample.decision === primary)),
    bundles: judgeBundles(evaluation, seed),
    actors: evaluation.actors ?? null,
    integrity: evaluation.integrity,
    real: evaluation.real,
  }
  return { ...report, bars: barsOf(report) }
}

/** Every pair but one: who migrates has graduated. */
const TABLE: readonly (readonly [Decision, Label])[] = DECISIONS.flatMap((decision) =>
  LABELS.filter((label) => decision !== 'migration' || label !== 'graduated_24h').map(
    (label) => [decision, label] as const,
  ),
)

/** Writes report.md, report.json and plots/*.svg into `dir`, made when missing; files of these names are replaced. */
export function writeReport(dir: string, report: Report): void {
  mkdirSync(join(dir, 'plots'), { recursive: true })
  writeFileSync(join(dir, 'report.md'), toMarkdown(report))
  writeFileSync(join(dir, 'report.json'), toJson(report))
  for (const { name, svg } of report.judgements.flatMap(plotsOf)) writeFileSync(join(dir, 'plots', name), svg)
}
