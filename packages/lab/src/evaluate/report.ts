import type { Bar } from './bars.ts'
import type { BundleResult } from './bundles.ts'
import type { ColourRates } from './colours.ts'
import type { GroupResult } from './groups.ts'
import type { Ranked } from './ranking.ts'
import type { RegimeCurve } from './regime.ts'
import type { Reliability } from './reliability.ts'
import type { Evaluation, Regime } from './sample.ts'

/** The contents of report.json. */
export interface Report
  extends Pick<Evaluation, 'command' | 'formulasVersion' | 'sources' | 'rugs' | 'greens' | 'real'> {
  readonly seed: number
  readonly looks: number
  readonly ranked: readonly Ranked[]
  readonly colours: readonly ColourRates[]
  readonly reliability: readonly Reliability[]
  readonly regime: (Omit<Regime, 'cases'> & { readonly curves: readonly RegimeCurve[] }) | null
  readonly bundles: BundleResult
  /** Null without truth. */
  readonly groups: GroupResult | null
  readonly bars: readonly Bar[]
}
