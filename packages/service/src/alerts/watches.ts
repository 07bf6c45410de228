import { randomBytes } from 'node:crypto'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import type { WatchKind } from '@ti/core/contract/account.ts'
import { parseFilter, TOKEN_FIELDS } from '@ti/core/contract/filter.ts'
import { ACTOR_ID } from '@ti/core/contract/parameters.ts'
import type { Selectable, Transaction } from 'kysely'
import { sql as statement } from 'kysely'
import type { Plan } from '../access/keys.ts'
import { createShared, type Shared } from '../access/shared/shared.ts'
import type { Database } from '../access/sql/database.ts'
import type { Schema, WatchRow } from '../access/sql/schema.ts'
import type { Alert, AlertReader } from './alert.ts'

/** alerts of one read */
export const ALERTS_PAGE = 100

export interface NewWatch {
  readonly kind: WatchKind
  /** An address in base58, an actor's id or number, or a filter. */
  readonly target: string
  readonly name: string
  /** Trades of the target below this many lamports are not reported. */
  readonly minLamports: number
}

/** The changes to a watch. Fields that are left out keep their value. */
export interface WatchChange {
  readonly name?: string | undefined
  readonly paused?: boolean | undefined
  /** A filter. Only conditions may change it. */
  readonly target?: string | undefined
  readonly minLamports?: number | undefined
}

/** `missing` means the account has no such watch. */
type Changed = Made | { readonly ok: false; readonly missing: true }

type Made = { readonly ok: true; readonly watch: WatchRow } | { readonly ok: false; readonly message: string }

/** The watches of all accounts. A watch starts to report when the worker has loaded it, within a second after it was made. */
export interface WatchBook {
  list(account: string): Promise<readonly WatchRow[]>
  add(account: string, plan: Plan, asked: NewWatch): Promise<Made>
  /** A watch that is resumed or gets another filter starts to report from that moment on. */
  change(account: string, id: string, to: WatchChange): Promise<Changed>
  /** Returns false if the account has no such watch. */
  remove(account: string, id: string): Promise<boolean>
}

const NAME = 'alerts'

/**
 * Raises the version, so that the worker sees that a watch has changed, and returns it. Its row is locked before those of watches, as
 * the worker does it.
 */
async function raise(inside: Transaction<Schema>): Promise<number> {
  const row = await inside
    .insertInto('alert_worker')
    .values({ name: NAME, trade_no: -1, event_seq: -1, slot: -1, condition_no: -1, version: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ version: statement`alert_worker.version + 1` }))
    .returning('version')
    .executeTakeFirstOrThrow()
  return row.version
}

interface BookOptions {
  /** milliseconds */
  readonly now: () => number
  /**
   * Resolves an actor's id or number; null means there is no such actor. Without this function numbers are taken as they are.
   */
  readonly actorNo?: (id: string) => Promise<number | null>
  /** left out: of its own */
  readonly shared?: Shared
}

export function createWatchBook(
  { sql }: Pick<Database, 'sql'>,
  { now, actorNo = async (id) => (id.startsWith('act_') ? null : Number(id)), shared = createShared() }: BookOptions,
): WatchBook {
  async function noRoom(inside: Transaction<Schema>, account: string, plan: Plan, kind: WatchKind) {
    const count = inside.selectFrom('watches').select((query) => query.fn.countAll<number | string>().as('n'))
    const own = count.where('account_id', '=', account)
    const watches = Number((await own.executeTakeFirstOrThrow()).n)
    const message = shared.keep('watches', { plan, own: watches })
    if (message !== null || kind !== 'condition') return message
    const conditions = Number((await own.where('kind', '=', kind).executeTakeFirstOrThrow()).n)
    return shared.keep('conditions', { plan, own: conditions })
  }

  return {
    list: (account) =>
      sql
        .selectFrom('watches')
        .selectAll()
        .where('account_id', '=', account)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    async add(account, plan, asked) {
      const found = await targetOf(asked, actorNo)
      if ('message' in found) return { ok: false, message: found.message }
      const { target } = found
      return sql.transaction().execute(async (inside): Promise<Made> => {
        // The lock on the account's row makes two requests count its watches one after the other.
        await inside.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().executeTakeFirstOrThrow()
        const message = await noRoom(inside, account, plan, asked.kind)
        if (message !== null) return { ok: false, message }
        const { kind, name, minLamports } = asked
        const watch = await inside
          .insertInto('watches')
          .values({
            id: `watch_${randomBytes(9).toString('base64url')}`,
            account_id: account,
            name,
            kind,
            target,
            ...{
              min_lamports: minLamports,
              paused: false,
              from_trade: null,
              from_event: null,
              from_slot: null,
              created_at: new Date(now()),
              changed: await raise(inside),
            },
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        return { ok: true, watch }
      })
    },
    change: (account, id, { name, paused, target, minLamports }) =>
      sql.transaction().execute(async (inside): Promise<Changed> => {
        const own = inside.selectFrom('watches').selectAll().where('id', '=', id).where('account_id', '=', account)
        const before = await own.executeTakeFirst()
        if (before === undefined) return { ok: false, missing: true }
        const problem = target === undefined ? null : filterProblem(before.kind, target)
        if (problem !== null) return { ok: false, message: problem }
        const changed = await raise(inside)
        const isNew = paused === false || (target !== undefined && target !== before.target)
        const watch = await inside
          .updateTable('watches')
          .set({
            changed,
            ...(name !== undefined && { name }),
            ...(paused !== undefined && { paused }),
            ...(target !== undefined && { target }),
            ...(minLamports !== undefined && { min_lamports: minLamports }),
            ...(isNew && { from_trade: null, from_event: null, from_slot: null }),
          })
          .where('id', '=', id)
          .where('account_id', '=', account)
          .returningAll()
          .executeTakeFirst()
        return watch === undefined ? { ok: false, missing: true } : { ok: true, watch }
      }),
    remove: (account, id) =>
      sql.transaction().execute(async (inside) => {
        await raise(inside)
        const { numDeletedRows } = await inside
          .deleteFrom('watches')
          .where('id', '=', id)
          .where('account_id', '=', account)
          .executeTakeFirstOrThrow()
        if (numDeletedRows === 0n) return false
        await inside.insertInto('removed_watches').values({ id }).execute()
        return true
      }),
  }
}

/** Returns the problem with a new filter for a watch of this kind, or null. */
function filterProblem(kind: WatchKind, target: string): string | null {
  if (kind !== 'condition') return 'target: only a condition can be changed; make another watch for another target'
  const parsed = parseFilter(target, TOKEN_FIELDS)
  return parsed.ok ? null : `target: ${parsed.message}`
}

/** Returns the target in its stored form, or the problem with it. */
async function targetOf(
  { kind, target }: Pick<NewWatch, 'kind' | 'target'>,
  actorNo: (id: string) => Promise<number | null>,
): Promise<{ readonly target: string } | { readonly message: string }> {
  if (kind === 'condition') {
    const message = filterProblem(kind, target)
    return message === null ? { target } : { message }
  }
  if (kind !== 'actor') {
    return keyFromBase58(target) === null ? { message: 'target: not an address (base58 of 32 bytes)' } : { target }
  }
  if (!ACTOR_ID.test(target))
    return { message: 'target: not an actor (`act_` and 12 base58 characters, or its number)' }
  const no = await actorNo(target)
  return no === null ? { message: 'target: there is no such actor' } : { target: `${no}` }
}

/** Stored alerts, with a notification after new ones. */
export interface AlertStore extends AlertReader {
  /** Returns at most ALERTS_PAGE alerts, the newest first, before a number if there is one. */
  newest(account: string, before?: number): Promise<readonly Alert[]>
  /** Returns at most ALERTS_PAGE alerts after a number, in order. */
  since(account: string, seq: number): Promise<readonly Alert[]>
  notify(accounts: Iterable<string>): void
}

export function createAlertStore({ sql }: Pick<Database, 'sql'>): AlertStore {
  const listeners = new Set<(account: string) => void>()
  const of = (account: string) =>
    sql.selectFrom('alerts').select(['seq', 'number', 'body']).where('account_id', '=', account)
  const oldest = (account: string) => of(account).orderBy('seq').limit(1).executeTakeFirst()
  return {
    async after(account, place, limit) {
      const rows = of(account).where('seq', '>', place).orderBy('seq').limit(Math.min(limit, ALERTS_PAGE))
      return (await rows.execute()).map(alertOf)
    },
    async placeOf(account, seq) {
      const upTo = of(account).where('number', '<=', seq).orderBy('number', 'desc').limit(1)
      return (await upTo.executeTakeFirst())?.seq ?? ((await oldest(account))?.seq ?? 1) - 1
    },
    async range(account) {
      const counter = sql.selectFrom('alert_counters').select('number').where('account_id', '=', account)
      const [first, newest] = [await oldest(account), (await counter.executeTakeFirst())?.number ?? 0]
      return { seq: newest, oldestSeq: first === undefined ? newest + 1 : first.seq === 1 ? 1 : first.number }
    },
    async since(account, seq) {
      const rows = of(account).where('number', '>', seq).orderBy('number').limit(ALERTS_PAGE)
      return (await rows.execute()).map(alertOf)
    },
    async heads(accounts) {
      if (accounts.length === 0) return new Map()
      const rows = sql.selectFrom('alert_counters').select(['account_id', 'seq']).where('account_id', 'in', accounts)
      return new Map((await rows.execute()).map(({ account_id, seq }) => [account_id, seq]))
    },
    async newest(account, before) {
      const rows = of(account).$if(before !== undefined, (query) => query.where('number', '<', before!))
      return (await rows.orderBy('seq', 'desc').limit(ALERTS_PAGE).execute()).map(alertOf)
    },
    listen(heard) {
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
    notify(accounts) {
      for (const account of accounts) for (const heard of listeners) heard(account)
    },
  }
}

const alertOf = ({ seq, number, body }: Pick<Selectable<Schema['alerts']>, 'seq' | 'number' | 'body'>): Alert => ({
  ...JSON.parse(body),
  seq: number,
  place: seq,
})
