import { z } from 'zod'
import { alertJson } from '../../alerts/alert.ts'
import {
  type Member,
  NO_WATCH,
  newWatchOf,
  WatchBody,
  WatchName,
  type WatchServices,
  watchJson,
} from '../../alerts/watch-json.ts'
import { type AccountRequest, type AddPath, idOf, Refusal, read } from './account-request.ts'
import { queryOf } from './query.ts'

const ChangeBody = z.strictObject({
  name: WatchName.optional(),
  paused: z.boolean().optional(),
  target: WatchBody.shape.target.optional(),
  min_sol: WatchBody.shape.min_sol,
})
const SEQ = /^\d{1,15}$/

function seqIn(query: ReturnType<typeof queryOf>, name: 'after_seq' | 'before_seq'): number | undefined {
  const text = query[name]
  if (text === undefined) return undefined
  if (typeof text === 'string' && SEQ.test(text)) return Number(text)
  throw new Refusal('invalid_request', `${name} must be a whole number`)
}

interface WatchRoutes {
  readonly services: WatchServices
  /** the caller's account, by session or key */
  readonly member: (asked: AccountRequest) => Promise<Member>
}

/** Adds the routes for watches and alerts of the account that is signed in or whose key is sent. */
export function addWatchRoutes(path: AddPath, { services, member }: WatchRoutes): void {
  const { book, alertStore } = services

  path('/account/watches', {
    async GET(asked) {
      return (await book.list((await member(asked)).id)).map(watchJson)
    },
    async POST(asked) {
      const account = await member(asked)
      const made = await book.add(account.id, account.plan, newWatchOf(read(WatchBody, asked)))
      if (!made.ok) throw new Refusal('invalid_request', made.message)
      return watchJson(made.watch)
    },
  })

  path('/account/watches/{id}', {
    async PATCH(asked) {
      const { id } = await member(asked)
      const { min_sol, ...to } = read(ChangeBody, asked)
      if (min_sol === undefined && Object.keys(to).length === 0) {
        throw new Refusal('invalid_request', 'the body: name, paused, target or min_sol is needed')
      }
      const least = min_sol === undefined ? {} : { minLamports: Math.round(min_sol * 1e9) }
      const changed = await book.change(id, idOf(asked), { ...to, ...least })
      if (changed.ok) return watchJson(changed.watch)
      throw 'missing' in changed ? new Refusal('not_found', NO_WATCH) : new Refusal('invalid_request', changed.message)
    },
    async DELETE(asked) {
      const { id } = await member(asked)
      if (!(await book.remove(id, idOf(asked)))) throw new Refusal('not_found', NO_WATCH)
      return { deleted: true }
    },
  })

  path('/account/alerts', {
    async GET(asked) {
      const { id } = await member(asked)
      const query = queryOf(asked.search)
      const [after, before] = [seqIn(query, 'after_seq'), seqIn(query, 'before_seq')]
      const alerts = after === undefined ? alertStore.newest(id, before) : alertStore.since(id, after)
      return (await alerts).map(alertJson)
    },
  })
}
