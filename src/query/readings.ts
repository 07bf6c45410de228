import type { Duplication, Ratings } from '../contract/resources.ts'
import { DUP, type DupFlags } from '../engine/state.ts'

/**
 * Readings of parts that are not built yet (bundles, score, cohorts, KOLs, signals, agents): served as "no reading",
 * never invented.
 */
export const NO_RATINGS: Ratings = {
  alpha_hands: 'neutral',
  bundle: 'neutral',
  conviction: 'neutral',
  cooktimer: 'neutral',
  dirty: 'neutral',
  dumpers: 'neutral',
  in_profit: 'neutral',
  jeets: 'neutral',
  pump_dump: 'neutral',
  score: 'neutral',
}

const flag = (value: number): boolean | null => (value === DUP.unknown ? null : value === DUP.yes)

export const duplication = (dup: DupFlags): Duplication => ({
  image: flag(dup.image),
  name: flag(dup.name),
  symbol: flag(dup.symbol),
  symbol_name: flag(dup.symbolName),
  telegram: flag(dup.telegram),
  twitter: flag(dup.twitter),
  website: flag(dup.website),
})
