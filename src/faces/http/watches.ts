import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Plan } from '../../access/keys.ts'
import { type AccountRow, WATCH_KINDS, type WatchRow } from '../../access/sql/schema.ts'
import { alertJson } from '../../alerts/alert.ts'
import type { AlertShelf, WatchBook } from '../../alerts/book.ts'
import { isoMicros } from '../../base/time.ts'
import { LIMITS } from '../../config/limits.ts'
import { FILTER_BOUNDS } from '../../contract/filter.ts'
import { Refusal } from './account-guards.ts'

export interface WatchDesk {
  readonly book: WatchBook
  readonly shelf: Pick<AlertShelf, 'after' | 'newest'>
}

const Name = z.string().trim().min(1).max(LIMITS.alerts.nameLength)
const WatchBody = z.strictObject({
  kind: z.enum(WATCH_KINDS),
  target: z.string().max(FILTER_BOUNDS.length),
  name: Name,
  min_sol: z.number().min(0).max(LIMITS.alerts.minSol).optional(),
})
const ChangeBody = z.strictObject({
  name: Name.optional(),
  paused: z.boolean().optional(),
  target: WatchBody.shape.target.optional(),
  min_sol: WatchBody.shape.min_sol,
})
const SEQ = /^\d{1,15}$/
const NO_WATCH = 'this account has no such watch'

const watchJson = ({ id, kind, target, name, min_lamports, paused, from_trade, created_at }: WatchRow) => ({
  ...{ id, kind, target, name, min_sol: min_lamports / 1e9, paused },
  state: paused ? 'paused' : from_trade === null ? 'starting' : 'watching',
  created_at: isoMicros(created_at.getTime() / 1_000),
})

type Handler = (request: FastifyRequest) => Promise<object>
type Add = (url: string, handlers: Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Handler>>) => void

interface WatchRoutes {
  readonly desk: WatchDesk
  readonly holder: (request: FastifyRequest) => Promise<AccountRow>
  readonly planOf: (account: AccountRow) => Plan
  readonly read: <T>(schema: z.ZodType<T>, request: FastifyRequest) => T
}

/** Watches of the account that is signed in, and its alerts. */
export function addWatchRoutes(path: Add, { desk, holder, planOf, read }: WatchRoutes): void {
  const { book, shelf } = desk
  const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id

  path('/account/watches', {
    async GET(request) {
      return (await book.list((await holder(request)).id)).map(watchJson)
    },
    async POST(request) {
      const account = await holder(request)
      const { min_sol = 0, ...asked } = read(WatchBody, request)
      const made = await book.add(account.id, planOf(account), { ...asked, minLamports: Math.round(min_sol * 1e9) })
      if (!made.ok) throw new Refusal(400, made.message)
      return watchJson(made.watch)
    },
  })

  path('/account/watches/:id', {
    async PATCH(request) {
      const { id } = await holder(request)
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
      const { id } = await holder(request)
      if (!(await book.remove(id, idOf(request)))) throw new Refusal(404, NO_WATCH)
      return { deleted: true }
    },
  })

  path('/account/alerts', {
    async GET(request) {
      const { id } = await holder(request)
      const { after_seq: after } = request.query as { readonly after_seq?: unknown }
      const isSeq = typeof after === 'string' && SEQ.test(after)
      if (after !== undefined && !isSeq) throw new Refusal(400, 'after_seq must be a whole number')
      const alerts = isSeq ? await shelf.after(id, Number(after), LIMITS.alerts.page) : await shelf.newest(id)
      return alerts.map(alertJson)
    },
  })
}
