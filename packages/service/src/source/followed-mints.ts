import type { Key } from '@ti/core/base/ids.ts'

/** The newest launches: sources follow their transactions outside the launchpads too, as far as there is room. */
export type FollowedMints = ReturnType<typeof createFollowedMints>

/** `most` are kept, those added last. */
export function createFollowedMints(most: number) {
  const mints = new Set<Key>()
  let version = 0
  return {
    add(mint: Key): void {
      if (most === 0 || mints.has(mint)) return
      mints.add(mint)
      version++
      if (mints.size > most) for (const oldest of mints) return void mints.delete(oldest)
    },
    has: (key: Key): boolean => mints.has(key),
    /** newest last */
    newest: (count: number): Key[] => [...mints].slice(mints.size - Math.min(count, mints.size)),
    /** number of mints, and of additions */
    get size(): number {
      return mints.size
    },
    get version(): number {
      return version
    },
  }
}
