import type { Answer } from './client.ts'

/** An answer that is older is no longer what the page would get by asking. */
const FRESH_MS = 5_000

interface First {
  readonly asked: Promise<Answer<unknown>>
  answer: Answer<unknown> | null
  /** Infinity: not yet */
  answeredAt: number
}

/** What a page asks first, asked before the page itself is there. */
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

/** The answer, where it is here already. */
export const firstAnswer = <T>(path: string | null): Answer<T> | null =>
  (freshOf(path)?.answer as Answer<T> | null) ?? null

/** The answer, once: whoever asks again gets a new one. Null: it was not asked for. */
export function takeFirst<T>(path: string): Promise<Answer<T>> | null {
  const first = freshOf(path)
  firsts.delete(path)
  return (first?.asked as Promise<Answer<T>> | null) ?? null
}

/** Settles when everything that was asked first has its answer. */
export const firstAnswers = (): Promise<unknown> => Promise.all([...firsts.values()].map(({ asked }) => asked))
