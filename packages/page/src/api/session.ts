import type { AppSession } from '@ti/core/contract/app.ts'
import { useSyncExternalStore } from 'react'
import { establish, onSession, type SessionState, sessionState } from './establish.ts'

/** The reader's session; `refresh` after signing in or out. */
export function useSession(): SessionState & { refresh(): Promise<boolean> } {
  const state = useSyncExternalStore(onSession, sessionState, sessionState)
  return { ...state, refresh: establish }
}

const networkOf = (): AppSession['network'] => sessionState().session?.network ?? null

/** The network whose addresses are shown; null while that is not known, too. */
export const useNetwork = (): AppSession['network'] => useSyncExternalStore(onSession, networkOf, networkOf)
