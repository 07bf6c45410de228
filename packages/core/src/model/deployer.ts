import { flag, list, none, num, type Open, table } from './field.ts'

/** What deployers did, in the words of state.ts. */

/** One launch of a deployer. */
const LAUNCH = table('Launch', {
  drained: flag(1),
  rugged: flag(2),
  /** token id */
  token: num,
  /** lamports that the deployer's sales brought less what its buys cost */
  taken: num,
  /** slots from the creation to its first sale, -1 none */
  firstSale: none,
  /** bought in the slot of the creation, and held by confirmed groups a minute later: millionths of supply, -1 unknown */
  bought: none,
  bundled: none,
})
export interface Launch extends Open<typeof LAUNCH> {}

/** Sums over all launches of a wallet, and the newest of them: methodology, section 6. */
export const DEPLOYER = table('Deployer', {
  drained: num,
  rugged: num,
  /** lamports: what sales brought less what buys cost, by itself in its own tokens */
  taken: num,
  /** launches whose creation was seen, and millionths of supply it bought in their first slots */
  seen: num,
  bought: num,
  /** of these the ones it sold, and the slots that took */
  sales: num,
  saleSlots: num,
  /** launches seen to be a minute old, and millionths of supply in confirmed groups then */
  minutes: num,
  bundled: num,
  /** at most 20, oldest first */
  recent: list(LAUNCH),
})
export interface Deployer extends Open<typeof DEPLOYER> {}
