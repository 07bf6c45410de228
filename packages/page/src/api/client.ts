import { type Answer, ask } from './ask.ts'
import { establish, established, sessionState } from './establish.ts'
import { withHelp } from './too-many.ts'

export type { Answer, AnswerError, AnswerMeta } from './ask.ts'

/** A read of the public interface: the page's session opens it, and is renewed once where it has ended. */
export const getV1 = <T>(path: string, signal?: AbortSignal): Promise<Answer<T>> => read<T>(path, signal)

/** A read that only the page may make. */
export const getApp = <T>(path: string, signal?: AbortSignal): Promise<Answer<T>> => read<T>(path, signal)

async function read<T>(path: string, signal?: AbortSignal): Promise<Answer<T>> {
  await established()
  const answer = await ask<T>('GET', path, undefined, signal)
  const isEnded = !answer.ok && (answer.status === 402 || answer.status === 401)
  const last = isEnded && (await establish()) ? await ask<T>('GET', path, undefined, signal) : answer
  return withHelp(last, sessionState().session)
}

/** `/account…` */
export const send = <T>(
  method: 'POST' | 'PATCH' | 'DELETE' | 'GET',
  path: string,
  body?: unknown,
): Promise<Answer<T>> => ask<T>(method, path, body)

/** Whatever a path is read by. */
export function get<T>(path: string, signal?: AbortSignal): Promise<Answer<T>> {
  return path.startsWith('/v1/') || path.startsWith('/app/') ? read(path, signal) : send('GET', path)
}
