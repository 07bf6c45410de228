import { type Bucket, createBucket } from '../../base/bucket.ts'

type Rate = Parameters<typeof createBucket>[0]

/** The rates at which something may be asked of a service: in all, and by each key (a chat, a webhook). */
export interface Pace {
  /** takes one for the key: 0, or milliseconds until there may be one */
  takeMs(key: string): number
  /** none for the key, or for anybody (null), for so long */
  pause(key: string | null, ms: number): void
}

interface PaceOptions {
  readonly all: Rate
  readonly each: (key: string) => Rate
  /** milliseconds that only grow */
  readonly now: () => number
  /** keys that are remembered */
  readonly keys: number
}

export function createPace({ all: allRate, each, now, keys }: PaceOptions): Pace {
  const all = createBucket(allRate, now)
  const buckets = new Map<string, Bucket>()

  function of(key: string): Bucket {
    const known = buckets.get(key)
    if (known !== undefined) return known
    if (buckets.size >= keys) {
      // the oldest that does not wait is as good as new; if all wait, the oldest
      const idle = [...buckets].find(([, bucket]) => bucket.waitMs() === 0)?.[0]
      buckets.delete(idle ?? buckets.keys().next().value!)
    }
    const bucket = createBucket(each(key), now)
    buckets.set(key, bucket)
    return bucket
  }

  return {
    takeMs(key) {
      const own = of(key)
      const waitMs = Math.max(all.waitMs(), own.waitMs())
      if (waitMs === 0) {
        all.take()
        own.take()
      }
      return waitMs
    },
    pause: (key, ms) => (key === null ? all : of(key)).pause(ms),
  }
}
