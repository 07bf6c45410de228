import { emptyGlobals } from '../model/generated/empty.ts'
import type { Globals } from '../model/state.ts'
import { HABIT, HISTORY } from './constants.ts'
import { holdBin } from './hold-histogram.ts'
import { startOutlook } from './outlook/counts.ts'

/** The initial globals of a fold. */
export function newGlobals(): Globals {
  const globals = emptyGlobals()
  const { population } = globals
  population.holds = priorHolds()
  population.veteranPnl = noBins()
  population.veteranRoi = noBins()
  population.veteranWin = noBins()
  startOutlook(globals.outlook)
  return globals
}

const noBins = (): number[] => new Array<number>(HISTORY.holdBins).fill(0)

/** The prior of the hold histogram: one minute. */
function priorHolds(): number[] {
  const holds = noBins()
  holds[holdBin(HABIT.priorSlots)] = HABIT.priorSells
  return holds
}
