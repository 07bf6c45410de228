import { EXCHANGES, origin } from './funding.ts'
import type { Random } from './random.ts'
import type { Rules } from './rules.ts'
import { PROFILES, type Traders, type Wallet } from './traders.ts'
import { BUNDLE_TYPES, type BundleType } from './truth.ts'

/** Wallets under one hand: 3 to 12. */
const MEMBERS = { min: 3, max: 12 }
/** Groups that come back launch after launch. */
const CREWS = PROFILES.crew.wallets / MEMBERS.max
/** Part of the groups that are one of those; the others use new wallets, once. */
const RECURS = 0.6
/** Slots before the first use at which wallets get their first SOL: up to an hour or two. */
const FUNDED = { from: 60, mean: 4_000, apart: 150 }

/** People behind the farms of the harder market. */
const BOSSES = 12
/** Rings of the harder market: part of the groups, slots between first and last payment, SOL each got. */
const RING = { part: 0.25, apart: 450, least: 0.5, most: 4 }

/** Part of the groups of a kind that have one funder, and of those the part that is two hops long. */
const FUNDER: Readonly<Record<BundleType, readonly [number, number]>> = {
  same_tx: [0.3, 0.2],
  same_slot: [0.3, 0.2],
  parallel: [0.3, 0.2],
  spread: [0.5, 0.2],
  funder_chain: [1, 0.5],
  copied_amounts: [0.5, 0.2],
  paid_fees: [0.2, 0],
  transfer: [0.3, 0.2],
  farm: [1, 0.4],
}

interface Crew {
  readonly wallets: readonly Wallet[]
  /** who is behind them: the same on every token */
  readonly person: string
}

export interface Crews {
  /** Members of a group for one launch, at least two; `boss`: the deployer behind it, who takes new wallets. */
  gather(type: BundleType, boss: Wallet | null, slot: number): Crew
  /** A serial rugger is about to launch: call before anything of it is on chain, because its first SOL came before. */
  employ(rugger: Wallet, slot: number): void
  /** The helpers of the n-th serial rugger: partly old hands, partly new wallets. */
  helpers(rugger: Wallet, slot: number): Crew
  /** First SOL for all of them from one exchange within minutes, equal amounts. */
  ring(wallets: readonly Wallet[], slot: number): void
}

/** `own`: chance of the people behind farms, apart from the market's. */
export function createCrews(traders: Traders, random: Random, own: Random, rules: Rules): Crews {
  const known = new Map<number, readonly Wallet[]>()
  let purses = 0
  let once = 0

  /** Several of the farms are one person's. */
  const bossOf = (rugger: Wallet): string => `boss:${Number(rugger.id.slice('rugger:'.length)) % BOSSES}`

  /** The first SOL of all, from one hand, some slots apart; directly or by a wallet in between. */
  function fund(wallets: readonly Wallet[], funder: string, hops: 1 | 2, slot: number): void {
    const at = slot - FUNDED.from - FUNDED.apart - random.exponential(FUNDED.mean)
    const apart = () => random.int(FUNDED.apart)
    const above = hops === 2 ? origin(funder, at - FUNDED.from - apart()) : null
    const source = above === null ? funder : `hop:${purses++}`
    for (const wallet of wallets) wallet.origin ??= origin(source, at + apart(), false, above)
  }

  function ring(wallets: readonly Wallet[], slot: number): void {
    const at = slot - FUNDED.from - RING.apart - random.exponential(FUNDED.mean)
    const exchange = `exchange:${random.int(EXCHANGES)}`
    const name = `ring:${once++}`
    const lamports = Math.floor(random.between(RING.least, RING.most) * 100) * 10_000_000
    for (const wallet of wallets) {
      if (wallet.origin !== null) continue
      wallet.origin = origin(exchange, at + random.int(RING.apart), true, null, name)
      if (wallet.fresh) wallet.lamports = lamports
    }
  }

  const sizeOf = () => MEMBERS.min + Math.floor((MEMBERS.max + 1 - MEMBERS.min) * random.float() ** 1.7)

  function fundAs(type: BundleType, wallets: readonly Wallet[], boss: Wallet | null, slot: number): void {
    if (rules.harder && random.chance(RING.part)) return ring(wallets, slot)
    const [shared, long] = FUNDER[type]
    if (random.chance(shared)) fund(wallets, boss?.id ?? `purse:${purses++}`, random.chance(long) ? 2 : 1, slot)
  }

  /** A recurring group of this kind: each keeps to its ways, and the first ones do most. */
  function oldHands(type: BundleType, slot: number): Crew {
    const nth = Math.floor((CREWS / BUNDLE_TYPES.length) * random.float() ** 1.5)
    const n = nth * BUNDLE_TYPES.length + BUNDLE_TYPES.indexOf(type)
    let crew = known.get(n)
    if (crew === undefined) {
      crew = Array.from({ length: sizeOf() }, (_, i) => traders.wallet('crew', n * MEMBERS.max + i))
      fundAs(type, crew, null, slot)
      known.set(n, crew)
    }
    // not everyone every time
    const here = crew.filter(() => random.chance(0.8))
    return inOneHand({ wallets: here.length >= 2 ? here : crew, person: `crew:${n}` })
  }

  return {
    gather(type, boss, slot) {
      if (boss === null && random.chance(RECURS)) return oldHands(type, slot)
      const wallets = Array.from({ length: sizeOf() }, () => traders.stranger('crew'))
      fundAs(type, wallets, boss, slot)
      return inOneHand({ wallets, person: boss?.id ?? `once:${once++}` })
    },
    ring,
    employ(rugger, slot) {
      if (!rules.harder) return
      // the person gave their deployers their first SOL
      rugger.origin ??= origin(bossOf(rugger), slot - FUNDED.from - own.exponential(FUNDED.mean))
    },
    helpers(rugger, slot) {
      const person = rules.harder ? bossOf(rugger) : rugger.id
      const first = Number(rugger.id.slice('rugger:'.length)) * MEMBERS.max
      const wanted = random.chance(0.15) ? 0 : sizeOf()
      const wallets = Array.from({ length: wanted }, (_, i) =>
        random.chance(0.7) ? traders.wallet('helper', first + i) : traders.stranger('helper'),
      )
      const unfunded = wallets.filter((wallet) => wallet.origin === null)
      if (rules.harder && random.chance(RING.part)) ring(unfunded, slot)
      else if (unfunded.length > 0) fund(unfunded, rugger.id, random.chance(FUNDER.farm[1]) ? 2 : 1, slot)
      return inOneHand({ wallets, person })
    },
  }
}

function inOneHand(crew: Crew): Crew {
  for (const wallet of crew.wallets) wallet.hand ??= crew.person
  return crew
}
