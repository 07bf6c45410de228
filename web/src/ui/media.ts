import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds, followed. */
export function useMedia(query: string): boolean {
  const listen = useCallback(
    (tell: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', tell)
      return () => list.removeEventListener('change', tell)
    },
    [query],
  )
  return useSyncExternalStore(listen, () => matchMedia(query).matches)
}
