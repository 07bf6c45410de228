import type { Answer } from './client.ts'

/** milliseconds for which an early answer is used */
const FRESH_MS = 5_000

interface First {
  readonly asked: Promise<Answer<unknown>>
  answer: Answer<unknown> | null
  /** Infinity while the request is pending */
  answeredAt: number
}

/** Requests that `early.ts` made before the page was loaded. */
const firsts = new Map<string, First>()

export function askFirst(path: string, ask: (path: string) => Promise<Answer<unknown>>): void {
  const first: First = { asked: ask(path), answer: null, answeredAt: Number.POSITIVE_INFINITY }
  firsts.set(path, first)
  void first.asked.then((answer) => {
    first.answer = answer
    first.answeredAt = Date.now()
  })
}

const freshOf = (path: string | null): First | null => {
  const first = path === null ? undefined : firsts.get(path)
  return first === undefined || Date.now() - first.answeredAt > FRESH_MS ? null : first
}

/** Returns an early answer that has arrived. */
export const firstAnswer = <T>(path: string | null): Answer<T> | null =>
  (freshOf(path)?.answer as Answer<T> | null) ?? null

/** Takes an early answer; a second call returns null, so the caller makes a new request. */
export function takeFirst<T>(path: string): Promise<Answer<T>> | null {
  const first = freshOf(path)
  firsts.delete(path)
  return (first?.asked as Promise<Answer<T>> | null) ?? null
}

/** Settles when all early requests have. */
export const firstAnswers = (): Promise<unknown> => Promise.all([...firsts.values()].map(({ asked }) => asked))
