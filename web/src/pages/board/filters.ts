import type { TokenCard } from '../../../../src/contract/resources.ts'
import { looksCopied } from '../../ui/copied.ts'

/** The reader's own thresholds; null: none. A reading that does not exist passes no threshold. */
export interface Filters {
  readonly text: string
  readonly scoreMin: number | null
  readonly bundleMax: number | null
  readonly dirtyMax: number | null
  /** USD */
  readonly capMin: number | null
  readonly capMax: number | null
  /** minutes */
  readonly ageMax: number | null
  readonly kolsMin: number | null
  readonly original: boolean
}

export const NO_FILTERS: Filters = {
  text: '',
  scoreMin: null,
  bundleMax: null,
  dirtyMax: null,
  capMin: null,
  capMax: null,
  ageMax: null,
  kolsMin: null,
  original: false,
}

const TEXT_MAX = 44
/** name in the address, and what a value may be at most */
const NUMBERS = {
  scoreMin: ['score', 10],
  bundleMax: ['bundle', 100],
  dirtyMax: ['dirty', 100],
  capMin: ['cap_from', 1e12],
  capMax: ['cap_to', 1e12],
  ageMax: ['age', 1e6],
  kolsMin: ['kols', 1e4],
} as const
export type NumberFilter = keyof typeof NUMBERS
const NUMBER_NAMES = Object.keys(NUMBERS) as NumberFilter[]

/** What a reader types as a number: 20k and 1.5m too; null where it is none or out of range. */
export function readNumber(text: string, max: number): number | null {
  const found = /^\$?(\d+(?:[.,]\d+)?|[.,]\d+)\s*([km])?%?$/i.exec(text.trim())
  if (found === null) return null
  const factor = found[2] === undefined ? 1 : found[2].toLowerCase() === 'k' ? 1e3 : 1e6
  const value = Number(found[1]?.replace(',', '.')) * factor
  return Number.isFinite(value) && value <= max ? value : null
}

export const numberLimit = (name: NumberFilter): number => NUMBERS[name][1]

export function filtersOf(query: URLSearchParams): Filters {
  const numbers = NUMBER_NAMES.map((name) => [name, readNumber(query.get(NUMBERS[name][0]) ?? '', numberLimit(name))])
  return {
    ...NO_FILTERS,
    ...(Object.fromEntries(numbers) as Pick<Filters, NumberFilter>),
    text: (query.get('q') ?? '').slice(0, TEXT_MAX),
    original: query.get('original') === '1',
  }
}

/** The part of an address after `?` that means these filters; keeps what it does not know. */
export function queryOf(filters: Filters, before: URLSearchParams): string {
  const query = new URLSearchParams(before)
  const put = (name: string, value: string | null): void => {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  for (const name of NUMBER_NAMES) put(NUMBERS[name][0], filters[name] === null ? null : String(filters[name]))
  put('q', filters.text === '' ? null : filters.text)
  put('original', filters.original ? '1' : null)
  return query.toString()
}

/** How many thresholds are set. */
export const countFilters = (filters: Filters): number =>
  NUMBER_NAMES.filter((name) => filters[name] !== null).length +
  (filters.text === '' ? 0 : 1) +
  (filters.original ? 1 : 0)

export const isCopy = ({ duplication }: Pick<TokenCard, 'duplication'>): boolean => looksCopied(duplication)

/** A card with its bundled share; null: only the verdict is known so far. */
interface Shared {
  readonly card: TokenCard
  readonly bundlePct: number | null
}

/** `now`: Unix milliseconds. */
export function passes({ card, bundlePct }: Shared, filters: Filters, now: number): boolean {
  const { scoreMin, bundleMax, dirtyMax, capMin, capMax, ageMax, kolsMin } = filters
  if (scoreMin !== null && (card.ratings.score === 'neutral' || card.score < scoreMin)) return false
  if (dirtyMax !== null && (card.ratings.dirty === 'neutral' || card.dirty_pct > dirtyMax)) return false
  if (bundleMax !== null && !(bundledAtMost(card, bundlePct) <= bundleMax)) return false
  if (capMin !== null && card.mcap < capMin) return false
  if (capMax !== null && card.mcap > capMax) return false
  if (kolsMin !== null && card.kols_in_count < kolsMin) return false
  if (filters.original && isCopy(card)) return false
  if (ageMax !== null && !(minutesOld(card, now) <= ageMax)) return false
  return hasText(card, filters.text)
}

/** what a verdict says of the percentage: it is not more */
const BUNDLED_AT_MOST = { green: 50, yellow: 65, red: 100, neutral: Number.NaN } as const

/** NaN where it is not known */
const bundledAtMost = ({ ratings: { bundle } }: TokenCard, pct: number | null): number =>
  bundle === 'neutral' || pct === null ? BUNDLED_AT_MOST[bundle] : pct

/** NaN where the launch is not known */
const minutesOld = ({ deployed_at }: TokenCard, now: number): number =>
  deployed_at === null ? Number.NaN : (now - Date.parse(deployed_at)) / 60_000

function hasText({ symbol, name, mint }: Pick<TokenCard, 'symbol' | 'name' | 'mint'>, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return true
  return symbol.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted) || mint.startsWith(text.trim())
}
