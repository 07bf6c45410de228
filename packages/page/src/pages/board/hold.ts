import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/** px; a list scrolled further is being read */
const SCROLLED_PX = 24

/**
 * Returns a ref that is true while the pointer or focus is in the element, or it or the page is scrolled, so that its rows do not
 * move. Calls `onFree` at the end. Touches are ignored, because they leave no pointer behind.
 */
export function useHold(element: RefObject<HTMLElement | null>, onFree: () => void): RefObject<boolean> {
  const held = useRef(false)
  const free = useEffectEvent(onFree)
  useEffect(() => {
    const box = element.current
    if (box === null) return
    const by = { pointer: false, focus: false, scroll: false }
    const say = (): void => {
      const before = held.current
      held.current = by.pointer || by.focus || by.scroll
      if (before && !held.current) free()
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
    const scroll = (): void => {
      by.scroll = box.scrollTop > SCROLLED_PX || scrollY > SCROLLED_PX
      say()
    }
    const following = new AbortController()
    const options = { signal: following.signal, passive: true }
    box.addEventListener('pointerenter', pointer, options)
    box.addEventListener('pointerleave', pointer, options)
    box.addEventListener('focusin', focus, options)
    box.addEventListener('focusout', focus, options)
    box.addEventListener('scroll', scroll, options)
    addEventListener('scroll', scroll, options)
    scroll()
    return () => following.abort()
  }, [element])
  return held
}
