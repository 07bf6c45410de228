import type { ReactNode } from 'react'
import css from './fold.module.css'
import { useMedia } from './media.ts'

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
