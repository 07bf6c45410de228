import type { Answer } from '../api/ask.ts'
import type { Refusal } from '../api/refusal.ts'
import { createShared } from '../api/shared.ts'
import type { Alert } from './alert.ts'

export interface AlertsState {
  /** newest first, none left out; null before the first answer and without an account */
  readonly alerts: readonly Alert[] | null
  /** `seq` of the newest alert that was read */
  readonly read: number
  /** older alerts may exist */
  readonly more: boolean
  /** reason of the last failed request; null if it succeeded */
  readonly failure: Refusal | null
}

interface Surroundings {
  get(path: string): Promise<Answer<readonly Alert[]>>
  /** `seq` of the newest alert that this account has read in this browser; 0: none */
  readOf(account: string): number
  keepRead(account: string, read: number): void
  /** called with alerts that arrived while the page was open, oldest first */
  onNew(alerts: readonly Alert[]): void
}

/**
 * Alerts of the account, newest first. An alert from the stream is appended if it is the next one; otherwise the gap is
 * fetched.
 */
interface Alerts {
  state(): AlertsState
  onChange(tell: () => void): () => void
  of(account: string | null): void
  /** Fetches alerts newer than the newest known one. */
  catchUp(): Promise<void>
  /** Handles an alert from the stream. */
  heard(alert: Alert): void
  /** Fetches the page of alerts before the oldest known one. */
  older(): Promise<void>
  markRead(): void
}

const PATH = '/account/alerts'
/** alerts in one answer of the service */
const PAGE = 100
/** alerts in memory; scrolling back fetches older ones again */
export const HELD_MAX = 1_000
const NOTHING: AlertsState = { alerts: null, read: 0, more: false, failure: null }

export const newestOf = ({ alerts }: AlertsState): number => alerts?.[0]?.seq ?? 0
/** Counts those in memory: `seq` has gaps. */
export const unreadOf = ({ alerts, read }: AlertsState): number => alerts?.filter(({ seq }) => seq > read).length ?? 0

export function createAlerts({ get, readOf, keepRead, onNew }: Surroundings): Alerts {
  const { state, onChange, show } = createShared(NOTHING)
  let account: string | null = null
  let asking: Promise<void> | null = null

  function add(newer: readonly Alert[]): void {
    const fresh = newer.filter(({ seq }) => seq > newestOf(state()))
    if (fresh.length === 0) return
    const alerts = [...fresh].reverse().concat(state().alerts ?? [])
    show({
      ...state(),
      alerts: alerts.slice(0, HELD_MAX),
      more: state().more || alerts.length > HELD_MAX,
      failure: null,
    })
    onNew(fresh)
  }

  /** Makes one request; returns true if more alerts may follow. */
  async function ask(): Promise<boolean> {
    const of = account
    if (state().alerts === null) {
      const answer = await get(PATH)
      if (of !== account) return false
      if (!answer.ok) show({ ...state(), failure: answer })
      else show({ ...state(), alerts: answer.data, more: mayHaveOlder(answer.data), failure: null })
      return false
    }
    const answer = await get(`${PATH}?after_seq=${newestOf(state())}`)
    if (of !== account) return false
    if (!answer.ok) show({ ...state(), failure: answer })
    else if (answer.data.length > 0) add(answer.data)
    else if (state().failure !== null) show({ ...state(), failure: null })
    return answer.ok && answer.data.length >= PAGE
  }

  async function all(): Promise<void> {
    while (account !== null && (await ask()));
  }

  function catchUp(): Promise<void> {
    if (account === null) return Promise.resolve()
    if (asking !== null) return asking
    const mine = all().finally(() => {
      if (asking === mine) asking = null
    })
    asking = mine
    return mine
  }

  return {
    state,
    onChange,
    of(next) {
      if (next === account) return
      account = next
      asking = null
      show({ ...NOTHING, read: next === null ? 0 : readOf(next) })
      void catchUp()
    },
    catchUp,
    heard(alert) {
      if (state().alerts !== null && alert.seq === newestOf(state()) + 1) add([alert])
      else if (alert.seq > newestOf(state())) void catchUp()
    },
    async older() {
      const of = account
      const oldest = state().alerts?.at(-1)?.seq
      if (oldest === undefined) return
      const answer = await get(`${PATH}?before_seq=${oldest}`)
      if (of !== account) return
      if (!answer.ok) return show({ ...state(), failure: answer })
      const known = state().alerts ?? []
      const last = known.at(-1)?.seq ?? 0
      const found = answer.data.filter(({ seq }) => seq < last)
      show({ ...state(), alerts: [...known, ...found], more: mayHaveOlder(answer.data), failure: null })
    },
    markRead() {
      const read = newestOf(state())
      if (account === null || read === state().read || state().alerts === null) return
      keepRead(account, read)
      show({ ...state(), read })
    },
  }
}

const mayHaveOlder = (alerts: readonly Alert[]): boolean => alerts.length >= PAGE
