import type { Metrics } from '../../base/metrics.ts'

/** The outcome of a tool call, as a metric label. */
export type Tally =
  | 'pro'
  | 'free_key'
  | 'paid'
  | 'not_charged'
  | 'offered'
  | 'refused'
  | 'bad_request'
  | 'not_ready'
  | 'uncertain'
  | 'unavailable'
  | 'gone'
  | 'failed'

/** Counts tool calls by tool and outcome. */
export function countCalls(metrics: Metrics): (tool: string, outcome: Tally) => void {
  const tallies = new Map<string, Map<Tally, number>>()
  metrics.counter('mcp_tool_calls_total', 'Tool calls by what became of them.', ['tool', 'outcome'], function* () {
    for (const [tool, outcomes] of tallies) {
      for (const [outcome, value] of outcomes) yield { labels: { tool, outcome }, value }
    }
  })
  return (tool, outcome) => {
    const outcomes = tallies.get(tool) ?? new Map<Tally, number>()
    tallies.set(tool, outcomes)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
}
