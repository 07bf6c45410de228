import { type ReactNode, useId } from 'react'
import type { MethodPart } from './how.ts'
import { How } from './how.tsx'
import css from './ui.module.css'

interface PanelProps {
  readonly title: ReactNode
  /** section of the methodology */
  readonly how?: MethodPart
  readonly note?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

export function Panel({ title, how, note, actions, children }: PanelProps) {
  const id = useId()
  return (
    <section className={css.panel} aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id}>{title}</h2>
        {how !== undefined && <How part={how} of={title} />}
        {note !== undefined && <div className="soft">{note}</div>}
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  )
}
