import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import css from './ui.module.css'

const GAP = 6
const EDGE = 8

/** A tooltip on hover, focus or touch; Escape closes it. */
export function Tip({ text, children }: { text: ReactNode; children: ReactNode }) {
  const id = useId()
  const subject = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLSpanElement>(null)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const at = subject.current?.getBoundingClientRect()
    const tip = box.current
    if (!open || tip === null || at === undefined) return
    tip.showPopover()
    const { width, height } = tip.getBoundingClientRect()
    const left = Math.max(EDGE, Math.min(at.left + at.width / 2 - width / 2, innerWidth - width - EDGE))
    const above = at.top - height - GAP
    tip.style.setProperty('left', `${left}px`)
    tip.style.setProperty('top', `${above >= EDGE ? above : at.bottom + GAP}px`)
    const close = (event: Event): void => {
      if (!(event instanceof KeyboardEvent) || event.key === 'Escape') setOpen(false)
    }
    addEventListener('keydown', close)
    addEventListener('scroll', close, { capture: true, passive: true })
    return () => {
      removeEventListener('keydown', close)
      removeEventListener('scroll', close, { capture: true })
      if (tip.isConnected) tip.hidePopover()
    }
  }, [open])
  return (
    <>
      <button
        type="button"
        ref={subject}
        className={css.subject}
        aria-describedby={id}
        onPointerEnter={() => setOpen(true)}
        onPointerLeave={() => setOpen(false)}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
      >
        {children}
      </button>
      <span ref={box} id={id} role="tooltip" popover="manual" className={css.tip}>
        {text}
      </span>
    </>
  )
}
