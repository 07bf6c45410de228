import { startTransition, useEffect, useState } from 'react'

/** False while the first screen is painted, true from then on: what lies below it is made afterwards. */
export function useAfterPaint(): boolean {
  const [after, setAfter] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      // behind the painting that follows the frame
      timer = setTimeout(() => startTransition(() => setAfter(true)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return after
}
