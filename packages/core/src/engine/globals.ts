import { emptyGlobals } from '../model/generated/empty.ts'
import type { Globals } from '../model/state.ts'
import { BUNDLES, HABIT, HISTORY } from './constants.ts'
import { holdBin } from './hold-histogram.ts'
import { startOutlook } from './outlook/counts.ts'

/** What a fold begins with. */
export function newGlobals(): Globals {
  const globals = emptyGlobals()
  const { population } = globals
  population.holds = priorHolds()
  population.veteranPnl = noBins()
  population.veteranRoi = noBins()
  population.veteranWin = noBins()
  population.budgetBins = new Array<number>(BUNDLES.budgetBins).fill(0)
  startOutlook(globals.outlook)
  return globals
}

const noBins = (): number[] => new Array<number>(HISTORY.holdBins).fill(0)

/** Before anybody was seen to sell, people are taken to hold for a minute. */
function priorHolds(): number[] {
  const holds = noBins()
  holds[holdBin(HABIT.priorSlots)] = HABIT.priorSells
  return holds
}
