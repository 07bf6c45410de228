import type { FastifyRequest } from 'fastify'
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
import { LIMITS } from '../../config/limits.ts'
import { Refusal } from './account-guards.ts'

const ChangeBody = z.strictObject({
  name: WatchName.optional(),
  paused: z.boolean().optional(),
  target: WatchBody.shape.target.optional(),
  min_sol: WatchBody.shape.min_sol,
})
const SEQ = /^\d{1,15}$/

type Handler = (request: FastifyRequest) => Promise<object>
type Add = (url: string, handlers: Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Handler>>) => void

interface WatchRoutes {
  readonly services: WatchServices
  /** who asks, by a session or a key */
  readonly member: (request: FastifyRequest) => Promise<Member>
  readonly read: <T>(schema: z.ZodType<T>, request: FastifyRequest) => T
}

/** Watches of the account that is signed in or whose key is sent, and its alerts. */
export function addWatchRoutes(path: Add, { services, member, read }: WatchRoutes): void {
  const { book, alertStore } = services
  const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id

  path('/account/watches', {
    async GET(request) {
      return (await book.list((await member(request)).id)).map(watchJson)
    },
    async POST(request) {
      const account = await member(request)
      const made = await book.add(account.id, account.plan, newWatchOf(read(WatchBody, request)))
      if (!made.ok) throw new Refusal(400, made.message)
      return watchJson(made.watch)
    },
  })

  path('/account/watches/:id', {
    async PATCH(request) {
      const { id } = await member(request)
      const { min_sol, ...to } = read(ChangeBody, request)
      if (min_sol === undefined && Object.keys(to).length === 0) {
        throw new Refusal(400, 'the body: name, paused, target or min_sol is needed')
      }
      const least = min_sol === undefined ? {} : { minLamports: Math.round(min_sol * 1e9) }
      const changed = await book.change(id, idOf(request), { ...to, ...least })
      if (changed.ok) return watchJson(changed.watch)
      throw 'missing' in changed ? new Refusal(404, NO_WATCH) : new Refusal(400, changed.message)
    },
    async DELETE(request) {
      const { id } = await member(request)
      if (!(await book.remove(id, idOf(request)))) throw new Refusal(404, NO_WATCH)
      return { deleted: true }
    },
  })

  path('/account/alerts', {
    async GET(request) {
      const { id } = await member(request)
      const { after_seq: after } = request.query as { readonly after_seq?: unknown }
      const isSeq = typeof after === 'string' && SEQ.test(after)
      if (after !== undefined && !isSeq) throw new Refusal(400, 'after_seq must be a whole number')
      const alerts = isSeq ? await alertStore.after(id, Number(after), LIMITS.alerts.page) : await alertStore.newest(id)
      return alerts.map(alertJson)
    },
  })
}
