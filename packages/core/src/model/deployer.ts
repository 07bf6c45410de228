import { atMost, flag, list, none, num, type Open, table } from './field.ts'

/** The record of deployers; units as in state.ts. */

/** One launch of a deployer. */
const LAUNCH = table('Launch', {
  drained: flag(1),
  rugged: flag(2),
  /** Token id. */
  token: num,
  /** Lamports: proceeds of the deployer's sales less the cost of its buys. */
  taken: num,
  /** Slots from the creation to its first sale, -1 if none. */
  firstSale: none,
  /** Bought in the slot of the creation, held by groups a minute later: millionths of supply, -1 if unknown. */
  bought: none,
  bundled: none,
})
export interface Launch extends Open<typeof LAUNCH> {}

/** Sums over all launches of a wallet, and its newest launches (methodology, section 6). */
export const DEPLOYER = table('Deployer', {
  drained: num,
  rugged: num,
  /** Lamports: proceeds of its own sales of its own tokens less the cost of its buys. */
  taken: num,
  /** Launches whose creation was seen, and millionths of supply bought in their first slots. */
  seen: num,
  bought: num,
  /** The number of those it sold, and the sum of slots until its first sales. */
  sales: num,
  saleSlots: num,
  /** Launches that were seen at the age of a minute, and millionths of supply in confirmed groups then. */
  minutes: num,
  bundled: num,
  /** Oldest first. */
  recent: atMost(20, list(LAUNCH)),
})
export interface Deployer extends Open<typeof DEPLOYER> {}
