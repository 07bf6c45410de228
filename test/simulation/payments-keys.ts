import { randomBytes } from 'node:crypto'
import { base58Encode } from '@ti/core/base/base58.ts'
import { createAccounts } from '@ti/service/access/accounts/accounts.ts'
import { beginAccounts } from '@ti/service/access/sql/accounts-file.ts'
import { openDatabase } from '@ti/service/access/sql/database.ts'

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
