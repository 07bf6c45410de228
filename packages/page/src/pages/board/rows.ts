import type { AppCard, AppCards } from '@ti/core/contract/app.ts'
import type { TokenCard } from '@ti/core/contract/resources.ts'

export interface Row {
  /** unique in its column, where a token may appear for several buys of agents */
  readonly id: string
  readonly card: TokenCard
  /** additional card data; null before they are loaded */
  readonly more: AppCard | null
  /** arrival of the list, Unix milliseconds */
  readonly at: number
  /** no longer in the list, kept while the user looks at it */
  readonly gone: boolean
}

interface Shown {
  /** filters and order; a change is shown at once */
  readonly key: string
  readonly rows: readonly Row[]
  /** number of new rows that are held back */
  readonly waiting: number
}

export const NOTHING_SHOWN: Shown = { key: '', rows: [], waiting: 0 }

const idOf = (card: TokenCard): string =>
  card.agent_bought_at === null ? card.mint : `${card.mint} ${card.agent_buyer} ${card.agent_bought_at}`

/** Rows of a list in its order, each card once. */
export function rowsOf(cards: readonly TokenCard[], extras: AppCards, at: number): Row[] {
  const rows = new Map<string, Row>()
  for (const card of cards) {
    const id = idOf(card)
    if (!rows.has(id)) rows.set(id, { id, card, more: extras[card.mint] ?? null, at, gone: false })
  }
  return [...rows.values()]
}

/** Reuses the previous object of each row that shows the same, so that React skips it. */
export function reuse(before: readonly Row[], rows: readonly Row[]): Row[] {
  const known = new Map(before.map((row) => [row.id, row]))
  return rows.map((row) => {
    const old = known.get(row.id)
    return old !== undefined && old.gone === row.gone && sameMore(old.more, row.more) && sameCard(old.card, row.card)
      ? old
      : row
  })
}

const SHOWN_FIELDS = [
  'score',
  'dirty_pct',
  'kols_in_count',
  'mcap',
  'pump_conditions_met',
  'dump_conditions_met',
  'symbol',
  'name',
  'dex_paid',
  'has_migrated',
  'deployed_at',
] as const satisfies readonly (keyof TokenCard)[]

function sameCard(a: TokenCard, b: TokenCard): boolean {
  return (
    SHOWN_FIELDS.every((field) => a[field] === b[field]) &&
    sameFlags(a.ratings, b.ratings) &&
    sameFlags(a.duplication, b.duplication)
  )
}

/** Compares the fields that a card shows. */
function sameMore(a: AppCard | null, b: AppCard | null): boolean {
  if (a === null || b === null) return a === b
  const { deployer, drain, ...rest } = a
  return (
    (Object.keys(rest) as (keyof typeof rest)[]).every((name) => a[name] === b[name]) &&
    deployer?.launched === b.deployer?.launched &&
    deployer?.graduated === b.deployer?.graduated &&
    deployer?.drained === b.deployer?.drained &&
    drain?.p === b.drain?.p &&
    drain?.n === b.drain?.n
  )
}

const sameFlags = <T extends object>(a: T, b: T): boolean =>
  (Object.keys(a) as (keyof T)[]).every((name) => a[name] === b[name])

/**
 * Applies a new list. While `held`, every row keeps its place: existing ones update, removed ones stay and are marked, new ones
 * wait.
 */
export function settle(before: Shown, latest: readonly Row[], held: boolean, key: string): Shown {
  if (!held || before.key !== key || before.rows.length === 0)
    return { key, rows: reuse(before.rows, latest), waiting: 0 }
  const there = new Map(latest.map((row) => [row.id, row]))
  const kept = before.rows.map((row) => there.get(row.id) ?? (row.gone ? row : { ...row, gone: true }))
  const shown = new Set(before.rows.map(({ id }) => id))
  const waiting = latest.filter(({ id }) => !shown.has(id)).length
  return { key, rows: reuse(before.rows, kept), waiting }
}

/** Target of an arrow key; null: none. `sizes`: cards per column. */
export function step(
  sizes: readonly number[],
  at: { readonly column: number; readonly row: number },
  key: string,
): { column: number; row: number } | null {
  const size = sizes[at.column] ?? 0
  if (key === 'ArrowDown') return at.row + 1 < size ? { ...at, row: at.row + 1 } : null
  if (key === 'ArrowUp') return at.row > 0 ? { ...at, row: at.row - 1 } : null
  if (key === 'Home') return { ...at, row: 0 }
  if (key === 'End') return { ...at, row: Math.max(0, size - 1) }
  const way = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  for (let column = at.column + way; way !== 0 && column >= 0 && column < sizes.length; column += way) {
    const there = sizes[column] ?? 0
    if (there > 0) return { column, row: Math.min(at.row, there - 1) }
  }
  return null
}
