import type { Key } from '../base/ids.ts'
import { LIMITS } from '../config/limits.ts'
import type { Engine } from '../engine/engine.ts'
import type { LiveToken } from '../engine/resident.ts'
import { DUP, type Wallet } from '../model/state.ts'
import type { World } from '../observe/types.ts'

/** buyers of a token whose first funder is looked for, and tokens that are searched for them at each question */
const EARLY_BUYERS = 20
const TOKENS_SEARCHED = 300
/** milliseconds for which an order of tokens is good enough: a launch waits no longer for its first look */
const ORDER_MS = 1_000

/** What observers may know of the live tokens. A trade makes a token as important as one that is a slot younger. */
export function createWorld({ tokens, wallet }: Pick<Engine, 'tokens' | 'wallet'>, now: () => number): World {
  let order: LiveToken[] = []
  let orderedMs = Number.NEGATIVE_INFINITY

  function inOrder(): readonly LiveToken[] {
    if (now() - orderedMs >= ORDER_MS) {
      order = [...tokens.live()].sort((a, b) => importance(b) - importance(a))
      orderedMs = now()
    }
    return order
  }

  /** At most `limit` of what `pick` makes of tokens. */
  function list<T>(limit: number, pick: (live: LiveToken) => T | null): T[] {
    const found: T[] = []
    for (const live of inOrder()) {
      if (found.length >= limit) break
      const one = pick(live)
      if (one !== null) found.push(one)
    }
    return found
  }

  function* earlyBuyers({ positions }: LiveToken): Generator<{ owner: Wallet; before: number }> {
    let buyers = 0
    for (const position of positions.values()) {
      if (position.firstBuySlot < 0) continue
      const { owner } = position
      yield { owner: owner === null || owner.stale ? wallet(position.wallet) : owner, before: position.firstBuySlot }
      if (++buyers >= EARLY_BUYERS) return
    }
  }

  return {
    tokensWithoutMetadata: (limit) =>
      list(limit, ({ token: { mint, uri, metadata } }) => (metadata === null && uri !== '' ? { mint, uri } : null)),
    tokensWithoutImageHash: (limit) =>
      list(limit, ({ token: { mint, metadata, dup } }) => {
        const image = metadata?.image ?? null
        return image !== null && dup.image === DUP.unknown ? { mint, image } : null
      }),
    tokensUnpaid: (limit) => list(limit, ({ token: { mint, dexPaidTime } }) => (dexPaidTime === 0 ? { mint } : null)),
    earlyBuyersWithoutFunder(limit) {
      const found = new Map<string, { wallet: Wallet['address']; before: number }>()
      for (const live of inOrder().slice(0, TOKENS_SEARCHED)) {
        for (const { owner, before } of earlyBuyers(live)) {
          if (owner.funder >= 0 || found.has(owner.address)) continue
          found.set(owner.address, { wallet: owner.address, before })
          if (found.size >= limit) return [...found.values()]
        }
      }
      return [...found.values()]
    },
  }
}

const importance = ({ token }: LiveToken): number => token.createdSlot + token.trades

/** Launches that a live source goes on following after a restart, newest last. */
export const newestMints = ({ tokens }: Pick<Engine, 'tokens'>): Key[] =>
  [...tokens.live()]
    .map(({ token }) => token)
    .sort((a, b) => a.createdSlot - b.createdSlot)
    .slice(-LIMITS.followedMints)
    .map(({ mint }) => mint)
