import { FEE_CHANGE_MAX, type FeeChange } from './events.ts'
import {
  atMost,
  flag,
  key,
  keys,
  list,
  none,
  num,
  numbers,
  type Open,
  orNull,
  sig,
  small,
  table,
  when,
} from './field.ts'

/** Who launched a token and who gets its creator's fees. */

const CHANGE = table('LaunchChange', {
  how: small<FeeChange>(FEE_CHANGE_MAX),
  /** The creator from then on; null for none, and if the owners of the fees changed. */
  key: orNull(1, key),
  slot: num,
  sig: when(2, sig),
})
export interface LaunchChange extends Open<typeof CHANGE> {}

export const LAUNCH = table('TokenLaunch', {
  /** The creator is known to have signed the creation. */
  signed: flag(1),
  /** Payer of the creation's network fee; null if unknown. */
  payer: orNull(2, key),
  /** The key that gets the creator's fees now; null if unknown, or none. */
  creator: orNull(4, key),
  /** Slot of the creation, -1 while unknown, and its signature; while unknown, the signature by which the token was first met. */
  slot: none,
  sig: when(8, sig),
  /** Owners of shared fees and their basis points; empty if there is no sharing configuration. */
  owners: atMost(10, keys),
  shares: atMost(10, numbers),
  /** Oldest first; empty while the creator is the one that the creation named. */
  changes: atMost(16, list(CHANGE)),
})
export interface TokenLaunch extends Open<typeof LAUNCH> {}
