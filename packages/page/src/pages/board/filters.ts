import type { BoardCard } from '@ti/core/contract/app.ts'

/** A comparison of the filter language: the same text is the filter here and the condition of an alert. */
interface Definition {
  readonly label: string
  /** largest accepted number; null: a switch */
  readonly max: number | null
  /** one comparison in canonical form */
  readonly condition: (value: number) => string
  readonly passes: (card: BoardCard, value: number) => boolean
}

/** No comparison with an unknown reading is true. */
function number(field: string, operator: '<=' | '>=', label: string, max: number, unit = 1): Definition {
  return {
    label,
    max,
    condition: (value) => `${field} ${operator} ${value * unit}`,
    passes({ values }, value) {
      const reading = values[field]
      if (typeof reading !== 'number') return false
      return operator === '<=' ? reading <= value * unit : reading >= value * unit
    },
  }
}

const is = (label: string, condition: string, passes: (card: BoardCard) => boolean): Definition => ({
  ...{ label, max: null, condition: () => condition, passes },
})

/** slots of a minute, in which ages are compared */
const SLOTS = 150

/** By query parameter, in the order of the form. */
export const DEFINITIONS = {
  dev: number('deployer_pct', '<=', 'Dev ≤ %', 100),
  top10: number('top_10_pct', '<=', 'Top 10 ≤ %', 100),
  bundle: number('bundled_pct', '<=', 'Groups ≤ % of held', 100),
  dirty: number('dirty_pct', '<=', 'Suspicious ≤ % of held', 100),
  snipers: number('snipers_pct', '<=', 'Snipers ≤ %', 100),
  fresh: number('fresh_pct', '<=', 'Fresh ≤ %', 100),
  holders: number('holders', '>=', 'Holders ≥', 1e6),
  kols: number('kols', '>=', 'KOLs ≥', 1e4),
  score: number('score', '>=', 'Score ≥', 10),
  curve: number('curve_pct', '>=', 'Curve ≥ %', 100),
  cap_from: number('mcap', '>=', 'Market cap ≥ $', 1e12),
  cap_to: number('mcap', '<=', 'Market cap ≤ $', 1e12),
  age: number('age_slots', '<=', 'Age ≤ min', 1e6, SLOTS),
  calm: is('No warning', 'colour in ["green", "neutral"]', ({ colour }) => colour === 'green' || colour === 'neutral'),
  original: is('No copies', 'not copied == true', ({ values }) => values.copied !== true),
  known: is('Known crew in it', 'actors >= 1', ({ values }) => Number(values.actors) >= 1),
  clean: is('No crew with a rug', 'bad_actors == 0', ({ values }) => values.bad_actors === 0),
} as const satisfies Record<string, Definition>
export type FilterName = keyof typeof DEFINITIONS
export const FILTER_NAMES = Object.keys(DEFINITIONS) as FilterName[]

/** Values by name; a switch that is on has the value 1. */
export type Filters = Readonly<Partial<Record<FilterName, number>>>

const entriesOf = (filters: Filters): [FilterName, number][] =>
  FILTER_NAMES.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]]))

export const passes = (card: BoardCard, filters: Filters): boolean =>
  entriesOf(filters).every(([name, value]) => DEFINITIONS[name].passes(card, value))

/** Parses a number such as 20k or 1.5m; null if invalid or too large. */
export function readNumber(text: string, max: number): number | null {
  const found = /^\$?(\d+(?:[.,]\d+)?|[.,]\d+)\s*([km])?%?$/i.exec(text.trim())
  if (found === null) return null
  const factor = found[2] === undefined ? 1 : found[2].toLowerCase() === 'k' ? 1e3 : 1e6
  const value = Number(found[1]?.replace(',', '.')) * factor
  return Number.isFinite(value) && value <= max ? value : null
}

export function filtersOf(query: URLSearchParams): Filters {
  const read = (name: FilterName) => readNumber(query.get(name) ?? '', DEFINITIONS[name].max ?? 1)
  return Object.fromEntries(FILTER_NAMES.flatMap((name) => (read(name) === null ? [] : [[name, read(name)]])))
}

/** Writes filters into a query and keeps other parameters. */
export function queryOf(filters: Filters, before: URLSearchParams): string {
  const query = new URLSearchParams(before)
  for (const name of FILTER_NAMES) query.delete(name)
  for (const [name, value] of entriesOf(filters)) query.set(name, String(value))
  return query.toString()
}

export const sameFilters = (a: Filters, b: Filters): boolean => conditionOf(a) === conditionOf(b)

/** The condition of an alert for the tokens that these filters show, in canonical form. */
export function conditionOf(filters: Filters): string {
  const parts = entriesOf(filters).map(([name, value]) => DEFINITIONS[name].condition(value))
  return parts.length > 1 ? `(${parts.join(' and ')})` : parts.join('')
}

/** The filters of such a condition; null if these filters cannot say it. */
export function filtersOfCondition(condition: string): Filters | null {
  const found: Partial<Record<FilterName, number>> = {}
  for (const part of condition.replace(/^\((.*)\)$/, '$1').split(' and ')) {
    const [, number = '1'] = /([\d.]+)$/.exec(part) ?? []
    const name = FILTER_NAMES.find((one) =>
      [Number(number), Number(number) / SLOTS, 1].some((value) => DEFINITIONS[one].condition(value) === part),
    )
    if (name === undefined) return null
    found[name] = name === 'age' ? Number(number) / SLOTS : DEFINITIONS[name].max === null ? 1 : Number(number)
  }
  return sameFilters(found, {}) ? null : found
}

/** Names of filters as words: the default name of an alert. */
export const wordsOf = (filters: Filters): string =>
  entriesOf(filters)
    .map(([name, value]) => {
      const { label, max } = DEFINITIONS[name]
      return max === null ? label : label.replace(/([≤≥]) ?(\$?)/, `$1 $2${value}`).replace(/(\d) %/, '$1%')
    })
    .join(', ')

interface Preset {
  readonly label: string
  /** one sentence */
  readonly means: string
  readonly filters: Filters
}

/** Common choices of filters, as starting points. */
export const PRESETS: readonly Preset[] = [
  { label: 'All', means: 'Every token of the lists.', filters: {} },
  {
    label: 'Cleanest',
    means:
      'No warning; groups have at most 10% of what is held and the deployer 5% of supply; no copied image or link, and no crew with a rug.',
    filters: { dev: 5, bundle: 10, calm: 1, original: 1, clean: 1 },
  },
  { label: 'Known crews', means: 'A crew known from other tokens is in it.', filters: { known: 1 } },
  {
    label: 'Near graduation, dev ≤ 3%',
    means: 'Half of the curve is filled and the deployer holds at most 3% of supply.',
    filters: { dev: 3, curve: 50 },
  },
]
