import { type Counts, createCounts } from '../../base/counts.ts'
import type { HistogramSample } from '../../base/metrics.ts'

export const STEPS = ['reserve', 'verify', 'work', 'settle'] as const
export type Step = (typeof STEPS)[number]

/** milliseconds */
export const STEP_BOUNDS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] as const

/** What the cashier counts, as plain numbers for whoever exports them. */
export interface PaymentMeters {
  /** payments by the kind of their outcome, and `recovered …` for what a round over open ones did */
  readonly outcomes: Counts
  /** calls of each step, milliseconds; bounds: STEP_BOUNDS */
  steps(): HistogramSample[]
  /** runs it and notes how long it took, also when it fails */
  timed<T>(step: Step, run: () => Promise<T>): Promise<T>
}

export function createMeters(): PaymentMeters {
  const steps = new Map(
    STEPS.map((step) => [step, { buckets: new Float64Array(STEP_BOUNDS.length), sum: 0, count: 0 }]),
  )
  return {
    outcomes: createCounts(),
    steps: () => [...steps].map(([step, sample]) => ({ labels: { step }, ...sample })),
    async timed(step, run) {
      const start = performance.now()
      try {
        return await run()
      } finally {
        const ms = performance.now() - start
        const sample = steps.get(step)!
        const bucket = STEP_BOUNDS.findIndex((bound) => ms <= bound)
        if (bucket >= 0) sample.buckets[bucket]!++
        sample.sum += ms
        sample.count++
      }
    },
  }
}
