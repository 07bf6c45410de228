import { createShared, type ResourceName, type Shared } from '@ti/service/access/shared/shared.ts'
import { type Resource, SHARED } from '@ti/service/access/shared/table.ts'

interface Change {
  readonly pool?: Partial<Resource['pool']>
  readonly share?: Partial<Resource['share']>
}

/** What admits, with other numbers in some rows of its table. */
export function sharedWith(changes: Partial<Record<ResourceName, Change>>): Shared {
  const table: Record<string, Resource> = { ...SHARED }
  for (const [name, { pool, share }] of Object.entries(changes)) {
    const row = table[name]!
    table[name] = { ...row, pool: { ...row.pool, ...pool }, share: { ...row.share, ...share } }
  }
  return createShared({ table: table as typeof SHARED })
}
