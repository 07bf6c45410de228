import { type Bucket, createBucket } from '../../base/bucket.ts'

/** chats and webhooks whose rate is remembered, some 200 bytes each */
export const PACED = 10_000

type Rate = Parameters<typeof createBucket>[0]

/** The rate limits of a service: one in total, and one for each key (a chat or a webhook). */
export type Pace = ReturnType<typeof createPace>

interface PaceOptions {
  readonly all: Rate
  readonly each: (key: string) => Rate
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number
  /** The number of keys kept in memory. */
  readonly keys: number
}

export function createPace({ all: allRate, each, now, keys }: PaceOptions) {
  const all = createBucket(allRate, now)
  const buckets = new Map<string, Bucket>()

  function of(key: string): Bucket {
    const known = buckets.get(key)
    if (known !== undefined) return known
    if (buckets.size >= keys) {
      // Evicts the oldest bucket without a wait, because it loses the least. If every bucket has one, it evicts the oldest.
      const idle = [...buckets].find(([, bucket]) => bucket.waitMs() === 0)?.[0]
      buckets.delete(idle ?? buckets.keys().next().value!)
    }
    const bucket = createBucket(each(key), now)
    buckets.set(key, bucket)
    return bucket
  }

  return {
    /** Takes one request for the key. Returns 0, or the milliseconds until one is allowed. */
    takeMs(key: string): number {
      const own = of(key)
      const waitMs = Math.max(all.waitMs(), own.waitMs())
      if (waitMs === 0) {
        all.take()
        own.take()
      }
      return waitMs
    },
    /** Blocks the key, or all keys if it is null, for `ms`. */
    pause: (key: string | null, ms: number): void => (key === null ? all : of(key)).pause(ms),
  }
}
