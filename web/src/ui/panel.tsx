import { type ReactNode, useId } from 'react'
import css from './panel.module.css'

interface PanelProps {
  readonly title: ReactNode
  readonly note?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** A titled part of a page. */
export function Panel({ title, note, actions, children }: PanelProps) {
  const id = useId()
  return (
    <section className={css.panel} aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <div className={css.note}>{note}</div>}
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  )
}
