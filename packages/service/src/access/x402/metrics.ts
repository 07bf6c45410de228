import { type Counts, createCounts } from '@ti/core/base/counts.ts'
import { createHistogram } from '../../base/histogram.ts'
import type { HistogramSample } from '../../base/metrics.ts'
import type { PaymentState } from '../sql/schema.ts'
import type { Outcome } from './types.ts'

const STEPS = ['reserve', 'verify', 'work', 'settle'] as const
type Step = (typeof STEPS)[number]

type PaymentOutcome = Outcome<unknown>['kind'] | 'failed' | `recovered ${PaymentState}`
const OUTCOMES: readonly PaymentOutcome[] = ['paid', 'free', 'refused', 'uncertain', 'unavailable', 'gone', 'failed']

/** milliseconds */
export const STEP_BOUNDS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] as const

/** Payment counters for metrics. */
export interface PaymentMeters {
  /** outcomes by kind, and `recovered …` for results of the poller of open payments */
  readonly outcomes: Counts<PaymentOutcome>
  /** histogram of each step, milliseconds; bounds: STEP_BOUNDS */
  steps(): HistogramSample[]
  /** runs and times it, even if it fails */
  timed<T>(step: Step, run: () => Promise<T>): Promise<T>
}

export function createMeters(): PaymentMeters {
  const steps = new Map(STEPS.map((step) => [step, createHistogram(STEP_BOUNDS)]))
  return {
    outcomes: createCounts<PaymentOutcome>(OUTCOMES),
    steps: () => [...steps].map(([step, sample]) => ({ labels: { step }, ...sample })),
    async timed(step, run) {
      const start = performance.now()
      try {
        return await run()
      } finally {
        steps.get(step)!.add(performance.now() - start)
      }
    },
  }
}
