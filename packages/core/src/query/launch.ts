import { keyToBase58, sigToBase58 } from '../base/base58.ts'
import { isOnCurve } from '../base/curve.ts'
import { isDerived } from '../base/derived.ts'
import { type Key, NO_SIG, type Sig } from '../base/ids.ts'
import { FEE_CHANGE, type FeeChange } from '../model/events.ts'
import type { LaunchChange, TokenLaunch } from '../model/launch.ts'
import { PUMP, PUMP_FEES } from '../model/programs.ts'
import type { Wallet } from '../model/state.ts'
import type { TokenView } from './view.ts'

/** A token’s launcher, whom it names as its creator, and who gets the creator's fees. */
export type LaunchAnswer = ReturnType<typeof renderLaunch>

type ChangeName = keyof typeof FEE_CHANGE
export const CHANGE_NAMES: ReadonlyMap<FeeChange, ChangeName> = new Map<FeeChange, ChangeName>(
  Object.entries(FEE_CHANGE).map(([name, how]) => [how, name as ChangeName]),
)

const BPS_PER_PERCENT = 100

export function renderLaunch({ live, wallet }: TokenView) {
  const { mint, deployer, launch } = live.token
  const { payer, creator, signed, slot, sig, owners, shares, changes } = launch
  const isSeen = slot >= 0
  const named = isSeen ? namedIn(launch) : null
  const launcher = deployer < 0 ? null : wallet(deployer).address
  return {
    launcher: launcher && keyToBase58(launcher),
    fee_payer: payer && keyToBase58(payer),
    slot: isSeen ? slot : null,
    signature: isSeen ? signature(sig) : null,
    creator: creator && keyToBase58(creator),
    creator_kind: creator && (creator === launcher ? 'wallet' : creatorKind(mint, creator)),
    named: named && { wallet: keyToBase58(named), signed },
    fee_owners: owners.map((owner, i) => ({ address: keyToBase58(owner), share_pct: shares[i]! / BPS_PER_PERCENT })),
    changes: changes.map(({ how, key, ...place }) => ({
      what: CHANGE_NAMES.get(how)!,
      address: key && keyToBase58(key),
      slot: place.slot,
      signature: signature(place.sig),
    })),
  }
}

const signature = (sig: Sig): string | null => (sig === NO_SIG ? null : sigToBase58(sig))

/** The creator that the creation named; null if none, or if its change is no longer listed. */
function namedIn({ creator, changes }: TokenLaunch): Key | null {
  const first = changes.find(({ how }: LaunchChange) => how < FEE_CHANGE.shares_set)
  return first === undefined ? creator : first.how === FEE_CHANGE.created ? first.key : null
}

/**
 * The record of the wallet that the creation names as its creator without its signature; null if it has none, or if it is
 * the launcher. Nothing of the token counts for or against it.
 */
export function creatorRecord({ launcher, named }: LaunchAnswer, find: (address: string) => Wallet | null) {
  if (named === null || named.signed || named.wallet === launcher) return null
  const other = find(named.wallet)
  if (other === null) return null
  const { name, launches, kol, smart, agent, exchange } = other
  const isKnown = launches > 0 || kol || smart || agent || exchange
  return isKnown ? { wallet: named.wallet, name, launched: launches } : null
}

/** A wallet, or the account of a program: pump derives one a mint if fees go to the holders or are shared. */
export function creatorKind(mint: Key, creator: Key): 'wallet' | 'holder_rewards' | 'fee_sharing' | 'program' {
  if (isOnCurve(creator)) return 'wallet'
  if (isDerived(creator, `holder-rewards${mint}`, PUMP)) return 'holder_rewards'
  return isDerived(creator, `sharing-config${mint}`, PUMP_FEES) ? 'fee_sharing' : 'program'
}
