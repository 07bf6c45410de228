import { useEffect, useSyncExternalStore } from 'react'
import { send } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { createWatches, type WatchState } from './store.ts'
import { isOn, type WatchKind } from './watch.ts'

export const watches = createWatches(send)

/** milliseconds; a page hidden for longer reloads the watches, which another tab may have changed */
const STALE_MS = 30_000

/** Follows the account that is signed in. */
export function useAccountOfWatches(): void {
  const { session } = useSession()
  const wallet = session?.signed_in === true ? session.wallet : null
  useEffect(() => watches.of(wallet), [wallet])
  useEffect(() => {
    if (wallet === null) return
    let hiddenAt = Number.POSITIVE_INFINITY
    const look = (): void => {
      if (document.hidden) hiddenAt = Date.now()
      else if (Date.now() - hiddenAt > STALE_MS) void watches.refresh()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [wallet])
}

export const useWatches = (): WatchState => useSyncExternalStore(watches.onChange, watches.state, watches.state)

export function useIsWatched(kind: WatchKind, target: string): boolean {
  const isWatched = (): boolean => isOn(watches.state().watches, kind, target)
  return useSyncExternalStore(watches.onChange, isWatched, isWatched)
}
