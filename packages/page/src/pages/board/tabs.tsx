import css from './board.module.css'
import { LISTS, type ListId, type TabId } from './lists.ts'

interface TabsProps {
  readonly chosen: TabId
  readonly empty: ReadonlySet<ListId>
  /** the user is signed in */
  readonly watching: boolean
  readonly onChoose: (id: TabId) => void
}

/** Tabs of a narrow screen. */
export const Tabs = ({ chosen, empty, watching, onChoose }: TabsProps) => (
  <fieldset className={css.tabs} aria-label="Lists">
    {watching && (
      <button type="button" aria-pressed={chosen === 'watching'} onClick={() => onChoose('watching')}>
        Watching
      </button>
    )}
    {LISTS.map(({ id, tab }) => (
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
