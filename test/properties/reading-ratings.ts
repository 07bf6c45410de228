import type { TokenSnapshot } from '@ti/core/contract/resources.ts'

/** The specification's table of ratings, from what is served alone: colours from the lowest values up. */
type Edge = readonly [from: number, includes: boolean, colour: string]
type Served = TokenSnapshot

/** `first` below every edge; an edge's colour from its value on, the value itself included or not. */
const table =
  (value: (s: Served) => number, first: string, ...edges: readonly Edge[]) =>
  (s: Served): string => {
    const x = value(s)
    return edges.reduce(
      (colour, [from, includes, next]) => (x > from || (includes && x === from) ? next : colour),
      first,
    )
  }

const at = true
const beyond = false

const RATINGS: Record<string, (s: Served) => string> = {
  score: table((s) => s.score.value, 'red', [3, at, 'yellow'], [5, at, 'green']),
  bundle: table((s) => s.score.bundle_pct, 'green', [50, at, 'yellow'], [65, at, 'red']),
  dirty: table((s) => s.score.dirty_pct, 'green', [50, at, 'yellow'], [60, beyond, 'red']),
  jeets: table((s) => s.score.jeets_pct, 'green', [10, at, 'yellow'], [20, beyond, 'red']),
  dumpers: table((s) => s.score.dumpers_pct, 'green', [50, at, 'yellow'], [65, beyond, 'red']),
  alpha_hands: table((s) => s.score.alpha_hands_pct, 'red', [25, at, 'yellow'], [30, beyond, 'green']),
  in_profit: table((s) => s.score.in_profit_pct, 'red', [40, at, 'yellow'], [55, beyond, 'green']),
  conviction: table((s) => s.score.conviction_score!, 'red', [50, at, 'yellow'], [60, beyond, 'green']),
  cooktimer: table((s) => s.score.cooktimer_slots, 'red', [1000, at, 'yellow'], [2500, at, 'green']),
  pump_dump: table(
    (s) => s.signals.pump_conditions_met! - s.signals.dump_conditions_met!,
    'red',
    [-4, beyond, 'yellow'],
    [4, at, 'green'],
  ),
}

/** The colour that the table gives to a served number. */
export const ratingByTable = (name: string, s: Served): string => RATINGS[name]!(s)
