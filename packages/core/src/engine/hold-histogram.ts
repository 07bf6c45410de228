import { HISTORY } from './constants.ts'

/**
 * Cost by holding time in fixed quarter-octave bins, stored sparsely because most wallets use two or three of the 64.
 * Bin k covers [2^(k/4), 2^((k+1)/4)) slots; bin 0 starts at 0 and the last bin is open. The edges use only √, so their
 * bits are equal on every platform.
 */
const QUARTER = Math.sqrt(Math.sqrt(2))
const EDGES = new Float64Array(HISTORY.holdBins)
for (let k = 0; k < HISTORY.holdBins; k++) {
  const octave = 1 << (k >> 2)
  const steps = k & 3
  EDGES[k] = octave * (steps === 0 ? 1 : steps === 1 ? QUARTER : steps === 2 ? Math.sqrt(2) : Math.sqrt(2) * QUARTER)
}

export function holdBin(slots: number): number {
  let low = 0
  let high = HISTORY.holdBins - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (EDGES[middle]! <= slots) low = middle
    else high = middle - 1
  }
  return low
}

/** Adds `cost` to the bin of `slots`. `bins` stays ascending. */
export function addHold(bins: number[], costs: number[], slots: number, cost: number): void {
  const bin = holdBin(slots)
  let at = bins.length
  while (at > 0 && bins[at - 1]! > bin) at--
  if (at > 0 && bins[at - 1] === bin) {
    costs[at - 1] = costs[at - 1]! + cost
    return
  }
  bins.splice(at, 0, bin)
  costs.splice(at, 0, cost)
}

/** The cost-weighted median in whole slots, linear within its bin; null if the histogram is empty. */
export function medianHold(bins: readonly number[], costs: readonly number[]): number | null {
  let total = 0
  for (const cost of costs) total += cost
  if (total <= 0) return null
  let below = 0
  for (let i = 0; i < bins.length; i++) {
    const cost = costs[i]!
    if (below + cost >= total / 2) {
      const bin = bins[i]!
      const from = bin === 0 ? 0 : EDGES[bin]!
      const to = bin === HISTORY.holdBins - 1 ? from : EDGES[bin + 1]!
      return Math.round(from + (to - from) * ((total / 2 - below) / cost))
    }
    below += cost
  }
  return null
}
