import type { Key } from '@ti/core/base/ids.ts'
import type { Quote } from '@ti/core/model/events.ts'
import { type DamagedState, markDamaged } from './damage.ts'
import { openStoreToRead, stateFile } from './open.ts'

/** Reads pools from the committed state, for a decoder in another thread of the owner's process. */
export function openPoolReader(dir: string) {
  // the owner learns of damage through the mark
  const onDamage = (error: DamagedState): void => markDamaged(stateFile(dir), error)
  const store = openStoreToRead(dir, { onDamage })
  // an empty snapshot releases the initial one, because the reader lives as long as the service
  store.snapshot(() => {})
  return {
    resolve: (pool: Key): { readonly mint: Key; readonly quote: Quote; readonly decimals: number } | undefined =>
      store.snapshot(() => {
        const id = store.tokenIdByPool(pool)
        const token = id === undefined ? undefined : store.token(id)
        return token && { mint: token.mint, quote: token.quote, decimals: token.decimals }
      }),
    close: store.close,
  }
}
