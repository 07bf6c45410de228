import type { Kysely } from 'kysely'
import type { Schema } from '../sql/schema.ts'

/** A used nonce, stored until it would expire. */
export interface UsedNonce {
  readonly nonce: string
  /** base58 */
  readonly wallet: string
  /** signed text; empty if nothing was signed */
  readonly message: string
  readonly expiresMs: number
}

/** Stores a nonce; false if it was used before. Of two concurrent uses, one inserts the row. */
export async function useNonce(db: Kysely<Schema>, used: UsedNonce): Promise<boolean> {
  const { nonce, wallet, message, expiresMs } = used
  const written = await db
    .insertInto('challenges')
    .values({ nonce, wallet, message, expires_at: new Date(expiresMs) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('nonce')
    .executeTakeFirst()
  return written !== undefined
}

/**
 * Deletes expired nonces, which fail their own expiry check. Runs outside of transactions, where two of them could deadlock.
 */
export async function forgetNonces(db: Kysely<Schema>, nowMs: number): Promise<void> {
  await db.deleteFrom('challenges').where('expires_at', '<=', new Date(nowMs)).execute()
}
