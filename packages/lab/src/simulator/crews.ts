import { EXCHANGES, origin } from './funding.ts'
import type { Random } from './random.ts'
import { PROFILES, type Traders, type Wallet } from './traders.ts'
import { BUNDLE_TYPES, type BundleType } from './truth.ts'

/** Wallets of one owner: 3 to 12. */
const MEMBERS = { min: 3, max: 12 }
/** Groups that recur on many launches. */
const CREWS = PROFILES.crew.wallets / MEMBERS.max
/** Share of groups that recur; the others use new wallets once. */
const RECURS = 0.6
/** Slots between a wallet's funding and its first use: up to an hour or two. */
const FUNDED = { from: 60, mean: 4_000, apart: 150 }

/** People behind the farms of serial ruggers. */
const BOSSES = 12
/** Exchange-funded groups: share of the groups, slots between first and last payment, SOL each. */
const RING = { part: 0.25, apart: 450, least: 0.5, most: 4 }

/** Share of the groups of a kind with a common funder, and share of those with two hops. */
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

/** Several farms belong to one person. */
export const bossOf = (rugger: Wallet): string => `boss:${Number(rugger.id.slice('rugger:'.length)) % BOSSES}`

interface Crew {
  readonly wallets: readonly Wallet[]
  /** The owner, the same on every token. */
  readonly person: string
}

export interface Crews {
  /** The members of a group for one launch, at least two. `boss`: the deployer behind it, who uses new wallets. */
  gather(type: BundleType, boss: Wallet | null, slot: number): Crew
  /** Called before a serial rugger's launch, while nothing of it is on chain, because its funding came earlier. */
  employ(rugger: Wallet, slot: number): void
  /** The helpers of the n-th serial rugger: partly recurring, partly new wallets. */
  helpers(rugger: Wallet, slot: number): Crew
  /** Funds all of them from one exchange within minutes, with equal amounts. */
  ring(wallets: readonly Wallet[], slot: number): void
  /** Funds those without a past jointly, or leaves each to its own. */
  pay(wallets: readonly Wallet[], money: 'exchange' | 'purse' | 'hops' | 'apart', slot: number): void
}

/** `own`: random numbers for the people behind farms, separate from the market's. */
export function createCrews(traders: Traders, random: Random, own: Random): Crews {
  const known = new Map<number, readonly Wallet[]>()
  let purses = 0
  let once = 0

  /** Funds the wallets from one source, some slots apart, directly or through a wallet in between. */
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
    if (random.chance(RING.part)) return ring(wallets, slot)
    const [shared, long] = FUNDER[type]
    if (random.chance(shared)) fund(wallets, boss?.id ?? `purse:${purses++}`, random.chance(long) ? 2 : 1, slot)
  }

  /** A recurring group of this kind. Each keeps its habits, and the first ones are most active. */
  function oldHands(type: BundleType, slot: number): Crew {
    const nth = Math.floor((CREWS / BUNDLE_TYPES.length) * random.float() ** 1.5)
    const n = nth * BUNDLE_TYPES.length + BUNDLE_TYPES.indexOf(type)
    let crew = known.get(n)
    if (crew === undefined) {
      crew = Array.from({ length: sizeOf() }, (_, i) => traders.wallet('crew', n * MEMBERS.max + i))
      fundAs(type, crew, null, slot)
      known.set(n, crew)
    }
    // not every member takes part each time
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
    pay(wallets, money, slot) {
      const fresh = wallets.filter(({ fresh, origin }) => fresh && origin === null)
      if (money === 'exchange') ring(fresh, slot)
      else if (money !== 'apart') fund(fresh, `purse:${purses++}`, money === 'hops' ? 2 : 1, slot)
    },
    employ(rugger, slot) {
      // this person funded the deployers
      rugger.origin ??= origin(bossOf(rugger), slot - FUNDED.from - own.exponential(FUNDED.mean))
    },
    helpers(rugger, slot) {
      const first = Number(rugger.id.slice('rugger:'.length)) * MEMBERS.max
      const wanted = random.chance(0.15) ? 0 : sizeOf()
      const wallets = Array.from({ length: wanted }, (_, i) =>
        random.chance(0.7) ? traders.wallet('helper', first + i) : traders.stranger('helper'),
      )
      const unfunded = wallets.filter((wallet) => wallet.origin === null)
      if (random.chance(RING.part)) ring(unfunded, slot)
      else if (unfunded.length > 0) fund(unfunded, rugger.id, random.chance(FUNDER.farm[1]) ? 2 : 1, slot)
      return inOneHand({ wallets, person: bossOf(rugger) })
    },
  }
}

function inOneHand(crew: Crew): Crew {
  for (const wallet of crew.wallets) wallet.hand ??= crew.person
  return crew
}
