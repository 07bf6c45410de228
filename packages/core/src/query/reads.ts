import type { AnyOperationId } from '../contract/endpoints.ts'
import { type Cursor, cursorText } from '../contract/parameters.ts'
import type { Arguments } from './operations.ts'
import type { Query, Rendered } from './query.ts'

/** An answer without its envelope: the data, and what belongs to it in `summary` and `meta`. */
export interface Found {
  readonly data: Rendered
  readonly summary: Buffer | null
  /** JSON that extends `meta`; begins with a comma, or is empty */
  readonly page: string
}

/** The state as the faces read it, in their own thread or from another. What is returned at once is of the newest entry. */
export interface Reads {
  /** The newest committed log entry and its slot. */
  newest(): { readonly seq: number; readonly slot: number }
  /** Null for a 404. */
  find(id: AnyOperationId, args: Arguments): Found | null | Promise<Found | null>
  /** The number of tracked mints among these; reads no token. */
  tracked(mints: readonly string[]): number | Promise<number>
}

type Find = (args: Arguments) => Found | null

const found = (data: Rendered | null, page = '', summary: Buffer | null = null): Found | null =>
  data === null ? null : { data, summary, page }

function cursorPage(limit: number, { returned, next }: { readonly returned: number; readonly next: Cursor | null }) {
  const cursor = next === null ? 'null' : `"${cursorText(next)}"`
  return `,"page":{"limit":${limit},"returned":${returned},"next_cursor":${cursor}}`
}

const findersOf = (query: Query): Readonly<Record<AnyOperationId, Find>> => ({
  snapshot: ({ mint, fields }) => found(query.snapshot(mint, fields)),
  trades: ({ mint }) => found(query.trades(mint)),
  new: () => found(query.list('new')),
  pumps: () => found(query.list('pumps')),
  graduated: () => found(query.list('graduated')),
  agents: () => found(query.list('agents')),
  survivors: () => found(query.list('survivors')),
  trader: ({ address }) => found(query.trader(address)),
  deployer({ address, limit, offset }) {
    const answer = query.deployer(address, limit, offset)
    if (answer === null) return null
    const page = `,"page":{"limit":${limit},"offset":${offset},"returned":${answer.returned}}`
    return found(answer.data, page, answer.summary)
  },
  who: ({ mint }) => found(query.who(mint)),
  check: ({ mint }) => found(query.check(mint)),
  explain: ({ mint }) => found(query.explain(mint)),
  actor: ({ id }) => found(query.actor(id)),
  positions({ wallet, limit, cursor }) {
    const answer = query.positions(wallet, limit, cursor)
    return answer && found(answer.data, cursorPage(limit, answer), answer.summary)
  },
  history({ mint, limit, cursor }) {
    const answer = query.history(mint, limit, cursor)
    return answer && found(answer.data, cursorPage(limit, answer))
  },
  trader_windows: ({ address }) => found(query.traderWindows(address)),
  deployer_windows: ({ address }) => found(query.deployerWindows(address)),
  batch: ({ mints, fields }) => found(query.batch(mints, fields)),
  accuracy: () => found(query.accuracy()),
})

/** EAGAIN marks an error that a retry may avoid. */
const passed = (slot: number): Error =>
  Object.assign(new Error(`slot ${slot} was over before it was read`), { code: 'EAGAIN' })

/** Reads of the state in this thread. */
export function readsOf(query: Query): Reads {
  const finders = findersOf(query)
  return {
    newest: query.newest,
    tracked: query.tracked,
    find(id, args) {
      const answer = () =>
        query.settled(() => {
          // a payment between check and work can take seconds
          if (args.at_slot >= 0 && args.at_slot !== query.newest().slot) throw passed(args.at_slot)
          return finders[id](args)
        })
      const ready = id === 'actor' ? query.named(args.id) : null
      return ready === null ? answer() : ready.then(answer)
    },
  }
}
