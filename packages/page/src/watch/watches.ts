import { useEffect, useSyncExternalStore } from 'react'
import { send } from '../api/client.ts'
import { refusalInWords } from '../api/refusal.ts'
import { useSession } from '../api/session.ts'
import { go } from '../shell/router.tsx'
import { notify } from '../ui/notices.ts'
import { createWatches, type WatchState } from './store.ts'
import { isOn, type NewWatch, type WatchKind } from './watch.ts'

export const watches = createWatches(send)

/** milliseconds; a page hidden for longer reloads the watches, which another tab may have changed */
const STALE_MS = 30_000

/** A watch that was asked for without an account, and the page it was asked on. */
interface Pending {
  readonly asked: NewWatch
  readonly from: string
}

/** milliseconds within which a visitor signs in for it */
const PENDING_MS = 15 * 60_000
let pending: (Pending & { readonly until: number }) | null = null

export function keepPending(next: Pending): void {
  pending = { ...next, until: Date.now() + PENDING_MS }
}

async function makePending(): Promise<void> {
  const mine = pending
  pending = null
  if (mine === null || mine.until < Date.now()) return
  const { asked, from } = mine
  await watches.refresh()
  const failure = isOn(watches.state().watches, asked.kind, asked.target) ? null : await watches.add(asked)
  if (failure !== null) return notify({ tone: 'bad', text: `Not watching ${asked.name}: ${refusalInWords(failure)}` })
  notify({ text: `Watching ${asked.name}` })
  go(from)
}

/** Follows the account that is signed in. */
export function useAccountOfWatches(): void {
  const { session } = useSession()
  const wallet = session?.signed_in === true ? session.wallet : null
  useEffect(() => {
    watches.of(wallet)
    if (wallet !== null) void makePending()
  }, [wallet])
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
