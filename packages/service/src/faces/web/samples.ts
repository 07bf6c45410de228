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

/** The last minutes of the service, for the status page. */
interface Samples {
  /** takes one sample; the first only sets the baseline */
  take(now: Gauges): void
  series(): AppStatus['series']
}

/** Keeps the newest `most` samples. */
export function createSamples(everyMs: number, most: number): Samples {
  let before: Gauges | null = null
  const kept: { blocks: number; trades: number; now: Gauges }[] = []
  return {
    take(now) {
      if (before !== null) {
        kept.push({
          blocks: Math.max(0, now.seq - before.seq),
          trades: Math.max(0, now.trades - before.trades),
          now,
        })
        if (kept.length > most) kept.shift()
      }
      before = now
    },
    series: () => ({
      every_s: everyMs / 1000,
      blocks: kept.map(({ blocks }) => blocks),
      trades: kept.map(({ trades }) => trades),
      lag_slots: kept.map(({ now }) => now.lagSlots ?? -1),
      memory_bytes: kept.map(({ now }) => now.memoryBytes),
      store_bytes: kept.map(({ now }) => now.storeBytes),
      sockets: kept.map(({ now }) => now.sockets),
    }),
  }
}
