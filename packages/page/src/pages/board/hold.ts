import { type RefObject, useEffect, useRef } from 'react'

/** a column that is scrolled further than this is being read */
const SCROLLED_PX = 24

/**
 * Whether the reader has a pointer, the focus or a scrolled place in an element: then nothing may move in it. Calls
 * `onFree` when it is left. A finger holds nothing by itself: it leaves no pointer behind.
 */
export function useHold(element: RefObject<HTMLElement | null>, onFree: () => void): RefObject<boolean> {
  const held = useRef(false)
  const free = useRef(onFree)
  useEffect(() => {
    free.current = onFree
  })
  useEffect(() => {
    const box = element.current
    if (box === null) return
    const by = { pointer: false, focus: false, scroll: false }
    const say = (): void => {
      const before = held.current
      held.current = by.pointer || by.focus || by.scroll
      if (before && !held.current) free.current()
    }
    const pointer = (event: PointerEvent): void => {
      if (event.pointerType === 'touch') return
      by.pointer = event.type === 'pointerenter'
      say()
    }
    const focus = (event: FocusEvent): void => {
      by.focus = event.type === 'focusin' || (event.relatedTarget instanceof Node && box.contains(event.relatedTarget))
      say()
    }
    const scroll = (event: Event): void => {
      if (event.target instanceof HTMLElement) by.scroll = event.target.scrollTop > SCROLLED_PX
      say()
    }
    const following = new AbortController()
    const options = { signal: following.signal, passive: true }
    box.addEventListener('pointerenter', pointer, options)
    box.addEventListener('pointerleave', pointer, options)
    box.addEventListener('focusin', focus, options)
    box.addEventListener('focusout', focus, options)
    box.addEventListener('scroll', scroll, { ...options, capture: true })
    return () => following.abort()
  }, [element])
  return held
}
