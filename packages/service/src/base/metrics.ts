import type { Counts } from '@ti/core/base/counts.ts'
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { createSharedRun } from './shared-run.ts'

/** milliseconds between two collections: each takes some 4 ms of every thread, whoever asks and however often */
export const COLLECT_MS = 100

type Labels = Readonly<Record<string, string | number>>

interface Sample {
  readonly labels: Labels
  readonly value: number
}

type Read = () => number | Iterable<Sample>

const samplesOf = (read: number | Iterable<Sample>): Iterable<Sample> =>
  typeof read === 'number' ? [{ labels: {}, value: read }] : read

/** A histogram kept by its owner as plain numbers; `buckets[i]` counts values ≤ bounds[i], not cumulated. */
export interface HistogramSample {
  readonly labels: Labels
  readonly buckets: ArrayLike<number>
  readonly sum: number
  readonly count: number
}

/**
 * Metrics are plain numbers owned by the code that counts; the registry reads them only when scraped. So a hot path pays one
 * addition and never a label lookup.
 */
export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(options: { process?: boolean } = {}) {
  const registry = new Registry()
  const texts: (() => Promise<string>)[] = [() => registry.metrics()]
  if (options.process === true) collectDefaultMetrics({ register: registry })

  function counter(name: string, help: string, labelNames: readonly string[], read: Read): void {
    new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        clear(this, labelNames)
        for (const { labels, value } of samplesOf(read())) this.inc(labels, value)
      },
    })
  }

  return {
    /** Without labels, `read` may return a plain number. What it leaves out has no series: an alarm would take a 0 for a fault. */
    counter,
    gauge(name: string, help: string, labelNames: readonly string[], read: Read): void {
      new Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        collect() {
          clear(this, labelNames)
          for (const { labels, value } of samplesOf(read())) this.set(labels, value)
        },
      })
    },
    histogram(name: string, help: string, bounds: readonly number[], read: () => Iterable<HistogramSample>): void {
      const get = async () => ({ name, help, type: 'histogram', values: histogramValues(name, bounds, read()) })
      // the registry only ever calls `get` on what it holds; prom-client has no histogram that is read lazily
      registry.registerMetric({ name, get } as unknown as Metric)
    },
    /** one counter with a label for the name of each count */
    counts(name: string, help: string, label: string, counts: Counts): void {
      counter(name, help, [label], () => [...counts].map(([key, value]) => ({ labels: { [label]: key }, value })))
    },
    contentType: registry.contentType,
    /** appends the metrics of another thread to the text */
    also: (text: () => Promise<string>): void => void texts.push(text),
    /** Prometheus text format */
    text: createSharedRun(async () => (await Promise.all(texts.map((text) => text()))).join('\n'), COLLECT_MS),
  }
}

/** Without labels, `reset` leaves a 0 behind. */
function clear(metric: Counter | Gauge, labelNames: readonly string[]): void {
  metric.reset()
  if (labelNames.length === 0) metric.remove()
}

interface ExportedValue {
  readonly metricName: string
  readonly labels: Labels
  readonly value: number
}

function histogramValues(name: string, bounds: readonly number[], samples: Iterable<HistogramSample>): ExportedValue[] {
  const values: ExportedValue[] = []
  for (const { labels, buckets, sum, count } of samples) {
    let below = 0
    bounds.forEach((le, i) => {
      below += buckets[i] ?? 0
      values.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: below })
    })
    values.push({ metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count })
    values.push({ metricName: `${name}_sum`, labels, value: sum })
    values.push({ metricName: `${name}_count`, labels, value: count })
  }
  return values
}
