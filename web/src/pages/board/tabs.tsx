import css from './board.module.css'
import { COLUMNS, type ColumnId } from './columns.ts'

/** Which list a narrow page shows. */
export const Tabs = ({ chosen, onChoose }: { chosen: ColumnId; onChoose: (id: ColumnId) => void }) => (
  <fieldset className={css.tabs} aria-label="Lists">
    {COLUMNS.map(({ id, title }) => (
      <button key={id} type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
        {title}
      </button>
    ))}
  </fieldset>
)
