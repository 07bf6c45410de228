import type { Kysely } from 'kysely'
import type { Schema } from '../sql/schema.ts'

/** A nonce of ours whose use is written down, until it would have expired by itself. */
export interface UsedNonce {
  readonly nonce: string
  /** base58 */
  readonly wallet: string
  /** what was signed with it; empty where nothing was */
  readonly message: string
  readonly expiresMs: number
}

/** False where it was used before: of two that come with the same nonce, one writes its row. */
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

/** Those that have expired say so themselves. In no transaction: two of them would wait for each other's rows. */
export async function forgetNonces(db: Kysely<Schema>, nowMs: number): Promise<void> {
  await db.deleteFrom('challenges').where('expires_at', '<=', new Date(nowMs)).execute()
}
