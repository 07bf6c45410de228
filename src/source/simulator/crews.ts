import { origin } from './funding.ts'
import type { Random } from './random.ts'
import { PROFILES, type Traders, type Wallet } from './traders.ts'
import type { BundleType } from './truth.ts'

/** Wallets under one hand: 3 to 12. */
const MEMBERS = { min: 3, max: 12 }
/** Groups that come back launch after launch. */
const CREWS = PROFILES.crew.wallets / MEMBERS.max
/** Part of the groups that come back; the others use new wallets, once. */
const RECURS = 0.55
/** Slots before the first use at which wallets get their first SOL: up to an hour or two. */
const FUNDED = { from: 60, mean: 4_000, apart: 150 }

/** Part of the groups of a kind that have one funder, and of those the part that is two hops long. */
const FUNDER: Readonly<Record<BundleType, readonly [number, number]>> = {
  same_tx: [0.3, 0.2],
  same_slot: [0.3, 0.2],
  spread: [0.5, 0.2],
  funder_chain: [1, 0.5],
  copied_amounts: [0.5, 0.2],
  paid_fees: [0.2, 0],
  transfer: [0.3, 0.2],
  farm: [1, 0.4],
}

export interface Crews {
  /** Members of a group for one launch, at least two; `boss`: who funds them, where one does */
  gather(type: BundleType, boss: Wallet | null, slot: number): Wallet[]
  /** The helpers of the n-th serial rugger: partly old hands, partly new wallets. */
  helpers(rugger: Wallet, slot: number): Wallet[]
}

export function createCrews(traders: Traders, random: Random): Crews {
  /** Kind of a recurring group: what it was first used for, so that it keeps its ways. */
  const kinds = new Map<number, BundleType>()
  let purses = 0

  /** The first SOL of all, from one hand, some slots apart; directly or by a wallet in between. */
  function fund(wallets: readonly Wallet[], funder: string, hops: 1 | 2, slot: number): void {
    const at = slot - FUNDED.from - random.exponential(FUNDED.mean)
    const apart = () => random.int(FUNDED.apart)
    const above = hops === 2 ? origin(funder, at - FUNDED.from - apart()) : null
    const source = above === null ? funder : `hop:${purses++}`
    for (const wallet of wallets) wallet.origin ??= origin(source, at + apart(), false, above)
  }

  const sizeOf = () => MEMBERS.min + Math.floor((MEMBERS.max + 1 - MEMBERS.min) * random.float() ** 1.7)

  /** A recurring group that does this kind of thing; null when the one that came to mind does another. */
  function oldHands(type: BundleType): Wallet[] | null {
    const n = Math.floor(CREWS * random.float() ** 1.5)
    if (!kinds.has(n)) kinds.set(n, type)
    if (kinds.get(n) !== type) return null
    const own = MEMBERS.min + (n % (MEMBERS.max + 1 - MEMBERS.min))
    const all = Array.from({ length: own }, (_, i) => traders.wallet('crew', n * MEMBERS.max + i))
    // not everyone every time
    const here = all.filter(() => random.chance(0.8))
    return here.length >= 2 ? here : all
  }

  return {
    gather(type, boss, slot) {
      let wallets = random.chance(RECURS) ? oldHands(type) : null
      wallets ??= Array.from({ length: sizeOf() }, () => traders.stranger('crew'))
      const [shared, long] = FUNDER[type]
      if (wallets[0]!.origin === null && random.chance(shared))
        fund(wallets, boss?.id ?? `purse:${purses++}`, random.chance(long) ? 2 : 1, slot)
      return wallets
    },
    helpers(rugger, slot) {
      const first = Number(rugger.id.slice('rugger:'.length)) * MEMBERS.max
      const wanted = random.chance(0.15) ? 0 : sizeOf()
      const wallets = Array.from({ length: wanted }, (_, i) =>
        random.chance(0.7) ? traders.wallet('helper', first + i) : traders.stranger('helper'),
      )
      const unfunded = wallets.filter((wallet) => wallet.origin === null)
      if (unfunded.length > 0) fund(unfunded, rugger.id, random.chance(FUNDER.farm[1]) ? 2 : 1, slot)
      return wallets
    },
  }
}
