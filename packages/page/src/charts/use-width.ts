import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Returns the width of an element in whole px, 0 before layout. */
export function useWidth<T extends HTMLElement>(): readonly [ref: RefObject<T | null>, width: number] {
  const ref = useRef<T>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const read = (): void => setWidth(Math.floor(element.clientWidth))
    const seen = new ResizeObserver(read)
    seen.observe(element)
    read()
    return () => seen.disconnect()
  }, [])
  return [ref, width]
}
