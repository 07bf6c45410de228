import type { ReactNode } from 'react'
import { useMedia } from './media.ts'
import css from './ui.module.css'

/** Folds its content on a phone; elsewhere it just shows it. */
export function Fold({ label, children }: { label: ReactNode; children: ReactNode }) {
  const narrow = useMedia('(width < 760px)')
  if (!narrow) return children
  return (
    <details className={css.fold}>
      <summary>{label}</summary>
      {children}
    </details>
  )
}
