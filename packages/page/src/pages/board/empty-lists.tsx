import css from './board.module.css'
import { LISTS, type ListId } from './lists.ts'

/** Names the empty lists in a line, instead of showing empty columns. */
export function EmptyLists({ empty }: { empty: ReadonlySet<ListId> }) {
  const lists = LISTS.filter(({ id }) => empty.has(id))
  if (lists.length === 0) return null
  return (
    <ul className={css.empty} aria-label="Empty lists">
      {lists.map(({ id, title, empty: why }) => (
        <li key={id}>
          <strong>{title}</strong> {why}
        </li>
      ))}
    </ul>
  )
}
