import { forkJunkRun } from '../test/attacks/junk-run.ts'
import { quantile } from './asking.ts'
import type { BenchRow } from './types.ts'

/** The latency for a previous payer while strangers send junk payments and request challenges. */
const SECONDS = Number(process.env.BENCH_JUNK_SECONDS ?? 10)
const BAR_MS = 200

export async function benchJunk(): Promise<BenchRow[]> {
  const { quiet, busy, payments, challenges, core, slowness } = await forkJunkRun(SECONDS)
  const rates = [payments, challenges].map(({ statuses, sentMs }) => (statuses.length / (sentMs / 1_000)).toFixed(0))
  const ms = (times: readonly number[], share: number): string => quantile(times, share).toFixed(0)
  return [
    {
      name: 'a whole paid call under 99 junk payments and 200 challenges a second, p99 ms (at most)',
      ratio: quantile(busy, 0.99),
      bar: BAR_MS,
      pass: quantile(busy, 0.99) <= BAR_MS,
      detail: `of ${busy.length}, median ${ms(busy, 0.5)}; of ${quiet.length} before: p99 ${ms(quiet, 0.99)}, median ${ms(quiet, 0.5)} ms; sent ${rates[0]} and ${rates[1]} a second; the service used ${(100 * core).toFixed(0)} % of a core; a second of computing took ${slowness.map((one) => one.toFixed(2)).join(' and ')} beside it`,
    },
  ]
}
