import type { ChainEvent } from '../../model/events.ts'
import type { Population } from '../../model/population.ts'
import { BUNDLES } from '../constants.ts'

/**
 * Measures how many of a block's transactions trade followed tokens (methodology, section 8). Adjacency is evidence
 * only if other transactions would usually lie between, and none if the source numbers only what it delivers.
 */

/** Counts a block's events, which must be in chain order. The counters are halved from time to time. */
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

/** True if most of a block's transactions are unrelated; false before enough were counted. */
export const isSparse = ({ places, placesTraded }: Population): boolean =>
  places >= BUNDLES.placesMin && placesTraded <= places * BUNDLES.placesTradedShare
