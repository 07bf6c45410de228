import { randomBytes } from 'node:crypto'
import { LIMITS } from '../../config/limits.ts'
import { databaseTime } from './clock.ts'
import type { Database } from './database.ts'

/**
 * `page`: signs visitors' cookies, which open what is open to everybody who asks the page for one. `sign-in`: signs the
 * challenges that wallets sign in turn, and whoever makes one up still needs the wallet. `key-work`: signs what has to be
 * done for a key, and whoever makes one up saves himself that
 */
export type SecretName = 'page' | 'sign-in' | 'key-work'

/**
 * Random bytes that all nodes of a database have in common, made by the first that asks. They stand there as they are,
 * because whoever reads that database reads what they protect; so nothing that is worth money may depend on one.
 */
export async function sharedSecret({ sql: db }: Pick<Database, 'sql'>, name: SecretName): Promise<Uint8Array> {
  const value = randomBytes(LIMITS.sharedSecretBytes)
  await db
    .insertInto('secrets')
    .values({ name, value, created_at: databaseTime })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const found = db.selectFrom('secrets').select('value').where('name', '=', name)
  return (await found.executeTakeFirstOrThrow()).value
}
