import type { Key } from '@ti/core/base/ids.ts'
import type { Quote } from '@ti/core/model/events.ts'
import { type DamagedState, markDamaged } from './damage.ts'
import { openStoreToRead, stateFile } from './open.ts'

/** What the committed state knows of a pool, for a decoder in another thread of the process that owns the store. */
interface PoolReader {
  resolve(pool: Key): { readonly mint: Key; readonly quote: Quote; readonly decimals: number } | undefined
  close(): Promise<void>
}

export function openPoolReader(dir: string): PoolReader {
  // the owner learns of it by the mark
  const onDamage = (error: DamagedState): void => markDamaged(stateFile(dir), error)
  const store = openStoreToRead(dir, { onDamage })
  // it lives as long as the service: between two questions nothing is held
  store.snapshot(() => {})
  return {
    resolve: (pool) =>
      store.snapshot(() => {
        const id = store.tokenIdByPool(pool)
        const token = id === undefined ? undefined : store.token(id)
        return token && { mint: token.mint, quote: token.quote, decimals: token.decimals }
      }),
    close: store.close,
  }
}
