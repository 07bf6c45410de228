import type { Key } from '@ti/core/base/ids.ts'
import type { LiveToken } from '@ti/core/engine/resident.ts'
import type { Token, Wallet } from '@ti/core/model/state.ts'

/** holders that a launch must have, and slots after it in which its deployer is traced */
export const TRACED_HOLDERS = 10
export const AGE_SLOTS = 750

/** Deployers of young launches with enough holders, whose outgoing SOL is not known yet. The largest market comes first. */
export function deployersToTrace(
  tokens: Iterable<LiveToken>,
  slot: number,
  wallet: (id: number) => Wallet,
): { readonly deployer: Key; readonly createdSlot: number }[] {
  const young: Token[] = []
  for (const { token } of tokens) if (isYoung(token, slot)) young.push(token)
  return young
    .sort((a, b) => b.mcap - a.mcap || b.id - a.id)
    .map(({ deployer, createdSlot }) => ({ deployer: wallet(deployer).address, createdSlot }))
}

const isYoung = ({ createdKnown, createdSlot, deployer, holders, dead }: Token, slot: number): boolean =>
  createdKnown && !dead && deployer >= 0 && holders >= TRACED_HOLDERS && slot - createdSlot <= AGE_SLOTS
