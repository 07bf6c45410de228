import css from './board.module.css'
import { COLUMNS, type ColumnId } from './columns.ts'

interface TabsProps {
  readonly chosen: ColumnId
  readonly empty: ReadonlySet<ColumnId>
  readonly onChoose: (id: ColumnId) => void
}

/** Which list a narrow page shows. */
export const Tabs = ({ chosen, empty, onChoose }: TabsProps) => (
  <fieldset className={css.tabs} aria-label="Lists">
    {COLUMNS.map(({ id, tab }) => (
      <button
        key={id}
        type="button"
        aria-pressed={id === chosen}
        data-empty={empty.has(id) || undefined}
        onClick={() => onChoose(id)}
      >
        {tab}
      </button>
    ))}
  </fieldset>
)
