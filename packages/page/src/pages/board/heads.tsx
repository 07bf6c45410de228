import { memo } from 'react'
import css from './column.module.css'
import type { ValueName } from './filters.ts'
import { CELLS, type Sorting } from './sorting.ts'

interface HeadsProps {
  readonly of: string
  readonly sorting: Sorting
  readonly onSort: (by: ValueName) => void
  readonly hidden: boolean
}

/** Column headings; each sorts all lists by its number. */
export const Heads = memo(function Heads({ of, sorting, onSort, hidden }: HeadsProps) {
  return (
    <fieldset className={css.labels} aria-label={`Sort by, ${of}`} hidden={hidden}>
      {CELLS.map(({ by, label, means }) => (
        <button
          key={by}
          type="button"
          title={means}
          aria-pressed={sorting?.by === by}
          data-falling={sorting?.by === by ? sorting.falling : undefined}
          onClick={() => onSort(by)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
})
