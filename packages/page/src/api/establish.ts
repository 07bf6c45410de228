import type { AppSession } from '@ti/core/contract/app.ts'
import { type AnswerError, ask } from './ask.ts'

/** What the page knows of its own access; null until the service has answered. */
export interface SessionState {
  readonly session: AppSession | null
  readonly error: AnswerError | null
}

let state: SessionState = { session: null, error: null }
let running: Promise<boolean> | null = null
let first: Promise<boolean> | null = null
const listeners = new Set<() => void>()

/** Asks who the reader is, which also sets the cookie by which the page may read; true where it may. */
export function establish(): Promise<boolean> {
  running ??= renew().finally(() => {
    running = null
  })
  first ??= running
  return running
}

/** Settles once the first question was answered, whatever the answer was. */
export const established = (): Promise<boolean> => first ?? establish()

async function renew(): Promise<boolean> {
  const answer = await ask<AppSession>('GET', '/app/session', undefined)
  state = answer.ok ? { session: answer.data, error: null } : { session: state.session, error: answer.error }
  for (const listener of listeners) listener()
  return answer.ok && answer.data.may_read
}

export const sessionState = (): SessionState => state

export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
