import { type RawBuilder, sql as statement, type Transaction } from 'kysely'
import type { Database, Dialect } from './database.ts'
import type { Schema } from './schema.ts'

/** A task that one node at a time performs. */
interface Leased {
  readonly name: string
  /** of this process */
  readonly owner: string
}

/** The right to do it, by the clock of the database: nodes need not agree on theirs. */
export interface Lease extends Leased {
  /** Takes the lease where it is free or over, or renews ours. Its term, another after every change of owner; null: not ours. */
  take(): Promise<number | null>
  /** Renews it inside a transaction and keeps others from it until that ends; false, and nothing is changed: it is not ours. */
  hold(inside: Transaction<Schema>): Promise<boolean>
  /** another node need not wait for its end */
  giveUp(): Promise<void>
}

export function createLease(
  { sql, dialect }: Pick<Database, 'sql' | 'dialect'>,
  { name, owner, ms }: Leased & { readonly ms: number },
): Lease {
  const until = dialect.after(ms)
  const own = (db: Pick<Database['sql'], 'updateTable'>) =>
    db.updateTable('leases').where('name', '=', name).where('owner', '=', owner)
  return {
    name,
    owner,
    async take() {
      const row = await sql
        .insertInto('leases')
        .values({ name, owner, lease_until: until, term: 1 })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({
              owner,
              lease_until: until,
              term: statement`leases.term + case when leases.owner = ${owner} then 0 else 1 end`,
            })
            .where(statement<boolean>`leases.owner = ${owner} or leases.lease_until < ${dialect.now}`),
        )
        .returning('term')
        .executeTakeFirst()
      return row?.term ?? null
    },
    async hold(inside) {
      const row = await own(inside).set({ lease_until: until }).returning('name').executeTakeFirst()
      return row !== undefined
    },
    async giveUp() {
      await own(sql)
        .set({ lease_until: new Date(0) })
        .execute()
    },
  }
}

/** A condition of a statement: its lease is held and not over. */
export const isHeld = ({ now }: Dialect, { name, owner }: Leased): RawBuilder<boolean> =>
  statement<boolean>`exists (select 1 from leases where name = ${name} and owner = ${owner} and lease_until > ${now})`
