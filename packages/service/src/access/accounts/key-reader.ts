import { sql } from 'kysely'
import type { Database } from '../sql/database.ts'
import type { AccountRow, ApiKeyRow } from '../sql/schema.ts'

export const KEY_READING = {
  /** milliseconds between two looks at what changed in the keys, and between two readings of all of them: a clock of the
   * database that is set back hides changes from the short look */
  refreshMs: 2_000,
  reloadMs: 3_600_000,
  /** milliseconds by which looks overlap: a transaction commits later than the moment it wrote, at most a few timeouts */
  overlapMs: 60_000,
  /** keys held in memory, about 600 bytes each, and rows read at once: a page holds the event loop for some 10 ms */
  inMemory: 100_000,
  page: 2_000,
  /** milliseconds since the last reading of the keys after which a database that fails makes them unreadable: long enough
   * for a failover or a restart of PostgreSQL, and as long as a revoked key may go on */
  staleMs: 600_000,
}

/** A key with what its account may do. */
export type KeyRow = Pick<ApiKeyRow, 'id' | 'account_id' | 'digest' | 'expires_at' | 'revoked_at'> &
  Pick<AccountRow, 'paid_until' | 'granted_pro'>

/** Reads rows in pages. */
export function readKeys(
  { sql: db, dialect }: Pick<Database, 'sql' | 'dialect'>,
  bounds: Readonly<typeof KEY_READING>,
) {
  let readUpTo = new Date(0)

  const rows = () =>
    db.selectFrom('api_keys').selectAll().orderBy(sql`revoked_at is not null`).orderBy('id').limit(bounds.page)

  type Rows = ReturnType<typeof rows>

  /** Selects whole rows of both tables, so that their checksums are verified. */
  async function withAccounts(keys: readonly ApiKeyRow[]): Promise<KeyRow[]> {
    if (keys.length === 0) return []
    const ids = [...new Set(keys.map((key) => key.account_id))]
    const found = await db.selectFrom('accounts').selectAll().where('id', 'in', ids).execute()
    const accounts = new Map(found.map((account) => [account.id, account]))
    return keys.map((key) => {
      const { paid_until, granted_pro } = accounts.get(key.account_id)!
      return { ...key, paid_until, granted_pro }
    })
  }

  async function* pages(select: () => Rows): AsyncGenerator<readonly KeyRow[]> {
    const { changed_at: now } = await db.selectNoFrom(dialect.now.as('changed_at')).executeTakeFirstOrThrow()
    // one page more than memory holds, so that keys which do not fit are noticed
    const pagesMax = Math.ceil(bounds.inMemory / bounds.page) + 1
    let last: ApiKeyRow | undefined
    for (let page = 0; page < pagesMax; page++) {
      const from: ApiKeyRow | undefined = last
      const query = select()
      const found = await (from === undefined ? query : query.where(after(from))).execute()
      yield await withAccounts(found)
      last = found.at(-1)
      if (found.length < bounds.page) break
    }
    readUpTo = now
  }

  return {
    /** every key, live ones first */
    all: (): AsyncIterable<readonly KeyRow[]> => pages(rows),
    /** rows changed since the last complete read began, by the database's clock, with an overlap */
    changed(): AsyncIterable<readonly KeyRow[]> {
      const since = new Date(Math.max(0, readUpTo.getTime() - bounds.overlapMs))
      return pages(() =>
        rows().where('id', 'in', (query) =>
          query
            .selectFrom('api_keys')
            .select('id')
            .where('changed_at', '>=', since)
            .union(
              query
                .selectFrom('api_keys')
                .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
                .select('api_keys.id')
                .where('accounts.changed_at', '>=', since),
            ),
        ),
      )
    },
  }
}

const after = (row: ApiKeyRow) =>
  sql<boolean>`(revoked_at is not null, id) > (cast(${row.revoked_at !== null} as boolean), cast(${row.id} as text))`
