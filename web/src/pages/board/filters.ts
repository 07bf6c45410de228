import type { AppCard } from '../../../../src/contract/app.ts'
import type { TokenCard } from '../../../../src/contract/resources.ts'
import { looksCopied } from '../../ui/copied.ts'

/** A card with what the board shows beyond it; null: not loaded yet. */
export interface ListedCard {
  readonly card: TokenCard
  readonly more: AppCard | null
}

/** what a verdict says of the percentage: it is not more */
const BUNDLED_AT_MOST = { green: 50, yellow: 65, red: 100, neutral: Number.NaN } as const

/** Of the owned supply; NaN where it is not known. */
function bundled({ card: { ratings }, more }: ListedCard): number {
  return ratings.bundle === 'neutral' || more === null ? BUNDLED_AT_MOST[ratings.bundle] : more.bundle_pct
}

/** Whole minutes matter to people, parts of them to nobody; NaN where the launch is not known. */
const minutesOld = ({ card: { deployed_at } }: ListedCard, now: number): number =>
  deployed_at === null ? Number.NaN : (now - Date.parse(deployed_at)) / 60_000

/** Every number of a token that can be filtered and sorted by; NaN where there is no reading. `now`: Unix milliseconds. */
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

/** A threshold: which number, from which side, its name in the address, and what it may be at most. */
const THRESHOLDS = {
  scoreMin: ['score', 'min', 'score', 10],
  bundleMax: ['bundle', 'max', 'bundle', 100],
  dirtyMax: ['dirty', 'max', 'dirty', 100],
  devMax: ['dev', 'max', 'dev', 100],
  topMax: ['top10', 'max', 'top10', 100],
  soldMax: ['sold', 'max', 'sold', 100],
  snipersMax: ['snipers', 'max', 'snipers', 100],
  freshMax: ['fresh', 'max', 'fresh', 100],
  drainMax: ['drain', 'max', 'drain', 100],
  capMin: ['cap', 'min', 'cap_from', 1e12],
  capMax: ['cap', 'max', 'cap_to', 1e12],
  ageMax: ['age', 'max', 'age', 1e6],
  kolsMin: ['kols', 'min', 'kols', 1e4],
  curveMin: ['curve', 'min', 'curve', 100],
} as const satisfies Record<string, readonly [ValueName, 'min' | 'max', string, number]>
export type NumberFilter = keyof typeof THRESHOLDS
const NUMBER_NAMES = Object.keys(THRESHOLDS) as NumberFilter[]

/** What is either asked for or not, by the names in the address. */
const SWITCHES = ['original', 'known', 'clean'] as const

/** The reader's own thresholds; null: none. A reading that does not exist passes no threshold. */
export type Filters = Readonly<Record<NumberFilter, number | null>> & {
  /** without those whose image or links were another token's */
  readonly original: boolean
  /** only those in which somebody known from other tokens is */
  readonly known: boolean
  /** without those in which somebody is known from a drained or rugged token: an actor, or the deployer */
  readonly clean: boolean
}

export const NO_FILTERS: Filters = {
  ...(Object.fromEntries(NUMBER_NAMES.map((name) => [name, null])) as Record<NumberFilter, null>),
  original: false,
  known: false,
  clean: false,
}

/** What a reader types as a number: 20k and 1.5m too; null where it is not a number or out of range. */
export function readNumber(text: string, max: number): number | null {
  const found = /^\$?(\d+(?:[.,]\d+)?|[.,]\d+)\s*([km])?%?$/i.exec(text.trim())
  if (found === null) return null
  const factor = found[2] === undefined ? 1 : found[2].toLowerCase() === 'k' ? 1e3 : 1e6
  const value = Number(found[1]?.replace(',', '.')) * factor
  return Number.isFinite(value) && value <= max ? value : null
}

export const numberLimit = (name: NumberFilter): number => THRESHOLDS[name][3]

export function filtersOf(query: URLSearchParams): Filters {
  const numbers = NUMBER_NAMES.map((name) => [
    name,
    readNumber(query.get(THRESHOLDS[name][2]) ?? '', numberLimit(name)),
  ])
  return {
    ...(Object.fromEntries(numbers) as Record<NumberFilter, number | null>),
    original: query.get('original') === '1',
    known: query.get('known') === '1',
    clean: query.get('clean') === '1',
  }
}

/** The part of an address after `?` that means these filters; keeps what it does not know. */
export function queryOf(filters: Filters, before: URLSearchParams): string {
  const query = new URLSearchParams(before)
  const put = (name: string, value: string | null): void => {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  for (const name of NUMBER_NAMES) put(THRESHOLDS[name][2], filters[name] === null ? null : String(filters[name]))
  for (const name of SWITCHES) put(name, filters[name] ? '1' : null)
  return query.toString()
}

/** How many thresholds are set. */
export const countFilters = (filters: Filters): number =>
  NUMBER_NAMES.filter((name) => filters[name] !== null).length + SWITCHES.filter((name) => filters[name]).length

export const isCopy = ({ duplication }: Pick<TokenCard, 'duplication'>): boolean => looksCopied(duplication)

/** `now`: Unix milliseconds. */
export function passes(listed: ListedCard, filters: Filters, now: number): boolean {
  for (const name of NUMBER_NAMES) {
    const edge = filters[name]
    if (edge === null) continue
    const [value, side] = THRESHOLDS[name]
    const reading = VALUES[value](listed, now)
    if (!(side === 'min' ? reading >= edge : reading <= edge)) return false
  }
  if (filters.original && isCopy(listed.card)) return false
  if (filters.clean && !isClean(listed)) return false
  return !filters.known || (listed.more?.actors ?? 0) > 0
}

const isClean = ({ more }: ListedCard): boolean =>
  more !== null && more.actors_bad === 0 && (more.deployer?.drained ?? 0) === 0
