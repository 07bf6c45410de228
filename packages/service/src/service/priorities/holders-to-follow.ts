import { setImmediate } from 'node:timers/promises'
import { CLASS, isIn } from '@ti/core/engine/class-memory.ts'
import type { LiveToken } from '@ti/core/engine/resident.ts'
import type { Holding } from '../../source/followed-holders.ts'
import { type LargeHolding, largeHoldings, ownerOf, type WalletById } from './large-holdings.ts'

/** positions looked through at once, some ms */
export const VISITS = 5_000

/**
 * The `most` large holdings whose transfers are followed. Deployers and insiders come first, then the order is by share of the
 * token times the fourth root of the token's size. The loop yields to the event loop after some thousands of positions.
 */
export async function holdersToFollow(
  tokens: Iterable<LiveToken>,
  slot: number,
  wallet: WalletById,
  most: number,
): Promise<Holding[]> {
  const found: LargeHolding[] = []
  const cut = (to: number): void => {
    found.sort(byImportance)
    found.length = Math.min(found.length, to)
  }
  let visited = 0
  for (const holdings of largeHoldings(tokens, slot)) {
    found.push(...holdings)
    visited += holdings[0]?.live.positionCount ?? 0
    if (visited < VISITS) continue
    visited = 0
    cut(most)
    await setImmediate()
  }
  cut(most)
  return found.map(({ live, position }) => ({ mint: live.token.mint, owner: ownerOf(position, wallet).address }))
}

const isInside = ({ live, position }: LargeHolding): boolean =>
  position.wallet === live.token.deployer || isIn(position, CLASS.insiders)

const byImportance = (a: LargeHolding, b: LargeHolding): number =>
  Number(isInside(b)) - Number(isInside(a)) ||
  b.worth - a.worth ||
  b.live.token.id - a.live.token.id ||
  a.position.wallet - b.position.wallet
