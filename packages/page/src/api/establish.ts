import type { AppSession } from '@ti/core/contract/app.ts'
import { type AnswerError, ask } from './ask.ts'
import { createShared } from './shared.ts'

/** Session of the page; null until the service has answered. */
export interface SessionState {
  readonly session: AppSession | null
  readonly error: AnswerError | null
}

const shared = createShared<SessionState>({ session: null, error: null })
let running: Promise<boolean> | null = null
let first: Promise<boolean> | null = null

/** Requests the session, which also sets the page's cookie; returns true if the page may read. */
export function establish(): Promise<boolean> {
  running ??= renew().finally(() => {
    running = null
  })
  first ??= running
  return running
}

/** Settles after the first session request, whatever its result. */
export const established = (): Promise<boolean> => first ?? establish()

async function renew(): Promise<boolean> {
  const answer = await ask<AppSession>('GET', '/app/session', undefined)
  shared.show(
    answer.ok ? { session: answer.data, error: null } : { session: sessionState().session, error: answer.error },
  )
  return answer.ok && answer.data.may_read
}

export const { state: sessionState, onChange: onSession } = shared
