import type { Engine } from '@ti/core/engine/engine.ts'
import type { Changes } from '@ti/core/engine/state.ts'
import { decodeEntry } from '../log/codec.ts'
import type { Store } from '../store/store.ts'

export interface CommitParts {
  readonly engine: Engine
  readonly store: Pick<Store, 'transaction' | 'append' | 'write' | 'writeTrades'>
  /** Called before and after each entry is folded, within the commit: the state is not durable yet. */
  readonly beforeEntry?: ((bytes: Buffer) => void) | undefined
  readonly afterEntry?: (() => void) | undefined
  /**
   * Called within the commit, after folding and before any write except trade rows: the store has the previous state.
   */
  readonly beforeWrite?: ((changes: Changes) => void) | undefined
}

/**
 * Folds entries and commits them with the resulting state, all or nothing. Entries are decoded and rows written one
 * entry at a time, so that temporary objects of a large commit die young. `isNew`: the entries are not in the log yet.
 */
export function commitEntries(
  { engine, store, beforeEntry, afterEntry, beforeWrite }: CommitParts,
  entries: readonly Buffer[],
  isNew: boolean,
): void {
  store.transaction(() => {
    for (const bytes of entries) {
      const seq = engine.globals.seq + 1
      if (isNew) store.append(seq, bytes)
      beforeEntry?.(bytes)
      engine.apply(seq, decodeEntry(seq, bytes))
      store.writeTrades(engine.takeTrades())
      afterEntry?.()
    }
    const changes = engine.changes()
    beforeWrite?.(changes)
    store.write(changes)
  })
  engine.committed()
}
