import { type ReactNode, useEffect, useRef } from 'react'
import css from './account.module.css'

/** A section with an id; scrolls into view if the address names it. */
export function Part({ id, children }: { id: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (location.hash === `#${id}`) box.current?.scrollIntoView()
  }, [id])
  return (
    <div id={id} ref={box} className={css.part}>
      {children}
    </div>
  )
}

export const PARTS = [
  ['keys', 'Keys'],
  ['watches', 'Watches'],
  ['alerts', 'Alerts'],
  ['destinations', 'Destinations'],
] as const
