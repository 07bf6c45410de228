import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The width of an element in whole px, 0 before it is known. */
export function useWidth<T extends HTMLElement>(): readonly [ref: RefObject<T | null>, width: number] {
  const ref = useRef<T>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    // told once it is laid out: to ask here would lay out the page in the middle of its making
    const seen = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)))
    seen.observe(element)
    return () => seen.disconnect()
  }, [])
  return [ref, width]
}
