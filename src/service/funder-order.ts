import type { Key } from '../base/ids.ts'
import { LIMITS } from '../config/limits.ts'
import type { LiveToken } from '../engine/resident.ts'
import { hasPrice } from '../engine/units.ts'
import type { Position, Wallet } from '../model/state.ts'

/** Whose first funder to look for next: an order over what the state has now, not a queue. */
export interface WithoutFunder {
  readonly wallet: Key
  /** slot by which it had tokens: a node whose history of it begins later does not have its beginning */
  readonly before: number
}

type WalletById = (id: number) => Wallet

/** SOL behind a token, lamports: what is at risk there. Zero where the quote has no price or no trade was seen. */
const sizeOf = ({ token }: LiveToken): number =>
  hasPrice(token) && token.lastTradeSlot >= 0 ? Math.max(0, token.quoteReserve - token.startQuote) : 0

/**
 * Holders of at least a quarter of a percent of supply, in tokens with at least ten holders, by how much the answer matters: the sum over
 * these tokens of the share that the wallet holds times the fourth root of the token's size. By the size itself, large pools would
 * take the whole budget for their small holders while launches go by (measured: docs/operating.md).
 *
 * Left out is who traded so often that its first transaction lies beyond the pages that are read.
 */
export function largestHolders(tokens: Iterable<LiveToken>, slot: number, wallet: WalletById): WithoutFunder[] {
  const found = new Map<number, WithoutFunder & { worth: number }>()
  let visits = LIMITS.funderPositions
  for (const live of mostAtRisk(tokens, slot)) {
    visits -= live.positionCount
    if (visits < 0) continue
    const { owned, supply } = live.token
    const size = Math.sqrt(Math.sqrt(sizeOf(live)))
    const least = supply * LIMITS.funderHolderShare
    for (const position of live.positions.values()) {
      const { balance } = position
      if (balance <= 0 || balance < least) continue
      const owner = ownerOf(position, wallet)
      if (owner.funder >= 0 || owner.trades >= LIMITS.funderPages * LIMITS.funderPage) continue
      const known = found.get(owner.id)
      const worth = (known?.worth ?? 0) + (balance / owned) * size
      const before = Math.min(known?.before ?? Number.POSITIVE_INFINITY, hadBy(position))
      found.set(owner.id, { wallet: owner.address, before, worth })
    }
  }
  return [...found.values()].sort((a, b) => b.worth - a.worth || (a.wallet < b.wallet ? -1 : 1))
}

/** The largest tokens with enough holders. Of those that do not trade the positions leave memory: they are not read for this. */
function mostAtRisk(tokens: Iterable<LiveToken>, slot: number): LiveToken[] {
  const sized: { live: LiveToken; size: number }[] = []
  for (const live of tokens) {
    const { holders, owned, lastTradeSlot } = live.token
    if (owned <= 0 || holders < LIMITS.funderHolders || slot - lastTradeSlot > LIMITS.funderQuietSlots) continue
    sized.push({ live, size: sizeOf(live) })
  }
  sized.sort((a, b) => b.size - a.size || b.live.token.id - a.live.token.id)
  return sized.slice(0, LIMITS.funderTokens).map(({ live }) => live)
}

const ownerOf = ({ owner, wallet: id }: Position, wallet: WalletById): Wallet =>
  owner === null || owner.stale ? wallet(id) : owner

const hadBy = ({ firstBuySlot, acquiredSlot }: Position): number =>
  firstBuySlot >= 0 ? firstBuySlot : Math.ceil(acquiredSlot)

/** The first buyers of each token, whether they still hold it or not. */
export function* earlyBuyers(tokens: Iterable<LiveToken>, wallet: WalletById): Generator<WithoutFunder> {
  for (const { positions } of tokens) {
    let buyers = 0
    for (const position of positions.values()) {
      if (position.firstBuySlot < 0) continue
      const owner = ownerOf(position, wallet)
      if (owner.funder < 0) yield { wallet: owner.address, before: position.firstBuySlot }
      if (++buyers >= LIMITS.funderEarlyBuyers) break
    }
  }
}
