import { randomBytes } from 'node:crypto'
import { createAccounts } from '../../src/access/accounts/accounts.ts'
import { beginAccounts } from '../../src/access/sql/accounts-file.ts'
import { openDatabase } from '../../src/access/sql/database.ts'
import { base58Encode } from '../../src/base/base58.ts'

/** A Pro key and a free one in a data directory that no service uses at the moment. */
export async function makeCustomersKeys(dataDir: string): Promise<{ readonly pro: string; readonly free: string }> {
  beginAccounts(dataDir, true)
  const database = await openDatabase({ dataDir, url: null })
  const accounts = createAccounts(database, { now: Date.now })
  const keyOf = async (id: string): Promise<string> => {
    const made = await accounts.createKey(id, { name: 'a customer', expiresAt: null })
    if (!made.ok) throw new Error(made.message)
    return made.key
  }
  const operator = await accounts.ofOperator()
  const stranger = await accounts.ofWallet(base58Encode(randomBytes(32).toString('latin1')))
  const keys = { pro: await keyOf(operator.id), free: await keyOf(stranger.id) }
  await database.close()
  return keys
}
