import { sql as statement } from 'kysely'
import type { Database } from '../../access/sql/database.ts'

/** What one node at a time does, by the clock of the database. */
export interface Lease {
  readonly name: string
  /** of this process */
  readonly owner: string
  /** takes or renews it; false: another node holds it */
  take(): Promise<boolean>
  /** another node need not wait for its end */
  giveUp(): Promise<void>
}

interface LeaseOptions extends Pick<Lease, 'name' | 'owner'> {
  readonly ms: number
}

export function createLease(
  { sql, dialect }: Pick<Database, 'sql' | 'dialect'>,
  { name, owner, ms }: LeaseOptions,
): Lease {
  const until = dialect.after(ms)
  return {
    name,
    owner,
    async take() {
      const row = await sql
        .insertInto('leases')
        .values({ name, owner, lease_until: until })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner, lease_until: until })
            .where(statement<boolean>`leases.owner = ${owner} or leases.lease_until < ${dialect.now}`),
        )
        .returning('name')
        .executeTakeFirst()
      return row !== undefined
    },
    async giveUp() {
      await sql
        .updateTable('leases')
        .set({ lease_until: new Date(0) })
        .where('name', '=', name)
        .where('owner', '=', owner)
        .execute()
    },
  }
}
