import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

/** bytes of a secret that all nodes share: as many as its hash has */
const SHARED_SECRET_BYTES = 32

/**
 * `page` signs visitors' cookies, which give access only to what every visitor may see. `sign-in` signs the challenges that
 * wallets sign in turn; a forged challenge still needs the wallet. `key-work` signs tasks of proof of work; forging one only
 * saves that work.
 */
type SecretName = 'page' | 'sign-in' | 'key-work'

/**
 * Random bytes that all nodes of a database share, created by the first that asks. They are stored in clear, because a
 * reader of that database also reads what they protect; so nothing worth money may depend on one.
 */
export async function sharedSecret({ sql: db }: Pick<Database, 'sql'>, name: SecretName): Promise<Uint8Array> {
  const value = randomBytes(SHARED_SECRET_BYTES)
  await db
    .insertInto('secrets')
    .values({ name, value, created_at: new Date() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const found = db.selectFrom('secrets').select('value').where('name', '=', name)
  return (await found.executeTakeFirstOrThrow()).value
}
