import { createAccounts } from '@ti/service/access/accounts/accounts.ts'
import { beginAccounts } from '@ti/service/access/sql/accounts-file.ts'
import { openDatabase } from '@ti/service/access/sql/database.ts'

/** Pro keys in a data directory that no service uses at the moment. */
export async function makeKeys(dataDir: string, count: number): Promise<string[]> {
  beginAccounts(dataDir, true)
  const database = await openDatabase({ dataDir, url: null })
  const accounts = createAccounts(database, { now: Date.now })
  const { id } = await accounts.ofOperator()
  const keys: string[] = []
  while (keys.length < count) {
    const made = await accounts.createKey(id, { name: `key ${keys.length}`, expiresAt: null })
    if (!made.ok) throw new Error(made.message)
    keys.push(made.key)
  }
  await database.close()
  return keys
}
