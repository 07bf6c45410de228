import type { AppStatus } from '@ti/core/contract/app.ts'

/** Counters and gauges at one moment. */
export interface Gauges {
  /** newest log entry, and trades so far */
  readonly seq: number
  readonly trades: number
  readonly lagSlots: number | null
  readonly memoryBytes: number
  readonly storeBytes: number
  readonly sockets: number
}

/**
 * The last minutes of the service, for the status page.
 * Keeps the newest `most` samples.
 */
export function createSamples(most: number) {
  let before: Gauges | null = null
  const kept: { atMs: number; blocks: number; trades: number; now: Gauges }[] = []
  return {
    /** takes one sample; the first only sets the baseline */
    take(now: Gauges, atMs: number): void {
      if (before !== null) {
        kept.push({
          atMs,
          blocks: Math.max(0, now.seq - before.seq),
          trades: Math.max(0, now.trades - before.trades),
          now,
        })
        if (kept.length > most) kept.shift()
      }
      before = now
    },
    series: (): AppStatus['series'] => ({
      times: kept.map(({ atMs }) => atMs / 1000),
      blocks: kept.map(({ blocks }) => blocks),
      trades: kept.map(({ trades }) => trades),
      lag_slots: kept.map(({ now }) => now.lagSlots ?? -1),
      memory_bytes: kept.map(({ now }) => now.memoryBytes),
      store_bytes: kept.map(({ now }) => now.storeBytes),
      sockets: kept.map(({ now }) => now.sockets),
    }),
  }
}
