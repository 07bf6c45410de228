import { join } from 'node:path'
import { open } from 'lmdb'
import type { Key } from '../base/ids.ts'
import type { Quote } from '../decode/events.ts'
import { checkDataFile } from './data-file.ts'
import { openDatabases } from './databases.ts'
import { decodeToken } from './token-record.ts'
import { idOf } from './write.ts'

/** What the committed state knows of a pool, for a decoder in another thread of the process that owns the store. */
export interface PoolReader {
  resolve(pool: Key): { readonly mint: Key; readonly quote: Quote; readonly decimals: number } | undefined
  close(): Promise<void>
}

export function openPoolReader(dir: string): PoolReader {
  checkDataFile(join(dir, 'data.mdb'))
  const root = open({ path: dir, noSubdir: false, overlappingSync: false, encoding: 'binary', maxDbs: 20 })
  const db = openDatabases(root)
  return {
    resolve(pool) {
      const id = idOf(db.pools.getBinaryFast(pool))
      const bytes = id === undefined ? undefined : db.tokens.getBinaryFast(id)
      if (id === undefined || bytes === undefined) return undefined
      const { mint, quote, decimals } = decodeToken(id, bytes)
      return { mint, quote, decimals }
    },
    close: () => root.close(),
  }
}
