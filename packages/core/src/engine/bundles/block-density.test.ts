import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key, Sig } from '../../base/ids.ts'
import type { ChainEvent } from '../../model/events.ts'
import { BUNDLES } from '../constants.ts'
import { newGlobals } from '../globals.ts'
import { countPlaces, isSparse } from './block-density.ts'

const at = (txIndex: number, kind: 'trade' | 'balance' = 'trade'): ChainEvent =>
  ({ kind, sig: '' as Sig, mint: '' as Key, txIndex, outer: 0, inner: 0 }) as ChainEvent

/** The population after `blocks` blocks with these events. */
function counted(blocks: number, ...events: readonly ChainEvent[]) {
  const { population } = newGlobals()
  for (let n = 0; n < blocks; n++) countPlaces(population, events)
  return population
}

test('a place counts once, whatever happened there, and up to the last event of a block', () => {
  const { places, placesTraded } = counted(2, at(3), at(3), at(7, 'balance'), at(9))
  assert.deepEqual([places, placesTraded], [20, 4])
})

test('blocks without places tell nothing', () => {
  assert.equal(counted(5).places, 0)
  assert.equal(counted(5, at(-1)).places, 0)
})

test('sparse is one in five at most, once enough places were counted', () => {
  const blocks = BUNDLES.placesMin / 10
  assert.equal(isSparse(counted(blocks, at(3), at(9))), true)
  assert.equal(isSparse(counted(blocks, at(1), at(3), at(9))), false)
  assert.equal(isSparse(counted(blocks - 1, at(9))), false)
})

test('what was long ago fades', () => {
  const population = counted(BUNDLES.placesKept / 10, at(9))
  assert.equal(population.places, BUNDLES.placesKept / 2)
  assert.equal(population.placesTraded, BUNDLES.placesKept / 20)
})
