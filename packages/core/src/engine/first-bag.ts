import type { TradeEvent } from '../model/events.ts'
import type { Token } from '../model/state.ts'
import { isLaunchSeen } from './unseen.ts'

/** The first bag: what was bought at the creation, linked to the launcher or not (methodology, section 1). */

/** Counts a buy in the slot of a creation that was seen. */
export function countFirstBag(token: Token, { isBuy, sig, tokenAmount }: TradeEvent, slot: number): void {
  if (!isBuy || slot !== token.createdSlot || !token.createdKnown) return
  token.slotBag += tokenAmount
  if (sig === token.launch.sig) token.birthBag += tokenAmount
}

const pct = (tokens: number, supply: number): number => Math.min(100, (100 * tokens) / supply)

/** Percent of supply bought in the slot of the creation; null if the launch was not seen or the supply is unknown. */
export const firstBagPct = (token: Token): number | null =>
  isLaunchSeen(token) && token.supply > 0 ? pct(token.slotBag, token.supply) : null

/** Likewise, in the transaction of the creation. */
export const birthBagPct = (token: Token): number | null =>
  isLaunchSeen(token) && token.supply > 0 ? pct(token.birthBag, token.supply) : null
