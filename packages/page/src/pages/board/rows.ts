import type { BoardCard } from '@ti/core/contract/app.ts'

export interface Row {
  readonly card: BoardCard
  /** arrival of its list, in milliseconds of a steady clock */
  readonly at: number
  /** no longer in the list, kept while the user looks at it */
  readonly gone: boolean
}

export interface Shown {
  /** filters and list; a change is shown at once */
  readonly key: string
  readonly rows: readonly Row[]
  /** number of new rows that are held back */
  readonly waiting: number
}

export const NOTHING_SHOWN: Shown = { key: '', rows: [], waiting: 0 }

/** Reuses the previous object of each row that shows the same, so that React skips it. */
export function reuse(before: readonly Row[], rows: readonly Row[]): Row[] {
  const known = new Map(before.map((row) => [row.card.mint, row]))
  return rows.map((row) => {
    const old = known.get(row.card.mint)
    return old !== undefined && old.gone === row.gone && textOf(old) === textOf(row) ? old : row
  })
}

const texts = new WeakMap<BoardCard, string>()

/** The contents of a card. The age is shown from the launch, not from the answer. */
function textOf({ card }: Row): string {
  const known = texts.get(card)
  if (known !== undefined) return known
  const text = JSON.stringify({ ...card, values: [card.values.mcap, card.values.holders, card.values.curve_pct] })
  texts.set(card, text)
  return text
}

/**
 * Applies a new list. While `held`, every row keeps its place: existing ones update, removed ones stay and are marked, new ones
 * wait.
 */
export function settle(before: Shown, latest: readonly Row[], held: boolean, key: string): Shown {
  if (!held || before.key !== key || before.rows.length === 0)
    return { key, rows: reuse(before.rows, latest), waiting: 0 }
  const there = new Map(latest.map((row) => [row.card.mint, row]))
  const kept = before.rows.map((row) => there.get(row.card.mint) ?? (row.gone ? row : { ...row, gone: true }))
  const shown = new Set(before.rows.map(({ card }) => card.mint))
  const waiting = latest.filter(({ card }) => !shown.has(card.mint)).length
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
