import { hash, randomBytes } from 'node:crypto'
import { base58Encode } from '@ti/core/base/base58.ts'
import { isKeyName, KEY_NAME_RULE } from '@ti/core/contract/account.ts'
import type { Transaction } from 'kysely'
import { KEY_PREFIX } from '../key-prefix.ts'
import type { Database } from '../sql/database.ts'
import type { AccountRow, Schema } from '../sql/schema.ts'
import { isKeyId, type KeyInfo, keyInfo } from './key-info.ts'
import type { Plan } from './key-memory.ts'
import type { KeyUse } from './key-use.ts'
import { forgetNonces, type UsedNonce, useNonce } from './used-nonces.ts'

export const KEY_COUNTS = {
  /** live API keys one store may hold: beyond it only Pro accounts can create keys, so that free ones cannot crowd them out */
  all: 50_000,
  /** live keys of an account (decisions.md) and of the operator, and revoked or expired ones that are still remembered */
  perAccount: 5,
  ofOperator: 1_000,
  deadPerAccount: 20,
}

/** Accounts and their keys. */
export type Accounts = ReturnType<typeof createAccounts>

interface KeyRequest {
  readonly name: string
  /** null: it does not expire */
  readonly expiresAt: Date | null
  /** the proof of work, which counts once; absent or null if none was required */
  readonly used?: UsedNonce | null
}

export type MadeKey =
  | { readonly ok: true; readonly key: string; readonly info: KeyInfo }
  /** `reason` where it is not a field that is wrong */
  | { readonly ok: false; readonly message: string; readonly reason?: 'work_used' }

interface AccountsOptions {
  /** milliseconds */
  readonly now: () => number
  /** key use that is not written yet */
  readonly use?: Pick<KeyUse, 'pending'> | null
  readonly bounds?: Readonly<typeof KEY_COUNTS>
  /** prefix of the keys it makes */
  readonly prefix?: string
}

const WORK_USED = 'this work was already used for a key: request another task with POST /account/work'

/** 32 random bytes without a private key. */
const randomAddress = (): string => base58Encode(randomBytes(32).toString('latin1'))

export function createAccounts(
  { sql: db, dialect }: Pick<Database, 'sql' | 'dialect'>,
  { now, use = null, bounds = KEY_COUNTS, prefix = KEY_PREFIX }: AccountsOptions,
) {
  const infoOf = (row: Parameters<typeof keyInfo>[0]): KeyInfo => keyInfo(row, now(), use?.pending(row.id))
  const find = async (column: 'id' | 'wallet', value: string): Promise<AccountRow | null> =>
    (await db.selectFrom('accounts').selectAll().where(column, '=', value).executeTakeFirst()) ?? null

  /** The operator's accounts have no wallet. A wallet that has an account already is left alone. */
  async function make(wallet: string | null): Promise<string> {
    const id = `acct_${randomBytes(9).toString('base64url')}`
    const made = { id, wallet, reference: randomAddress(), paid_until: null, balance_lamports: 0 }
    const at = new Date(now())
    await db
      .insertInto('accounts')
      .values({ ...made, granted_pro: wallet === null, created_at: at, changed_at: dialect.now })
      .onConflict((conflict) => conflict.column('wallet').doNothing())
      .execute()
    return id
  }

  async function ofWallet(wallet: string): Promise<AccountRow> {
    const known = await find('wallet', wallet)
    if (known !== null) return known
    await make(wallet)
    // another call may have created it at the same moment; the existing row counts
    return (await find('wallet', wallet))!
  }

  const operators = db.selectFrom('accounts').select('id').where('wallet', 'is', null)
  /** The accounts whose keys are counted and remembered together. */
  const together = (account: Pick<AccountRow, 'id' | 'wallet'>) =>
    account.wallet === null ? operators : db.selectFrom('accounts').select('id').where('id', '=', account.id)

  const planOf = (account: AccountRow): Plan =>
    account.granted_pro || (account.paid_until?.getTime() ?? 0) > now() ? 'pro' : 'free'

  /** Returns why the account may not have another key; the caller has locked the account's row. */
  async function noRoom(inside: Transaction<Schema>, account: AccountRow): Promise<string | null> {
    const count = inside.selectFrom('api_keys').select((query) => query.fn.countAll<number | string>().as('n'))
    const living = count
      .where('revoked_at', 'is', null)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date(now()))]))
    const live = living.where('account_id', 'in', together(account))
    const [who, most] =
      account.wallet === null ? ['the operator', bounds.ofOperator] : ['an account', bounds.perAccount]
    if (Number((await live.executeTakeFirstOrThrow()).n) >= most) {
      return `${who} may have ${most} live keys: revoke one first`
    }
    if (planOf(account) === 'pro') return null
    const all = await living.executeTakeFirstOrThrow()
    return Number(all.n) < bounds.all ? null : 'no more free keys are available right now'
  }

  /** Keeps ended keys for a while, so that a refusal can state the reason. */
  async function forgetDeadKeys(inside: Transaction<Schema>, account: AccountRow): Promise<void> {
    const ended = new Date(now())
    await inside
      .deleteFrom('api_keys')
      .where('id', 'in', (query) =>
        query
          .selectFrom('api_keys')
          .select('id')
          .where('account_id', 'in', together(account))
          .where((where) => where.or([where('revoked_at', 'is not', null), where('expires_at', '<=', ended)]))
          .orderBy((order) => order.fn.coalesce('revoked_at', 'expires_at'), 'desc')
          .offset(bounds.deadPerAccount),
      )
      .execute()
  }

  async function createKey(accountId: string, { name, expiresAt, used = null }: KeyRequest): Promise<MadeKey> {
    if (!isKeyName(name)) return { ok: false, message: KEY_NAME_RULE }
    if (used !== null) await forgetNonces(db, now())
    return db.transaction().execute(async (inside): Promise<MadeKey> => {
      // the lock on the account's row makes concurrent requests count and create keys in turn
      const account = await inside
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', accountId)
        .forUpdate()
        .executeTakeFirst()
      if (account === undefined) return { ok: false, message: 'there is no such account' }
      const message = await noRoom(inside, account)
      if (message !== null) return { ok: false, message }
      if (used !== null && !(await useNonce(inside, used)))
        return { ok: false, reason: 'work_used', message: WORK_USED }
      const key = prefix + randomBytes(32).toString('base64url')
      const row = await inside
        .insertInto('api_keys')
        .values({
          id: `key_${randomBytes(9).toString('base64url')}`,
          account_id: accountId,
          name,
          digest: hash('sha256', key, 'buffer'),
          created_at: new Date(now()),
          expires_at: expiresAt,
          revoked_at: null,
          changed_at: dialect.now,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await forgetDeadKeys(inside, account)
      return { ok: true, key, info: infoOf(row) }
    })
  }

  return {
    /** finds or creates the account of a wallet (base58, checked by the caller) */
    ofWallet,
    /** makes an account of the operator, granted Pro and without a wallet: whoever gets its key shares nothing with the others */
    ofOperator: async (): Promise<AccountRow> => (await find('id', await make(null)))!,
    /** the account of one of the operator's keys; null: it is none */
    async ofOperatorKey(id: string): Promise<AccountRow | null> {
      const row = await db.selectFrom('api_keys').select('account_id').where('id', '=', id).executeTakeFirst()
      const account = row === undefined ? null : await find('id', row.account_id)
      return account?.wallet === null ? account : null
    },
    find: (id: string): Promise<AccountRow | null> => find('id', id),
    planOf,
    /** newest first: live keys and the latest ended ones of an account, or of all accounts of the operator if it is null */
    async keysOf(accountId: string | null): Promise<KeyInfo[]> {
      const owners = accountId === null ? operators : [accountId]
      const keys = db.selectFrom('api_keys').selectAll().where('account_id', 'in', owners)
      const most = bounds.ofOperator + bounds.deadPerAccount
      const rows = await keys.orderBy('created_at', 'desc').orderBy('id').limit(most).execute()
      return rows.map(infoOf)
    },
    /** makes a key; only this answer contains it. Checks the name */
    createKey,
    /** null if the account has no such key */
    async nameKey(accountId: string, id: string, name: string): Promise<KeyInfo | null> {
      if (!isKeyId(id) || !isKeyName(name)) return null
      const row = await db
        .updateTable('api_keys')
        .set({ name })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? null : infoOf(row)
    },
    /** ends a key of the account, or of any account if `accountId` is null; repeating it changes nothing. Null: no such key */
    async revokeKey(accountId: string | null, id: string): Promise<KeyInfo | null> {
      if (!isKeyId(id)) return null
      const row = await db
        .updateTable('api_keys')
        .set(({ fn, val }) => ({
          revoked_at: fn.coalesce('revoked_at', val(new Date(now()))),
          changed_at: dialect.now,
        }))
        .where('id', '=', id)
        .$if(accountId !== null, (query) => query.where('account_id', '=', accountId!))
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? null : infoOf(row)
    },
  }
}
