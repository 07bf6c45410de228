import type { AppSession } from '@ti/core/contract/app.ts'
import { useSyncExternalStore } from 'react'
import { establish, onSession, type SessionState, sessionState } from './establish.ts'

/** Returns the session; call `refresh` after signing in or out. */
export function useSession(): SessionState & { refresh(): Promise<boolean> } {
  const state = useSyncExternalStore(onSession, sessionState, sessionState)
  return { ...state, refresh: establish }
}

const networkOf = (): AppSession['network'] => sessionState().session?.network ?? null

/** Network of the addresses; null if it is unknown or has no public addresses. */
export const useNetwork = (): AppSession['network'] => useSyncExternalStore(onSession, networkOf, networkOf)
