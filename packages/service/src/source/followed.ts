import { type Counts, count } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { RawBlock, RawTransaction } from '@ti/core/model/raw.ts'
import { FOLLOW_HOLDERS_MAX } from '../config/options.ts'
import { createFollowedFunders, type FollowedFunders } from './followed-funders.ts'
import { createFollowedHolders, type FollowedHolders } from './followed-holders.ts'
import { createFollowedMints, type FollowedMints } from './followed-mints.ts'

/** newest launches whose transfers between wallets are followed, some 25 minutes of mainnet: 22 kB in a filter. The source
 * cuts the list to what an endpoint takes */
export const FOLLOWED_MINTS = 500

/** The accounts that a live source follows besides the launchpads' transactions, for transfers between wallets. */
export type Followed = ReturnType<typeof createFollowed>

/** `accounts` are those that the source follows in any case. */
export function createFollowed(
  accounts: readonly Key[],
  mints: FollowedMints = createFollowedMints(FOLLOWED_MINTS),
  holders: FollowedHolders = createFollowedHolders(FOLLOW_HOLDERS_MAX),
  funders: FollowedFunders = createFollowedFunders(),
) {
  const anyway = new Set(accounts)
  const isAskedAnyway = ({ keys }: RawTransaction): boolean => keys.some((key) => anyway.has(key) || mints.has(key))
  return {
    mints,
    holders,
    funders,
    /** a mint, a token account of a holder, or a wallet whose payments are followed */
    has: (key: Key): boolean => mints.has(key) || holders.has(key) || funders.has(key),
    /** number of changes so far */
    get version(): number {
      return mints.version + holders.version + funders.version
    },
    /**
     * Reads the payments of funders from a delivered block, and counts the transactions that came only because of holders. Returns
     * the block without the transactions that came only because of funders.
     */
    observe(block: RawBlock, counts: Counts): RawBlock {
      const ofFunders: RawTransaction[] = []
      const onlyOfFunders = new Set<RawTransaction>()
      for (const tx of block.transactions) {
        const isOfHolder = holders.observe(tx)
        const isOfFunder = funders.names(tx)
        if (isOfFunder) ofFunders.push(tx)
        if ((!isOfHolder && !isOfFunder) || isAskedAnyway(tx)) continue
        if (isOfHolder) count(counts, 'of_holders_only')
        else onlyOfFunders.add(tx)
      }
      if (ofFunders.length > 0) funders.observe(ofFunders, block.slot, counts)
      if (onlyOfFunders.size === 0) return block
      count(counts, 'of_funders_only', onlyOfFunders.size)
      return { ...block, transactions: block.transactions.filter((tx) => !onlyOfFunders.has(tx)) }
    },
  }
}
