import type { Key } from '@ti/core/base/ids.ts'
import type { Engine } from '@ti/core/engine/engine.ts'
import type { LiveToken } from '@ti/core/engine/resident.ts'
import { DUP } from '@ti/core/model/metadata.ts'
import type { MissingFacts } from '../../observe/types.ts'
import { FOLLOWED_MINTS } from '../../source/followed.ts'
import { deployersToTrace } from './deployers-to-trace.ts'
import { tokensToCheck } from './tokens-to-check.ts'
import { deployersAtRisk, earlyBuyers, largestHolders, type WithoutFunder } from './wallets-without-funder.ts'

/** milliseconds between two searches for large holdings, and newest tokens whose first buyers come next */
const HOLDINGS_MS = 2_000
export const NEW_TOKENS = 300

/** The milliseconds for which an order of tokens stays in use, and thus the longest wait of a launch for its first look. */
const ORDER_MS = 1_000

type Asked = Pick<Engine, 'tokens' | 'wallet' | 'globals'>

/**
 * Lists what observers can find out about the live tokens. A trade makes a token as important as one that is a slot younger.
 */
export function createMissingFacts({ tokens, wallet, globals }: Asked, now: () => number): MissingFacts {
  let order: LiveToken[] = []
  let orderedMs = Number.NEGATIVE_INFINITY

  function inOrder(): readonly LiveToken[] {
    if (now() - orderedMs >= ORDER_MS) {
      order = [...tokens.live()].sort((a, b) => importance(b) - importance(a))
      orderedMs = now()
    }
    return order
  }

  /** Returns at most `limit` results of `pick` over the tokens. */
  function list<T>(limit: number, pick: (live: LiveToken) => T | null): T[] {
    const found: T[] = []
    for (const live of inOrder()) {
      if (found.length >= limit) break
      const one = pick(live)
      if (one !== null) found.push(one)
    }
    return found
  }

  let first: readonly WithoutFunder[] = []
  let firstMs = Number.NEGATIVE_INFINITY

  function askedFirst(): readonly WithoutFunder[] {
    if (now() - firstMs >= HOLDINGS_MS) {
      first = [deployersAtRisk, largestHolders].flatMap((order) => order(tokens.live(), globals.slot, wallet))
      firstMs = now()
    }
    return first
  }

  /** Yields wallets in the order in which they are asked for. Some appear more than once. */
  function* withoutFunder(): Generator<WithoutFunder> {
    yield* askedFirst()
    yield* earlyBuyers(inOrder().slice(0, NEW_TOKENS), wallet)
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
    tokensToCheck: (limit) => tokensToCheck(tokens.live(), globals.slot).slice(0, limit),
    deployersToTrace: (limit) => deployersToTrace(tokens.live(), globals.slot, wallet).slice(0, limit),
    tokensWithoutLaunch: (limit) =>
      list(limit, ({ token: { mint, launch } }) => (launch.slot < 0 ? { mint, met: launch.sig } : null)),
    slot: () => globals.slot,
    walletsWithoutFunder(limit) {
      const found = new Map<Key, WithoutFunder>()
      for (const one of withoutFunder()) {
        if (found.size >= limit) break
        if (!found.has(one.wallet)) found.set(one.wallet, one)
      }
      return [...found.values()]
    },
  }
}

const importance = ({ token }: LiveToken): number => token.createdSlot + token.trades

/** The launches that a live source keeps following after a restart, the newest last. */
export const newestMints = ({ tokens }: Pick<Engine, 'tokens'>): Key[] =>
  [...tokens.live()]
    .map(({ token }) => token)
    .sort((a, b) => a.createdSlot - b.createdSlot)
    .slice(-FOLLOWED_MINTS)
    .map(({ mint }) => mint)
