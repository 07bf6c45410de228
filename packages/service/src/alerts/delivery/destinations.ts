import { hash, randomBytes } from 'node:crypto'
import type { DestinationKind } from '@ti/core/contract/account.ts'
import { sql as statement, type Transaction } from 'kysely'
import type { Plan } from '../../access/keys.ts'
import { createShared, type Shared } from '../../access/shared/shared.ts'
import type { Database } from '../../access/sql/database.ts'
import type { DestinationRow, Schema } from '../../access/sql/schema.ts'
import type { AlertReader } from '../alert.ts'
import { askReceiver, dropWaiting, isVerified } from './deliveries.ts'
import { KINDS } from './kinds.ts'
import { makeSecret, secretText } from './secret.ts'
import { refuseUrl, type UrlJudge } from './sender.ts'

/** random bytes of a code that links a chat, and milliseconds it may be used: a Telegram link carries 64 characters */
const CODE_BYTES = 18
export const CODE_MS = 15 * 60_000
/** milliseconds for which the secret before signs beside the new one */
export const OVERLAP_MS = 24 * 3_600_000

export interface NewDestination {
  readonly kind: DestinationKind
  readonly name: string
  /** Left out for Telegram, where a chat is linked instead. */
  readonly url?: string | undefined
  /** Watches whose alerts go to this destination. Null or left out means all of them. */
  readonly watches?: readonly string[] | null | undefined
}

interface DestinationChange {
  readonly name?: string | undefined
  readonly enabled?: boolean | undefined
  readonly url?: string | undefined
  readonly watches?: readonly string[] | null | undefined
}

/** A code that links a chat. It is shown once, in this answer. */
export interface LinkCode {
  readonly code: string
  readonly expiresAt: Date
}

type Refused = { readonly ok: false; readonly message: string }

type MadeDestination =
  | {
      readonly ok: true
      readonly destination: DestinationRow
      /** The secret of a webhook, `whsec_…`. It is shown once, in this answer. */
      readonly secret: string | null
      readonly link: LinkCode | null
    }
  | Refused
type ChangedDestination = { readonly ok: true; readonly destination: DestinationRow } | Refused

/** Destinations of accounts. Null or false means the account has no such destination. */
export type DestinationBook = ReturnType<typeof createDestinationBook>

interface BookOptions {
  /** milliseconds */
  readonly now: () => number
  readonly outbound: UrlJudge
  readonly reader: Pick<AlertReader, 'heads'>
  /** False if there is no bot. */
  readonly telegram: boolean
  /** left out: of its own */
  readonly shared?: Shared
}

const NO_BOT = 'kind: this service has no Telegram bot'

export const digestOf = (code: string): Uint8Array => hash('sha256', code, 'buffer')

const listText = (watches: readonly string[] | null): string | null =>
  watches === null ? null : JSON.stringify([...new Set(watches)])

export function createDestinationBook(
  { sql }: Pick<Database, 'sql'>,
  { now, outbound, reader, telegram, shared = createShared() }: BookOptions,
) {
  const headOf = async (account: string): Promise<number> => (await reader.heads([account])).get(account) ?? 0

  const own = (account: string, id: string) =>
    sql.selectFrom('destinations').selectAll().where('id', '=', id).where('account_id', '=', account)

  async function newCode(id: string): Promise<LinkCode> {
    const code = randomBytes(CODE_BYTES).toString('base64url')
    const expiresAt = new Date(now() + CODE_MS)
    await sql.transaction().execute(async (inside) => {
      await inside
        .deleteFrom('link_codes')
        .where((where) => where.or([where('destination_id', '=', id), where('expires_at', '<=', new Date(now()))]))
        .execute()
      await inside
        .insertInto('link_codes')
        .values({ digest: digestOf(code), destination_id: id, expires_at: expiresAt })
        .execute()
    })
    return { code, expiresAt }
  }

  async function add(account: string, plan: Plan, asked: NewDestination): Promise<MadeDestination> {
    const { kind, name, url, watches = null } = asked
    const { isLinked, isSigned, check } = KINDS[kind]
    if (isLinked && !telegram) return { ok: false, message: NO_BOT }
    const missing = isLinked ? null : refuseUrl('is needed')
    const checked = url === undefined ? missing : await check(url, outbound)
    if (checked?.ok === false) return checked
    const secret = isSigned ? makeSecret() : null
    const seq = await headOf(account)
    const made = await sql.transaction().execute(async (inside) => {
      // The lock on the account's row makes two requests count its destinations one after the other.
      await inside.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().executeTakeFirstOrThrow()
      const message = await noRoom(inside, account, plan, shared)
      if (message !== null) return { ok: false, message } as const
      const destination = await inside
        .insertInto('destinations')
        .values({
          id: `dest_${randomBytes(9).toString('base64url')}`,
          account_id: account,
          kind,
          name,
          enabled: true,
          watches: listText(watches),
          address: checked?.address ?? null,
          linked_by: null,
          secret,
          previous_secret: null,
          previous_until: null,
          alert_seq: seq,
          failing_since: null,
          rest_until: null,
          delivered_at: null,
          notice: null,
          created_at: new Date(now()),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      if (!isVerified(destination)) await askReceiver(inside, destination, now())
      return { ok: true, destination } as const
    })
    if (!made.ok) return made
    const link = isLinked ? await newCode(made.destination.id) : null
    return { ...made, secret: secret && secretText(secret), link }
  }

  async function change(account: string, id: string, to: DestinationChange): Promise<ChangedDestination | null> {
    const found = await own(account, id).executeTakeFirst()
    if (found === undefined) return null
    const checked = to.url === undefined ? null : await KINDS[found.kind].check(to.url, outbound)
    if (checked?.ok === false) return checked
    const fresh = { failures: 0, failing_since: null, rest_until: null }
    // Alerts from before the destination was enabled are not sent.
    const begins = to.enabled === true && !found.enabled
    const from = begins ? { ...fresh, alert_seq: await headOf(account), notice: null, delivered_at: null } : {}
    const set = {
      ...(to.name !== undefined && { name: to.name }),
      ...(to.watches !== undefined && { watches: listText(to.watches) }),
      ...(to.enabled !== undefined && { enabled: to.enabled }),
      // another receiver has not agreed to anything
      ...(checked !== null && { address: checked.address, ...fresh, delivered_at: null }),
      ...from,
    }
    const destination = await sql.transaction().execute(async (inside) => {
      const update = inside.updateTable('destinations').set(set).where('id', '=', id).where('account_id', '=', account)
      const row = await update.returningAll().executeTakeFirst()
      if (row === undefined) return row
      if (to.enabled === false) await dropWaiting(inside, id)
      else if ((checked !== null || begins) && !isVerified(row)) await askReceiver(inside, row, now())
      return row
    })
    return destination === undefined ? null : { ok: true, destination }
  }

  return {
    list: (account: string): Promise<readonly DestinationRow[]> =>
      sql
        .selectFrom('destinations')
        .selectAll()
        .where('account_id', '=', account)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    add,
    change,
    async remove(account: string, id: string): Promise<boolean> {
      const gone = sql.deleteFrom('destinations').where('id', '=', id).where('account_id', '=', account)
      return (await gone.executeTakeFirstOrThrow()).numDeletedRows > 0n
    },
    /**
     * Makes a new secret. The previous one keeps signing too for OVERLAP_MS. The answer is also null if the
     * destination is no webhook.
     */
    async rotate(
      account: string,
      id: string,
    ): Promise<{ readonly secret: string; readonly previousUntil: Date } | null> {
      const secret = makeSecret()
      const previousUntil = new Date(now() + OVERLAP_MS)
      const row = await sql
        .updateTable('destinations')
        .set({ secret, previous_secret: statement`secret`, previous_until: previousUntil })
        .where('id', '=', id)
        .where('account_id', '=', account)
        .where('secret', 'is not', null)
        .returning('id')
        .executeTakeFirst()
      return row === undefined ? null : { secret: secretText(secret), previousUntil }
    },
    /**
     * Makes another code for a Telegram destination and ends the codes before it. The answer is also null if the destination is
     * not Telegram.
     */
    async link(account: string, id: string): Promise<LinkCode | null> {
      const found = await own(account, id).executeTakeFirst()
      return found !== undefined && KINDS[found.kind].isLinked && telegram ? newCode(id) : null
    },
  }
}

async function noRoom(
  inside: Transaction<Schema>,
  account: string,
  plan: Plan,
  shared: Shared,
): Promise<string | null> {
  const count = inside.selectFrom('destinations').select((query) => query.fn.countAll<number | string>().as('n'))
  const own = await count.where('account_id', '=', account).executeTakeFirstOrThrow()
  return shared.keep('destinations', { plan, own: Number(own.n) })
}
