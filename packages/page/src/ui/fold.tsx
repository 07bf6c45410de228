import type { ReactNode } from 'react'
import css from './fold.module.css'
import { useMedia } from './media.ts'

/** On a phone folded away below its label, so that what comes next is in reach; elsewhere simply there. */
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
