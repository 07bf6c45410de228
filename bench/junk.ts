import { forkJunkRun } from '../test/attacks/junk-run.ts'
import type { BenchRow } from './types.ts'

/** What somebody who has paid before waits for an answer while strangers send junk payments and ask for challenges. */
const SECONDS = Number(process.env.BENCH_JUNK_SECONDS ?? 5)
const BAR_MS = 200

const p99 = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!

export async function benchJunk(): Promise<BenchRow[]> {
  const { quiet, busy, statuses, challenges, tookMs, slowness } = await forkJunkRun(SECONDS)
  // a machine that is shared takes longer for everything
  const bar = BAR_MS * Math.max(...slowness)
  const spent = `${(tookMs / 1000).toFixed(1)} s, where a second takes ${slowness.map((one) => one.toFixed(2)).join(' and ')}`
  return [
    {
      name: 'a paid call under 99 junk payments and 200 challenges a second, p99 ms (at most)',
      ratio: p99(busy),
      bar,
      pass: p99(busy) <= bar,
      detail: `of ${busy.length}; ${p99(quiet).toFixed(0)} ms of ${quiet.length} before; ${statuses.length} junk payments and ${challenges} challenges in ${spent}; ledger, chain and caller are in the service's process`,
    },
  ]
}
