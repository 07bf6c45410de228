import type { Answer } from '../api/ask.ts'
import type { Refusal } from '../api/refusal.ts'
import { createShared } from '../api/shared.ts'
import type { Alert } from './alert.ts'

export interface AlertsState {
  /** newest first, without a gap; null: not read yet, or nobody is signed in */
  readonly alerts: readonly Alert[] | null
  /** up to where they were read by the person */
  readonly read: number
  /** older ones may exist */
  readonly more: boolean
  /** why they could not be read; null: they could */
  readonly failure: Refusal | null
}

interface Surroundings {
  get(path: string): Promise<Answer<readonly Alert[]>>
  /** how far this account has read, as this browser knows; 0: nothing */
  readOf(account: string): number
  keepRead(account: string, read: number): void
  /** alerts that came while the page was open, oldest first */
  onNew(alerts: readonly Alert[]): void
}

/** The alerts of the account, newest first. What the stream brings is added where it fits, otherwise asked for. */
interface Alerts {
  state(): AlertsState
  onChange(tell: () => void): () => void
  of(account: string | null): void
  /** Asks for what is newer than what is known. */
  catchUp(): Promise<void>
  /** The stream has brought one. */
  heard(alert: Alert): void
  /** Asks for older ones. */
  older(): Promise<void>
  /** The person has seen what is there. */
  markRead(): void
}

const PATH = '/account/alerts'
/** what the service gives in one answer */
const PAGE = 100
/** alerts that the page holds; older ones are asked for again by who scrolls back to them */
export const HELD_MAX = 1_000
const NOTHING: AlertsState = { alerts: null, read: 0, more: false, failure: null }

export const newestOf = ({ alerts }: AlertsState): number => alerts?.[0]?.seq ?? 0
export const unreadOf = (state: AlertsState): number => Math.max(0, newestOf(state) - state.read)

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

  /** One question; true: there is more to ask for. */
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
      // numbers have no gap, so that the page before is known by its first; of those that are no longer kept, the oldest come
      const answer = await get(`${PATH}?after_seq=${Math.max(0, oldest - PAGE - 1)}`)
      if (of !== account) return
      if (!answer.ok) return show({ ...state(), failure: answer })
      const known = state().alerts ?? []
      const last = known.at(-1)?.seq ?? 0
      const found = answer.data.filter(({ seq }) => seq < last).reverse()
      show({ ...state(), alerts: [...known, ...found], more: found.length > 0 && found.at(-1)!.seq > 1, failure: null })
    },
    markRead() {
      const read = newestOf(state())
      if (account === null || read === state().read || state().alerts === null) return
      keepRead(account, read)
      show({ ...state(), read })
    },
  }
}

const mayHaveOlder = (alerts: readonly Alert[]): boolean => alerts.length >= PAGE && alerts.at(-1)!.seq > 1
