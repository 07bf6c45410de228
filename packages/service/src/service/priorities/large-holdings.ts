import type { LiveToken } from '@ti/core/engine/resident.ts'
import { hasPrice } from '@ti/core/engine/units.ts'
import type { Position, Wallet } from '@ti/core/model/state.ts'

/** holders a token must have, share of supply that makes a holding large, tokens searched for such holdings, slots since their
 * last trade, and positions */
export const HOLDERS = 10
const HOLDER_SHARE = 0.0025
const TOKENS = 1_000
export const QUIET_SLOTS = 750
const POSITIONS = 400_000

export type WalletById = (id: number) => Wallet

/** A holding of at least a quarter of a percent of the supply, in a token that trades and has enough holders. */
export interface LargeHolding {
  readonly live: LiveToken
  readonly position: Position
  /** The share of the holders' total times the fourth root of the token's size. */
  readonly worth: number
}

/**
 * The SOL behind a token in lamports, which is what its holders can lose. Zero if the quote has no price or no trade was seen.
 */
const sizeOf = ({ token }: LiveToken): number =>
  hasPrice(token) && token.lastTradeSlot >= 0 ? Math.max(0, token.quoteReserve - token.startQuote) : 0

/** Yields large holdings token by token, the largest token first, within POSITIONS. */
export function* largeHoldings(tokens: Iterable<LiveToken>, slot: number): Generator<LargeHolding[]> {
  let visits = POSITIONS
  for (const live of mostAtRisk(tokens, slot)) {
    visits -= live.positionCount
    if (visits >= 0) yield holdingsOf(live)
  }
}

function holdingsOf(live: LiveToken): LargeHolding[] {
  const { owned, supply } = live.token
  const size = Math.sqrt(Math.sqrt(sizeOf(live)))
  const least = supply * HOLDER_SHARE
  const found: LargeHolding[] = []
  for (const position of live.positions.held()) {
    const { balance } = position
    if (balance > 0 && balance >= least) found.push({ live, position, worth: (balance / owned) * size })
  }
  return found
}

/**
 * The largest tokens with enough holders. The positions of tokens that do not trade leave memory, and are not read again for
 * this.
 */
function mostAtRisk(tokens: Iterable<LiveToken>, slot: number): LiveToken[] {
  const sized: { live: LiveToken; size: number }[] = []
  for (const live of tokens) {
    const { holders, owned, lastTradeSlot } = live.token
    if (owned <= 0 || holders < HOLDERS || slot - lastTradeSlot > QUIET_SLOTS) continue
    sized.push({ live, size: sizeOf(live) })
  }
  sized.sort((a, b) => b.size - a.size || b.live.token.id - a.live.token.id)
  return sized.slice(0, TOKENS).map(({ live }) => live)
}

export const ownerOf = ({ owner, wallet: id }: Position, wallet: WalletById): Wallet =>
  owner === null || owner.stale ? wallet(id) : owner
