import css from './ui.module.css'

/** Links to the sections of a page. */
export const Contents = ({ parts }: { parts: readonly (readonly [id: string, name: string])[] }) => (
  <nav className={css.contents} aria-label="Parts of this page">
    {parts.map(([id, name]) => (
      <a key={id} href={`#${id}`}>
        {name}
      </a>
    ))}
  </nav>
)
