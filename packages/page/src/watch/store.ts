import type { Answer } from '../api/ask.ts'
import type { Refusal } from '../api/refusal.ts'
import { createShared } from '../api/shared.ts'
import { isOn, type NewWatch, type Watch, type WatchChange } from './watch.ts'

type Send = <T>(method: 'POST' | 'PATCH' | 'DELETE' | 'GET', path: string, body?: unknown) => Promise<Answer<T>>

export interface WatchState {
  /** oldest first; null before the first answer and without an account */
  readonly watches: readonly Watch[] | null
  /** reason of the last failed request; null if it succeeded */
  readonly failure: Refusal | null
}

/** Watches of the account. Changes are shown at once and reverted if the service refuses them. */
interface Watches {
  state(): WatchState
  onChange(tell: () => void): () => void
  /** Switches the account; null: signed out. */
  of(account: string | null): void
  refresh(): Promise<void>
  /** The mutations return the refusal, if any. A toggle is ignored while one for the same target runs. */
  toggle(asked: NewWatch): Promise<Refusal | null>
  /** shown after the service has accepted it */
  add(asked: NewWatch): Promise<Refusal | null>
  change(id: string, to: WatchChange): Promise<Refusal | null>
  remove(id: string): Promise<Refusal | null>
}

const PATH = '/account/watches'
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`
const NONE: WatchState = { watches: null, failure: null }

export function createWatches(send: Send): Watches {
  const { state, onChange, show } = createShared(NONE)
  let account: string | null = null
  /** running changes, and targets of running toggles */
  let underWay = 0
  const busy = new Set<string>()
  /** incremented by each change, so that an older answer is recognized */
  let version = 0

  const edit = (next: (watches: readonly Watch[]) => readonly Watch[]): void => {
    version++
    show({ ...state(), watches: next(state().watches ?? []) })
  }

  async function refresh(): Promise<void> {
    if (account === null) return
    const before = version
    const answer = await send<readonly Watch[]>('GET', PATH)
    // the answer may be older than a change
    if (before !== version || underWay > 0) return
    if (answer.ok) show({ watches: answer.data, failure: null })
    else show({ ...state(), failure: answer })
  }

  /** Sends a change that is already shown; `back` reverts it. */
  async function changed<T>(asking: Promise<Answer<T>>, settle: (data: T) => void, back: () => void) {
    underWay++
    const of = account
    const answer = await asking
    underWay--
    // the account has changed
    if (of !== account) return null
    if (answer.ok) settle(answer.data)
    else back()
    return answer.ok ? null : answer
  }

  const add = (asked: NewWatch) =>
    changed(
      send<Watch>('POST', PATH, asked),
      (watch) => edit((watches) => [...watches, watch]),
      () => {},
    )

  /** Adds a watch and shows it at once. */
  function star(asked: NewWatch): Promise<Refusal | null> {
    const made: Watch = {
      ...{ ...asked, id: '', min_sol: 0, paused: false, state: 'starting' },
      created_at: new Date().toISOString(),
    }
    edit((watches) => [...watches, made])
    const replace = (by: readonly Watch[]) =>
      edit((watches) => watches.flatMap((watch) => (watch === made ? by : [watch])))
    return changed(
      send<Watch>('POST', PATH, asked),
      (watch) => replace([watch]),
      () => replace([]),
    )
  }

  function remove(id: string): Promise<Refusal | null> {
    const at = state().watches?.findIndex((watch) => watch.id === id) ?? -1
    const gone = state().watches?.[at]
    if (gone === undefined) return Promise.resolve(null)
    edit((watches) => watches.filter((watch) => watch !== gone))
    return changed(
      deleted(id),
      () => {},
      () => edit((watches) => [...watches.slice(0, at), gone, ...watches.slice(at)]),
    )
  }

  /** Deletes a watch; a missing one counts as deleted. */
  async function deleted(id: string): Promise<Answer<unknown>> {
    const answer = await send('DELETE', pathOf(id), {})
    const isGone = !answer.ok && answer.error.reason === 'not_found'
    return isGone ? { ok: true, data: null, meta: { cached_at: '' } } : answer
  }

  async function toggled(asked: NewWatch): Promise<Refusal | null> {
    if (!isOn(state().watches, asked.kind, asked.target)) return star(asked)
    const same = (state().watches ?? []).filter(({ kind, target }) => kind === asked.kind && target === asked.target)
    const failures = await Promise.all(same.map(({ id }) => remove(id)))
    return failures.find((failure) => failure !== null) ?? null
  }

  return {
    state,
    onChange,
    of(next) {
      if (next === account) return
      account = next
      version++
      busy.clear()
      show(NONE)
      void refresh()
    },
    refresh,
    async toggle(asked) {
      const key = `${asked.kind} ${asked.target}`
      if (busy.has(key)) return null
      busy.add(key)
      if (state().watches === null) await refresh()
      const failure = state().watches === null ? state().failure : await toggled(asked)
      busy.delete(key)
      return failure
    },
    add,
    change(id, to) {
      const before = state().watches?.find((watch) => watch.id === id)
      if (before === undefined) return Promise.resolve(null)
      const put = (next: Watch) => edit((watches) => watches.map((watch) => (watch.id === id ? next : watch)))
      const { paused = before.paused, target = before.target } = to
      const isNew = before.paused || target !== before.target
      put({ ...before, ...to, state: paused ? 'paused' : isNew ? 'starting' : before.state })
      return changed(send<Watch>('PATCH', pathOf(id), to), put, () => put(before))
    },
    remove,
  }
}
