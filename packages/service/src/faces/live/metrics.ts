import { count, createCounts } from '@ti/core/base/counts.ts'
import { perTopic, TOPICS, type Topic } from '@ti/core/contract/streams.ts'
import type { StreamMessage } from '@ti/core/query/streams.ts'
import { createHistogram } from '../../base/histogram.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { SocketRefusal } from './admission.ts'
import { CLOSE_CODES } from './channels.ts'
import type { Hub } from './hub.ts'

/** seconds since the block's time; block times of the chain are whole seconds */
const LAG_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

/** the usual ends of a socket; an error of the library is counted by its own code */
const CLOSINGS = ['client', 'lost', ...Object.values(CLOSE_CODES).map(String)]
const REFUSALS: readonly SocketRefusal['reason'][] = [
  'version',
  'key',
  'accounts',
  'account',
  'key sockets',
  'sockets',
  'filters',
  'trial',
  'stopping',
]

/** Counts of the streams, read when metrics are collected. */
export interface Meters {
  wrote(messages: number, bytes: number): void
  /** counts a closed socket by its reason: a close code, the client, or a protocol error */
  closed(why: string): void
  refused(reason: SocketRefusal['reason']): void
  /** called before messages are written to the live readers */
  lag(topic: Topic, messages: readonly StreamMessage[], nowMs: number): void
}

interface Watched {
  readonly hub: Pick<Hub, 'counts'>
  /** open sockets, and bytes queued in all of them */
  readonly sockets: () => number
  readonly queuedBytes: () => number
}

export function createMeters(): Meters & { show(metrics: Metrics, watched: Watched): void } {
  const closings = createCounts<string>(CLOSINGS)
  const refusals = createCounts(REFUSALS)
  let messages = 0
  let bytes = 0
  const lags = perTopic(() => createHistogram(LAG_BOUNDS))

  return {
    wrote(more, size) {
      messages += more
      bytes += size
    },
    closed: (why) => count(closings, why),
    refused: (reason) => count(refusals, reason),
    lag(topic, sent, nowMs) {
      const lag = lags[topic]
      for (const { time } of sent) {
        if (time === 0) continue
        lag.add(Math.max(0, nowMs / 1000 - time))
      }
    },
    show(metrics, { hub, sockets, queuedBytes }) {
      metrics.gauge('ti_live_sockets', 'open sockets', [], sockets)
      metrics.gauge('ti_live_queue_bytes', 'bytes that wait for slow sockets', [], queuedBytes)
      metrics.gauge('ti_live_readers', 'subscriptions by topic', ['topic', 'state'], function* () {
        for (const topic of TOPICS) {
          for (const [state, value] of Object.entries(hub.counts(topic))) yield { labels: { topic, state }, value }
        }
      })
      metrics.counter('ti_live_messages_total', 'messages written, once for every socket', [], () => messages)
      metrics.counter('ti_live_bytes_total', 'bytes written to all sockets', [], () => bytes)
      const ended = 'sockets and event streams that ended: our close code, client, lost, or the fault'
      metrics.counts('ti_live_closed_total', ended, 'why', closings)
      metrics.counts('ti_live_refused_total', 'upgrades refused, by reason', 'reason', refusals)
      const help = 'from the time of the block until its messages are written'
      metrics.histogram('ti_live_lag_seconds', help, LAG_BOUNDS, () =>
        TOPICS.map((topic) => ({ labels: { topic }, ...lags[topic] })),
      )
    },
  }
}
