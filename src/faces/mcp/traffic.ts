import type { Metrics } from '../../base/metrics.ts'
import type { CallOutcome } from './calls.ts'

/** Counts tool calls by tool and what became of them. */
export function countCalls(metrics: Metrics): (tool: string, outcome: CallOutcome) => void {
  const tallies = new Map<string, Map<CallOutcome, number>>()
  metrics.counter('mcp_tool_calls_total', 'Tool calls by what became of them.', ['tool', 'outcome'], function* () {
    for (const [tool, outcomes] of tallies) {
      for (const [outcome, value] of outcomes) yield { labels: { tool, outcome }, value }
    }
  })
  return (tool, outcome) => {
    const outcomes = tallies.get(tool) ?? new Map<CallOutcome, number>()
    tallies.set(tool, outcomes)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
}
