import { newGlobals } from '@ti/core/engine/globals.ts'
import type { Globals } from '@ti/core/model/state.ts'

/** A population of veterans to compare with, by the bins of their measures: 199, one less than are needed. */
export const VETERANS = Array.from({ length: 199 }, (_, n) => ({ pnl: n % 40, roi: n % 24, win: n % 32 }))

/** The state of a fold that has seen nobody else. */
export function globalsWithVeterans(): Globals {
  const globals = newGlobals()
  const { population } = globals
  population.veterans = VETERANS.length
  for (const { pnl, roi, win } of VETERANS) {
    population.veteranPnl[pnl]!++
    population.veteranRoi[roi]!++
    population.veteranWin[win]!++
  }
  return globals
}
