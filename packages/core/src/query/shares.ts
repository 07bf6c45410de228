import { keyToBase58 } from '../base/base58.ts'
import { confirmedGroup } from '../engine/bundles/groups.ts'
import { CLASSES } from '../engine/constants.ts'
import * as history from '../engine/history.ts'
import { DIRTY, type DirtyReason, dirtyReasons, isAlphaHands, isJeet } from '../engine/reading/classes.ts'
import type { Market } from '../engine/reading/market.ts'
import { ownerOf, type Scanned } from '../engine/reading/scan.ts'
import { isSmartAt } from '../engine/smart.ts'
import { holderMinimum, priceOf } from '../engine/tokens.ts'
import { isInProfit } from '../engine/units.ts'
import type { Group } from '../model/bundles.ts'
import type { Position, Wallet } from '../model/state.ts'
import { groupName } from './bundle-name.ts'
import { createLargest } from './people/largest.ts'
import type { Person } from './people/person.ts'
import { percent, share } from './round.ts'

/** The largest holders behind each share of the owned supply. Positions may be added in any pieces, each once. */
export interface Shares {
  add(positions: Iterable<Position>): void
  /** `owned`: base units of all holders together. */
  of(owned: number): Record<string, ExplainedShare>
  /** The largest holders of all, in descending order. */
  largest(): readonly Person[]
}

interface ExplainedShare {
  readonly pct: number
  readonly wallets: number
  readonly largest: { readonly wallet: string; readonly pct: number; readonly why?: readonly string[] }[]
}

/** Decides whether a holder counts towards a share, and gives the reasons where they need explaining. */
interface Test {
  counts(position: Position, wallet: Wallet, group: Group | null): boolean
  why?(position: Position, wallet: Wallet, group: Group | null): string[]
}

interface Found {
  readonly wallet: number
  readonly address: string
  readonly balance: number
  readonly why: readonly string[]
}

function testsOf({ token }: Scanned, market: Market): Record<string, Test> {
  const { slot, solUsd } = market
  const price = priceOf(token)
  const populationRate = history.populationHealthyRate(market.population)
  const dirty = (position: Position, wallet: Wallet, group: Group | null): number =>
    dirtyReasons(token, position, wallet, group !== null, market)
  const impactBelow = (edge: number): Test => ({
    counts: (_, wallet) => (history.sellImpact(wallet) ?? edge) < edge,
    why: (_, wallet) => [`sell impact ${percent(history.sellImpact(wallet)!)}`],
  })
  return {
    bundle_pct: {
      counts: (_, __, group) => group !== null,
      why: (_, __, group) => [groupName(token, group!, market.wallet).id],
    },
    dirty_pct: {
      counts: (...holder) => dirty(...holder) !== 0,
      why(...holder) {
        const bits = dirty(...holder)
        return (Object.keys(DIRTY) as DirtyReason[]).filter((reason) => (bits & DIRTY[reason]) !== 0)
      },
    },
    dumpers_pct: impactBelow(CLASSES.dumperImpact),
    chart_nukers_pct: impactBelow(CLASSES.nukerImpact),
    jeets_pct: {
      counts: (_, wallet) => isJeet(wallet),
      why: (_, wallet) => [`median hold ${history.medianHoldSlots(wallet)} slots`],
    },
    alpha_hands_pct: {
      counts: (_, wallet) => isAlphaHands(wallet, populationRate),
      why: (_, wallet) => [`${wallet.picksHealthy} of ${wallet.picksResolved} picks healthy`],
    },
    diamond_hands_pct: { counts: ({ acquiredSlot }) => slot - acquiredSlot >= CLASSES.diamondSlots },
    in_profit_pct: { counts: (position) => isInProfit(token, position, price, solUsd) },
    smart_wallets: { counts: (_, wallet) => isSmartAt(wallet, slot) },
  }
}

/** `most`: wallets named per share; the rest is only counted. */
export function createShares(live: Scanned, market: Market, most: number): Shares {
  const minimum = holderMinimum(live.token)
  const shares = Object.entries(testsOf(live, market)).map(([name, test]) => ({
    name,
    test,
    held: 0,
    count: 0,
    largest: [] as Found[],
  }))

  const all = createLargest(live, market)

  /** largest first; equal balances by wallet id */
  function keep(largest: Found[], position: Position, owner: Wallet, why: () => readonly string[]): void {
    const { balance, wallet } = position
    const isAhead = (other: Found): boolean =>
      balance > other.balance || (balance === other.balance && wallet < other.wallet)
    if (largest.length >= most && !(most > 0 && isAhead(largest[most - 1]!))) return
    let at = largest.length
    while (at > 0 && isAhead(largest[at - 1]!)) at--
    largest.splice(at, 0, { wallet, address: keyToBase58(owner.address), balance, why: why() })
    if (largest.length > most) largest.pop()
  }

  return {
    add(positions) {
      for (const position of positions) {
        if (position.balance < minimum) continue
        const owner = ownerOf(position, market)
        const group = position.group < 0 ? null : confirmedGroup(live.bundles, position)
        all.add(position, owner, group)
        for (const one of shares) {
          if (!one.test.counts(position, owner, group)) continue
          one.count++
          one.held += position.balance
          keep(one.largest, position, owner, () => one.test.why?.(position, owner, group) ?? [])
        }
      }
    },
    largest: all.people,
    of: (owned) =>
      Object.fromEntries(
        shares.map(({ name, held, count, largest }) => [
          name,
          {
            pct: share(held, owned),
            wallets: count,
            largest: largest.map(({ address, balance, why }) => {
              const row = { wallet: address, pct: share(balance, owned) }
              return why.length > 0 ? { ...row, why } : row
            }),
          },
        ]),
      ),
  }
}
