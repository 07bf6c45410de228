import type { ChainEvent } from '../../model/events.ts'
import type { Population } from '../../model/population.ts'
import { BUNDLES } from '../constants.ts'

/**
 * How full blocks are of what is followed here: methodology, section 8. Standing side by side means something where strangers'
 * transactions would stand between, and nothing where a source numbers only what it delivers.
 */

/** Counts a block's events, which are in the order of the chain; old counts fade. */
export function countPlaces(population: Population, events: readonly ChainEvent[]): void {
  const last = events[events.length - 1]
  if (last === undefined || last.txIndex < 0) return
  let traded = 0
  let before = -1
  for (const { kind, txIndex } of events) {
    if (kind !== 'trade' || txIndex === before) continue
    before = txIndex
    traded++
  }
  population.places += last.txIndex + 1
  population.placesTraded += traded
  if (population.places < BUNDLES.placesKept) return
  population.places = Math.floor(population.places / 2)
  population.placesTraded = Math.floor(population.placesTraded / 2)
}

/** Whether most of a block is strangers'; nobody can say before enough was counted. */
export const isSparse = ({ places, placesTraded }: Population): boolean =>
  places >= BUNDLES.placesMin && placesTraded <= places * BUNDLES.placesTradedShare
