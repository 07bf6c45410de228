import { type Answer, ask } from './ask.ts'
import { establish, established, sessionState } from './establish.ts'
import { withHelp } from './too-many.ts'

export type { Answer, AnswerError, AnswerMeta } from './ask.ts'

/** Reads a path with the page's session; an expired session is renewed once. The account has its own session. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<Answer<T>> {
  if (!/^\/(v1|app)\//.test(path)) return send('GET', path)
  await established()
  const answer = await ask<T>('GET', path, undefined, signal)
  const isEnded = !answer.ok && (answer.status === 402 || answer.status === 401)
  const last = isEnded && (await establish()) ? await ask<T>('GET', path, undefined, signal) : answer
  return withHelp(last, sessionState().session)
}

/** Calls `/account…`. */
export const send = <T>(
  method: 'POST' | 'PATCH' | 'DELETE' | 'GET',
  path: string,
  body?: unknown,
): Promise<Answer<T>> => ask<T>(method, path, body)
