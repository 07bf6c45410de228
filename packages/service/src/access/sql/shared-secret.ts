import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

/** bytes of a secret that all nodes share: as many as its hash has */
const SHARED_SECRET_BYTES = 32

/**
 * `page` signs visitors' cookies, which grant only what every visitor may see. `sign-in` signs the challenges that wallets sign
 * in turn; a forged one still needs the wallet. `key-work` signs tasks of proof of work; a forged one only saves that work.
 * `stream` signs tokens that open streams; a forged one needs the digest of a key, and opens what its forger can read in the
 * database or on the chain.
 */
type SecretName = 'page' | 'sign-in' | 'key-work' | 'stream'

/**
 * Returns random bytes shared by all nodes, created on first use. They are stored in clear, because a reader of the database
 * can read what they protect; so nothing worth money may depend on them.
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
