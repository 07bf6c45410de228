import { sql } from 'kysely'
import { databaseTime } from '../sql/clock.ts'
import type { Database } from '../sql/database.ts'
import type { AccountRow, ApiKeyRow } from '../sql/schema.ts'

/** A key with what its account may do. */
export type KeyRow = Pick<ApiKeyRow, 'id' | 'account_id' | 'digest' | 'expires_at' | 'revoked_at'> &
  Pick<AccountRow, 'paid_until' | 'granted_pro'>

/** Rows page by page. */
interface KeyReader {
  /** every key, live ones first */
  all(): AsyncIterable<readonly KeyRow[]>
  /** what changed since the last complete reading began, by the database's clock, and a while before */
  changed(): AsyncIterable<readonly KeyRow[]>
}

/** Those of LIMITS with the same names. */
export type KeyBounds = Readonly<Record<'keysReloadMs' | 'keysOverlapMs' | 'keysPage' | 'keysInMemory', number>>

export function readKeys({ sql: db }: Pick<Database, 'sql'>, bounds: KeyBounds): KeyReader {
  let readUpTo = new Date(0)

  const rows = () =>
    db
      .selectFrom('api_keys as k')
      .innerJoin('accounts as a', 'a.id', 'k.account_id')
      .select(['k.id', 'k.account_id', 'k.digest', 'k.expires_at', 'k.revoked_at', 'a.paid_until', 'a.granted_pro'])
      .orderBy(sql`k.revoked_at is not null`)
      .orderBy('k.id')
      .limit(bounds.keysPage)

  type Rows = ReturnType<typeof rows>

  async function* pages(select: () => Rows): AsyncGenerator<readonly KeyRow[]> {
    const { now } = await db.selectNoFrom(databaseTime.as('now')).executeTakeFirstOrThrow()
    // one page more than memory holds, so that what is left out is noticed
    const pagesMax = Math.ceil(bounds.keysInMemory / bounds.keysPage) + 1
    let last: KeyRow | undefined
    for (let page = 0; page < pagesMax; page++) {
      const from: KeyRow | undefined = last
      const query = select()
      const found: KeyRow[] = await (from === undefined ? query : query.where(after(from))).execute()
      yield found
      last = found.at(-1)
      if (found.length < bounds.keysPage) break
    }
    readUpTo = now
  }

  return {
    all: () => pages(rows),
    changed() {
      const since = new Date(Math.max(0, readUpTo.getTime() - bounds.keysOverlapMs))
      return pages(() =>
        rows().where('k.id', 'in', (query) =>
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

const after = (row: KeyRow) =>
  sql<boolean>`(k.revoked_at is not null, k.id) > (${row.revoked_at !== null}::boolean, ${row.id}::text)`
