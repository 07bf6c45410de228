import { useSyncExternalStore } from 'react'
import { establish, onSession, type SessionState, sessionState } from './establish.ts'

/** The reader's session; `refresh` after signing in or out. */
export function useSession(): SessionState & { refresh(): Promise<boolean> } {
  const state = useSyncExternalStore(onSession, sessionState)
  return { ...state, refresh: establish }
}
