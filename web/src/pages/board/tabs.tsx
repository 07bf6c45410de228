import css from './board.module.css'
import { COLUMNS, type ColumnId, type TabId } from './columns.ts'

interface TabsProps {
  readonly chosen: TabId
  readonly empty: ReadonlySet<ColumnId>
  /** somebody is signed in */
  readonly watching: boolean
  readonly onChoose: (id: TabId) => void
}

/** Which list a narrow page shows. */
export const Tabs = ({ chosen, empty, watching, onChoose }: TabsProps) => (
  <fieldset className={css.tabs} aria-label="Lists">
    {watching && (
      <button type="button" aria-pressed={chosen === 'watching'} onClick={() => onChoose('watching')}>
        Watching
      </button>
    )}
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
