import { type Filters, NO_FILTERS } from './filters.ts'
import type { Sorting } from './sorting.ts'

/** A common choice of filters and order, as a starting point. */
interface Preset {
  readonly id: string
  readonly label: string
  /** one sentence */
  readonly means: string
  readonly filters: Filters
  readonly sorting: Sorting
}

export const PRESETS: readonly Preset[] = [
  {
    id: 'cleanest',
    label: 'Cleanest',
    means:
      'At most 10% bundled, 25% with suspicious wallets and 5% held by the deployer, no copied image or links, nobody known from a drained or rugged token; lowest drain risk first.',
    filters: { ...NO_FILTERS, bundleMax: 10, dirtyMax: 25, devMax: 5, original: true, clean: true },
    // a young token has no score yet
    sorting: { by: 'drain', falling: false },
  },
  {
    id: 'freshest',
    label: 'Freshest',
    means: 'Launched within five minutes; newest first.',
    filters: { ...NO_FILTERS, ageMax: 5 },
    sorting: { by: 'age', falling: false },
  },
  {
    id: 'known',
    label: 'Actors known',
    means: 'Wallets known from other tokens are in it.',
    filters: { ...NO_FILTERS, known: true },
    sorting: null,
  },
  {
    id: 'near',
    label: 'Near graduation',
    means: 'At least half of the curve is filled; fullest first.',
    filters: { ...NO_FILTERS, curveMin: 50 },
    sorting: { by: 'curve', falling: true },
  },
]

const same = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Returns the preset equal to these filters and order. */
export const presetOf = (filters: Filters, sorting: Sorting): Preset | null =>
  PRESETS.find((preset) => same(inOrder(preset.filters), inOrder(filters)) && same([preset.sorting], [sorting])) ?? null

const inOrder = (filters: Filters): object =>
  Object.fromEntries(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)))
