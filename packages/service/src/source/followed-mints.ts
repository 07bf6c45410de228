import type { Key } from '@ti/core/base/ids.ts'

/** The newest launches: sources follow their transactions outside the launchpads too, as far as there is room. */
export interface FollowedMints {
  add(mint: Key): void
  has(key: Key): boolean
  /** newest last */
  newest(most: number): Key[]
  /** number of mints, and of additions */
  readonly size: number
  readonly version: number
}

/** `most` are kept, those added last. */
export function createFollowedMints(most: number): FollowedMints {
  const mints = new Set<Key>()
  let version = 0
  return {
    add(mint) {
      if (most === 0 || mints.has(mint)) return
      mints.add(mint)
      version++
      if (mints.size > most) for (const oldest of mints) return void mints.delete(oldest)
    },
    has: (key) => mints.has(key),
    newest: (count) => [...mints].slice(mints.size - Math.min(count, mints.size)),
    get size() {
      return mints.size
    },
    get version() {
      return version
    },
  }
}
