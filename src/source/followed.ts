import { type Counts, count } from '../base/counts.ts'
import type { Key } from '../base/ids.ts'
import { LIMITS } from '../config/limits.ts'
import type { RawBlock, RawTransaction } from '../model/raw.ts'
import { createFollowedHolders, type FollowedHolders } from './followed-holders.ts'
import { createFollowedMints, type FollowedMints } from './followed-mints.ts'

/** What a live source is asked for besides the launchpads' transactions: what wallets send each other. */
export interface Followed {
  readonly mints: FollowedMints
  readonly holders: FollowedHolders
  /** a mint, or a token account of a holder */
  has(key: Key): boolean
  /** how often something changed */
  readonly version: number
  /** Looks at a block that was delivered; counts transactions that it would not have without the holders. */
  observe(block: RawBlock, counts: Counts): void
}

/** `accounts` are asked for anyway. */
export function createFollowed(
  accounts: readonly Key[],
  mints: FollowedMints = createFollowedMints(LIMITS.followedMints),
  holders: FollowedHolders = createFollowedHolders(LIMITS.followedHolders),
): Followed {
  const anyway = new Set(accounts)
  const isAskedAnyway = ({ keys }: RawTransaction): boolean => keys.some((key) => anyway.has(key) || mints.has(key))
  return {
    mints,
    holders,
    has: (key) => mints.has(key) || holders.has(key),
    get version() {
      return mints.version + holders.version
    },
    observe({ transactions }, counts) {
      for (const tx of transactions) {
        if (holders.observe(tx) && !isAskedAnyway(tx)) count(counts, 'of_holders_only')
      }
    },
  }
}
