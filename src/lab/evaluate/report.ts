import type { ActorResult } from './actors.ts'
import type { Bar } from './bars.ts'
import type { BundleResult } from './bundles.ts'
import type { Cell, Judgement } from './judge.ts'
import type { Decision, Evaluation, Label, RealNote } from './sample.ts'
import type { Threshold } from './thresholds.ts'

/** Judged in full; the first is the primary one. */
export const FULL: readonly (readonly [Decision, Label])[] = [
  ['t300', 'graduated_24h'],
  ['t300', 'survives_3h'],
  ['t300', 'rugged_1h'],
]

/** Everything `evaluate` has to say, as it stands in report.json. */
export interface Report {
  readonly source: Evaluation['source']
  readonly formulasVersion: string
  readonly seed: number
  readonly resamples: { readonly full: number; readonly tables: number }
  readonly judgements: readonly Judgement[]
  readonly cells: readonly Cell[]
  readonly thresholds: readonly Threshold[]
  readonly bundles: BundleResult
  readonly actors: ActorResult | null
  readonly integrity: Evaluation['integrity']
  readonly bars: readonly Bar[]
  readonly real: readonly RealNote[]
}
