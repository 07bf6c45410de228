import type { AppCard } from '@ti/core/contract/app.ts'
import type { TokenCard } from '@ti/core/contract/resources.ts'
import { looksCopied } from '../../ui/copied.ts'

/** A card with its additional data; null before they are loaded. */
export interface ListedCard {
  readonly card: TokenCard
  readonly more: AppCard | null
}

/** upper bound of the percentage for each verdict */
const BUNDLED_AT_MOST = { green: 50, yellow: 65, red: 100, neutral: Number.NaN } as const

/** Share of owned supply; NaN if unknown. */
function bundled({ card: { ratings }, more }: ListedCard): number {
  return ratings.bundle === 'neutral' || more === null ? BUNDLED_AT_MOST[ratings.bundle] : more.bundle_pct
}

/** Age in minutes, with fractions; NaN if the launch is unknown. */
const minutesOld = ({ card: { deployed_at } }: ListedCard, now: number): number =>
  deployed_at === null ? Number.NaN : (now - Date.parse(deployed_at)) / 60_000

/** Numbers of a token to filter and sort by; NaN without a reading. `now`: Unix milliseconds. */
export const VALUES = {
  score: ({ card }) => (card.ratings.score === 'neutral' ? Number.NaN : card.score),
  bundle: bundled,
  dirty: ({ card }) => (card.ratings.dirty === 'neutral' ? Number.NaN : card.dirty_pct),
  dev: ({ more }) => more?.dev_pct ?? Number.NaN,
  top10: ({ more }) => more?.top_10_pct ?? Number.NaN,
  sold: ({ more }) => more?.group_sold_pct ?? Number.NaN,
  snipers: ({ more }) => more?.snipers_pct ?? Number.NaN,
  fresh: ({ more }) => more?.fresh_pct ?? Number.NaN,
  drain: ({ more }) => (more?.drain == null ? Number.NaN : 100 * more.drain.p),
  cap: ({ card }) => card.mcap,
  age: minutesOld,
  kols: ({ card }) => card.kols_in_count,
  curve: ({ more }) => more?.curve_pct ?? Number.NaN,
} as const satisfies Record<string, (listed: ListedCard, now: number) => number>
export type ValueName = keyof typeof VALUES

interface Threshold {
  readonly value: ValueName
  readonly side: 'min' | 'max'
  /** query parameter */
  readonly name: string
  /** largest accepted value */
  readonly max: number
  readonly label: string
  readonly placeholder: string
}

/** In the order of the filter bar. */
export const THRESHOLDS = {
  scoreMin: { value: 'score', side: 'min', name: 'score', max: 10, label: 'Score ≥', placeholder: '0' },
  bundleMax: {
    value: 'bundle',
    side: 'max',
    name: 'bundle',
    max: 100,
    label: 'Bundled ≤ % of held',
    placeholder: '100',
  },
  dirtyMax: {
    value: 'dirty',
    side: 'max',
    name: 'dirty',
    max: 100,
    label: 'Suspicious ≤ % of held',
    placeholder: '100',
  },
  devMax: { value: 'dev', side: 'max', name: 'dev', max: 100, label: 'Deployer ≤ %', placeholder: '100' },
  topMax: { value: 'top10', side: 'max', name: 'top10', max: 100, label: 'Top 10 ≤ %', placeholder: '100' },
  soldMax: { value: 'sold', side: 'max', name: 'sold', max: 100, label: 'Groups sold ≤ %', placeholder: '100' },
  snipersMax: { value: 'snipers', side: 'max', name: 'snipers', max: 100, label: 'Snipers ≤ %', placeholder: '100' },
  freshMax: { value: 'fresh', side: 'max', name: 'fresh', max: 100, label: 'Fresh ≤ %', placeholder: '100' },
  drainMax: { value: 'drain', side: 'max', name: 'drain', max: 100, label: 'Drain ≤ %', placeholder: '100' },
  capMin: { value: 'cap', side: 'min', name: 'cap_from', max: 1e12, label: 'Cap ≥ $', placeholder: '0' },
  capMax: { value: 'cap', side: 'max', name: 'cap_to', max: 1e12, label: 'Cap ≤ $', placeholder: 'any' },
  ageMax: { value: 'age', side: 'max', name: 'age', max: 1e6, label: 'Age ≤ min', placeholder: 'any' },
  kolsMin: { value: 'kols', side: 'min', name: 'kols', max: 1e4, label: 'KOLs ≥', placeholder: '0' },
  curveMin: { value: 'curve', side: 'min', name: 'curve', max: 100, label: 'Curve ≥ %', placeholder: '0' },
} as const satisfies Record<string, Threshold>
export type NumberFilter = keyof typeof THRESHOLDS
export const NUMBER_NAMES = Object.keys(THRESHOLDS) as NumberFilter[]

/** Filters without a number, by query parameter. */
export const SWITCHES = {
  /** hides tokens that reuse the image or links of another */
  original: 'No copies',
  /** shows only tokens with known actors */
  known: 'Actors known',
  /** hides tokens whose actors or deployer have a drained or rugged token */
  clean: 'No bad record',
} as const
type Switch = keyof typeof SWITCHES
export const SWITCH_NAMES = Object.keys(SWITCHES) as Switch[]

/** Filters of the user; null: no threshold. A missing reading passes no threshold. */
export type Filters = Readonly<Record<NumberFilter, number | null> & Record<Switch, boolean>>

function filtersFrom(number: (name: NumberFilter) => number | null, isOn: (name: Switch) => boolean): Filters {
  return {
    ...(Object.fromEntries(NUMBER_NAMES.map((name) => [name, number(name)])) as Record<NumberFilter, number | null>),
    ...(Object.fromEntries(SWITCH_NAMES.map((name) => [name, isOn(name)])) as Record<Switch, boolean>),
  }
}

export const NO_FILTERS: Filters = filtersFrom(
  () => null,
  () => false,
)

/** Parses a number such as 20k or 1.5m; null if invalid or too large. */
export function readNumber(text: string, max: number): number | null {
  const found = /^\$?(\d+(?:[.,]\d+)?|[.,]\d+)\s*([km])?%?$/i.exec(text.trim())
  if (found === null) return null
  const factor = found[2] === undefined ? 1 : found[2].toLowerCase() === 'k' ? 1e3 : 1e6
  const value = Number(found[1]?.replace(',', '.')) * factor
  return Number.isFinite(value) && value <= max ? value : null
}

export const filtersOf = (query: URLSearchParams): Filters =>
  filtersFrom(
    (name) => readNumber(query.get(THRESHOLDS[name].name) ?? '', THRESHOLDS[name].max),
    (name) => query.get(name) === '1',
  )

/** Writes filters into a query and keeps unknown parameters. */
export function queryOf(filters: Filters, before: URLSearchParams): string {
  const query = new URLSearchParams(before)
  const put = (name: string, value: string | null): void => {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  for (const name of NUMBER_NAMES) put(THRESHOLDS[name].name, filters[name] === null ? null : String(filters[name]))
  for (const name of SWITCH_NAMES) put(name, filters[name] ? '1' : null)
  return query.toString()
}

export const countFilters = (filters: Filters): number =>
  NUMBER_NAMES.filter((name) => filters[name] !== null).length + SWITCH_NAMES.filter((name) => filters[name]).length

export const isCopy = ({ duplication }: Pick<TokenCard, 'duplication'>): boolean => looksCopied(duplication)

/** `now`: Unix milliseconds. */
export function passes(listed: ListedCard, filters: Filters, now: number): boolean {
  for (const name of NUMBER_NAMES) {
    const edge = filters[name]
    if (edge === null) continue
    const { value, side } = THRESHOLDS[name]
    const reading = VALUES[value](listed, now)
    if (!(side === 'min' ? reading >= edge : reading <= edge)) return false
  }
  if (filters.original && isCopy(listed.card)) return false
  if (filters.clean && !isClean(listed)) return false
  return !filters.known || (listed.more?.actors ?? 0) > 0
}

const isClean = ({ more }: ListedCard): boolean =>
  more !== null && more.actors_bad === 0 && (more.deployer?.drained ?? 0) === 0
