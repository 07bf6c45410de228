import type { DevSummary } from '@ti/core/contract/resources.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { pollWaitMs } from './budget.ts'
import { type Answer, type AnswerError, type AnswerMeta, get } from './client.ts'
import { firstAnswer, takeFirst } from './first.ts'
import { waitMs } from './waits.ts'

export interface Resource<T> {
  /** `ready` once there is data, even if a later request fails */
  readonly state: 'loading' | 'ready' | 'failed'
  readonly data: T | null
  readonly meta: AnswerMeta | null
  /** beside `data` in answers about a deployer or a wallet */
  readonly summary: DevSummary | null
  /** error of the last request; null if it succeeded */
  readonly error: (AnswerError & { readonly status: number }) | null
  refresh(): void
}

interface Held<T> extends Omit<Resource<T>, 'refresh'> {
  readonly path: string | null
}

const nothing = (path: string | null) => ({
  ...({ state: 'loading', data: null, meta: null, summary: null, error: null } as const),
  path,
})

function after<T>(before: Held<T>, answer: Answer<T>): Held<T> {
  if (answer.ok) {
    const { data, meta, summary = null } = answer
    // the first render already shows an early answer
    return data === before.data ? before : { ...before, state: 'ready', data, meta, summary, error: null }
  }
  const error = { ...answer.error, status: answer.status }
  return { ...before, state: before.data === null ? 'failed' : 'ready', error }
}

function atFirst<T>(path: string | null): Held<T> {
  const answer = firstAnswer<T>(path)
  return answer === null ? nothing(path) : after<T>(nothing(path), answer)
}

/**
 * Reads a path, and again every `everyMs` while the page is visible. Data stay while a new request runs. A refusal (429, 503)
 * or a failure prolongs the wait. A null path makes no request.
 */
export function useResource<T>(path: string | null, options?: { everyMs?: number }): Resource<T> {
  const everyMs = options?.everyMs ?? null
  const [held, setHeld] = useState(() => atFirst<T>(path))
  const askNow = useRef<() => void>(() => {})

  useEffect(() => {
    if (path === null) return
    const gone = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    let asking = false
    const later = (ms: number): void => {
      clearTimeout(timer)
      timer = setTimeout(poll, ms)
    }
    const poll = (): void => {
      const wait = everyMs === null ? 0 : pollWaitMs()
      // a hidden page makes no request; `seen` resumes when it becomes visible
      if (document.hidden) return
      if (wait > 0) later(wait)
      else void question()
    }
    const question = async (): Promise<void> => {
      if (asking) return
      asking = true
      const answer = await (takeFirst<T>(path) ?? get<T>(path, gone.signal))
      asking = false
      if (gone.signal.aborted) return
      failures = answer.ok ? 0 : failures + 1
      setHeld((before) => after(before.path === path ? before : nothing(path), answer))
      const wait = waitMs(answer, failures, everyMs)
      if (wait !== null) later(wait)
    }
    const seen = (): void => {
      if (!document.hidden && everyMs !== null && !asking) later(0)
    }
    askNow.current = () => void question()
    document.addEventListener('visibilitychange', seen)
    void question()
    return () => {
      gone.abort()
      clearTimeout(timer)
      askNow.current = () => {}
      document.removeEventListener('visibilitychange', seen)
    }
  }, [path, everyMs])

  const refresh = useCallback(() => askNow.current(), [])
  const { path: of, ...shown } = held
  const { path: _, ...none } = nothing(path)
  return of === path ? { ...shown, refresh } : { ...none, refresh }
}
