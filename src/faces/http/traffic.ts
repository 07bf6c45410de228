import type { Metrics } from '../../base/metrics.ts'

/** seconds; an answer from memory takes some ten microseconds */
const BOUNDS = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1]

interface Tally {
  readonly statuses: Map<number, number>
  /** values above the last bound only count in `count` */
  readonly buckets: Float64Array
  sum: number
  count: number
}

/** Counts answers by operation and status, and the time from the parsed request until its answer reached the socket. */
export interface Traffic {
  /** one operation's counter: call it with the status and the time in milliseconds */
  operation(name: string): (status: number, ms: number) => void
}

export function createTraffic(metrics: Metrics): Traffic {
  const tallies = new Map<string, Tally>()

  metrics.counter('http_requests_total', 'Answers by operation and status.', ['operation', 'status'], function* () {
    for (const [operation, { statuses }] of tallies) {
      for (const [status, value] of statuses) yield { labels: { operation, status }, value }
    }
  })
  metrics.histogram('http_request_duration_seconds', 'Time to answer.', BOUNDS, function* () {
    for (const [operation, { buckets, sum, count }] of tallies) {
      if (count > 0) yield { labels: { operation }, buckets, sum, count }
    }
  })

  return {
    operation(name) {
      const tally: Tally = { statuses: new Map(), buckets: new Float64Array(BOUNDS.length), sum: 0, count: 0 }
      tallies.set(name, tally)
      return (status, ms) => {
        const seconds = ms / 1000
        tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
        tally.sum += seconds
        tally.count++
        const bucket = BOUNDS.findIndex((bound) => seconds <= bound)
        if (bucket >= 0) tally.buckets[bucket]!++
      }
    },
  }
}
