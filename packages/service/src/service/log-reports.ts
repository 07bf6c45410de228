import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import type { LogProblem } from '../ingest/shared.ts'

/** milliseconds between two lines that say that the log accepts no entries */
const LOG_TROUBLE_MS = 60_000

/** Receives what happens to the shared log, for metrics and the service's own log. */
export type LogReports = ReturnType<typeof createLogReports>

/** Every retry is counted and logged only now and then, because unreachable or full servers are asked again and again. */
export function createLogReports(logger: Logger, metrics: Metrics) {
  const counts = { unwritten: 0, lost: 0, restored: 0 }
  let saidAt = Number.NEGATIVE_INFINITY
  const counter = (name: string, help: string, what: keyof typeof counts): void =>
    metrics.counter(name, help, [], () => counts[what])
  counter('ti_log_unwritten_total', 'attempts to write to the shared log that its servers did not accept', 'unwritten')
  counter(
    'ti_log_lost_total',
    'times that the servers of the shared log came back without it, or without its end',
    'lost',
  )
  counter('ti_log_restored_total', 'entries that this node gave back to a shared log that had lost them', 'restored')
  return {
    onTrouble(err: unknown): void {
      counts.unwritten++
      if (performance.now() - saidAt < LOG_TROUBLE_MS) return
      saidAt = performance.now()
      logger.warn({ err, tries: counts.unwritten }, 'the log accepts no entries; retried until it does')
    },
    onLost({ message }: Error): void {
      counts.lost++
      logger.error({ why: message }, 'the shared log is lost: the nodes give it back what they have of it')
    },
    onRestored(entries: number): void {
      counts.restored += entries
      logger.warn({ entries }, 'gave entries back to the shared log')
    },
  }
}

export const LOG_PROBLEM: Readonly<Record<LogProblem, string>> = {
  away: 'the servers of the shared log do not answer',
  lost: 'the servers of the shared log came back without it, or without its end: the nodes give it back what they have',
}

export function addLogProblem(metrics: Metrics, problem: () => LogProblem | null): void {
  metrics.gauge(
    'ti_log_problem',
    '1 while the shared log is away (no answer) or lost (empty, or without its end)',
    ['problem'],
    () => (['away', 'lost'] as const).map((name) => ({ labels: { problem: name }, value: Number(problem() === name) })),
  )
}
