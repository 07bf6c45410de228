import { createHistogram, type Histogram } from '../../base/histogram.ts'
import type { Metrics } from '../../base/metrics.ts'

/** seconds; an answer from memory takes about ten microseconds */
const BOUNDS = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1]

/** the statuses of which alarms count the increase: their series exist before the first such answer */
const COUNTED = [200, 500, 503]

interface Tally {
  readonly statuses: Map<number, number>
  readonly seconds: Histogram
}

/** Counts answers by operation and status, and the time from the parsed request until its answer reached the socket. */
export type Traffic = ReturnType<typeof createTraffic>

export function createTraffic(metrics: Metrics) {
  const tallies = new Map<string, Tally>()

  metrics.counter('http_requests_total', 'Answers by operation and status.', ['operation', 'status'], function* () {
    for (const [operation, { statuses }] of tallies) {
      for (const [status, value] of statuses) yield { labels: { operation, status }, value }
    }
  })
  metrics.histogram('http_request_duration_seconds', 'Time to answer.', BOUNDS, () =>
    [...tallies].map(([operation, { seconds }]) => ({ labels: { operation }, ...seconds })),
  )

  return {
    /** returns one operation's counter: call it with the status and the milliseconds */
    operation(name: string): (status: number, ms: number) => void {
      const tally: Tally = { statuses: new Map(COUNTED.map((status) => [status, 0])), seconds: createHistogram(BOUNDS) }
      tallies.set(name, tally)
      return (status, ms) => {
        tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
        tally.seconds.add(ms / 1000)
      }
    },
  }
}
