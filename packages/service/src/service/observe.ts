import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import type { ObserveOptions } from '../config/options.ts'
import { createObservers, type Observers } from '../observe/observers.ts'
import type { MissingFacts, Report } from '../observe/types.ts'
import { readCreation } from './creation.ts'

interface ObservedService {
  readonly missing: MissingFacts
  readonly report: Report
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Starts the observers that the operator chose. Returns null if they are off. */
export function startObservers(
  options: ObserveOptions | null,
  { metrics, ...service }: ObservedService,
): Observers | null {
  if (options === null) return null
  const observers = createObservers({ options, readCreation, ...service })
  const gauge = (name: string, help: string, value: 'waiting' | 'inFlight') =>
    metrics.gauge(name, help, ['observer'], () =>
      observers.status().map((one) => ({ labels: { observer: one.name }, value: one[value] })),
    )
  gauge('ti_observe_waiting', 'subjects that could be requested now', 'waiting')
  gauge('ti_observe_in_flight', 'requests on their way', 'inFlight')
  metrics.counter('ti_observe_total', 'outcomes of requests to the outside', ['observer', 'outcome'], function* () {
    for (const { name: observer, counts } of observers.status()) {
      for (const [outcome, value] of counts) yield { labels: { observer, outcome }, value }
    }
  })
  observers.start()
  return observers
}
