import type { RecentTrade } from '../../model/bundles.ts'
import type { Partner, Wallet } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'
import type { Positions } from '../position-map.ts'

/**
 * At a wallet's first buy of a mint, records the wallets that first bought it within the 5 slots before. The later
 * wallet of a pair stores it, so each mint counts once. `recent` must be at most 5 slots old. Returns true if anything
 * was stored.
 */
export function rememberPartners(
  wallet: Wallet,
  slot: number,
  recent: readonly RecentTrade[],
  positions: Pick<Positions, 'get'>,
): boolean {
  let any = false
  for (let i = 0; i < recent.length; i++) {
    const { wallet: other, isBuy, slot: then } = recent[i]!
    if (!isBuy || other === wallet.id || positions.get(other)!.firstBuySlot !== then) continue
    if (boughtBefore(recent, i)) continue
    remember(wallet.partners, other, slot - then)
    any = true
  }
  return any
}

/** True if the wallet of trade `at` has an earlier buy in the list, which then was its first. */
function boughtBefore(recent: readonly RecentTrade[], at: number): boolean {
  const { wallet } = recent[at]!
  for (let i = 0; i < at; i++) if (recent[i]!.wallet === wallet && recent[i]!.isBuy) return true
  return false
}

function remember(partners: Partner[], wallet: number, slots: number): void {
  let partner = partners.find((known) => known.wallet === wallet)
  if (partner === undefined) {
    if (partners.length >= BUNDLES.partners && !forgetOne(partners)) return
    partner = { wallet, together: 0, follows: 0, behind: 0 }
    partners.push(partner)
  }
  partner.together++
  if (slots >= 1) partner.behind++
  if (slots >= 1 && slots <= BUNDLES.copySlots) partner.follows++
}

/** Makes room by dropping the oldest partner met only once. Returns false if there is none. */
function forgetOne(partners: Partner[]): boolean {
  const at = partners.findIndex(({ together }) => together === 1)
  if (at >= 0) partners.splice(at, 1)
  return at >= 0
}
