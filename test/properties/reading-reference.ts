import type { Key } from '@ti/core/base/ids.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { signalsOf } from './reading-signals.ts'
import { createReadingWallets, type Given, type GivenGroup } from './reading-wallets.ts'
import { createReference, type Holding } from './reference.ts'

/**
 * The readings of the methodology (sections 3 to 7) written a second time: plain scans over everybody, numbers as the
 * page has them, no code shared with the engine. Percentages are of owned supply unless said otherwise.
 */
const TOKEN = 1e6
const SUPPLY = 1e15

/** Metric → [knots, points, weight], as the page's table has them. */
const SCORE_TABLE: Record<string, readonly [readonly number[], readonly number[], number]> = {
  bundle: [[0, 50, 65, 100], [10, 5, 3, 0], 3],
  dirty: [[0, 50, 60, 100], [10, 5, 3, 0], 2],
  dumpers: [[0, 50, 65, 100], [10, 5, 3, 0], 2],
  jeets: [[0, 10, 20, 60], [10, 5, 3, 0], 1],
  alphaHands: [[0, 25, 30, 70], [0, 3, 5, 10], 2],
  conviction: [[0, 50, 60, 90], [0, 3, 5, 10], 2],
  cooktimer: [[-1000, 1000, 2500, 9000], [0, 3, 5, 10], 2],
  independentHolders: [[0, 15, 40, 150], [0, 3, 5, 10], 12],
  smartWallets: [[0, 2, 8], [3, 5, 10], 1],
}

/** Value at `x` of the line through the knots. */
export function line(xs: readonly number[], ys: readonly number[], x: number): number {
  const inside = Math.min(Math.max(x, xs[0]!), xs[xs.length - 1]!)
  for (let i = 1; i < xs.length; i++) {
    if (inside > xs[i]!) continue
    const share = (inside - xs[i - 1]!) / (xs[i]! - xs[i - 1]!)
    return ys[i - 1]! * (1 - share) + ys[i]! * share
  }
  return ys[ys.length - 1]!
}

export interface ScoreCase {
  readonly metrics: Readonly<Record<string, number | null>>
  readonly coverage: number
  readonly isCopy: boolean
  /** the most that the verdict leaves */
  readonly cap: number | null
}

/** Before the rounding to one decimal; null without a reading. */
export function expectedScore(c: ScoreCase): number | null {
  const read = Object.entries(SCORE_TABLE).filter(([name]) => c.metrics[name] !== null)
  if (read.length === 0) return null
  const weights = read.reduce((sum, [, [, , weight]]) => sum + weight, 0)
  const raw = read.reduce((sum, [name, [xs, ys, weight]]) => sum + weight * line(xs, ys, c.metrics[name]!), 0) / weights
  const k = Math.min(1, c.coverage / 0.6)
  const crowd = line([0, 15, 40, 150], [0, 3, 5, 10], c.metrics.independentHolders ?? 0)
  let value = k * raw + (1 - k) * Math.min(4, crowd)
  if (c.isCopy) value -= 0.5
  if (c.cap !== null) value = Math.min(value, c.cap)
  return Math.min(10, Math.max(0, value))
}

export function createReadingReference(entries: readonly LogEntry[], given: Given) {
  const reference = createReference(entries, given.bundled)
  const { end } = reference
  const now = end.slot
  const firstSlot = reference.events[0]?.slot ?? 0
  const wallets = createReadingWallets(reference, given)
  const populationHold = reference.populationHold()

  /** everybody who holds a whole token */
  function holdersOf(mint: Key) {
    const list = reference.wallets.map((wallet) => ({ wallet, holding: reference.holding(wallet, mint, end) }))
    return list
      .filter(({ holding }) => holding.balance >= TOKEN)
      .map((holder) => ({ ...holder, profile: wallets.profile(holder.wallet, populationHold) }))
  }

  function firstBuy(wallet: Key, mint: Key): number | null {
    return reference.tradesOf(mint).find(({ event }) => event.user === wallet && event.isBuy)?.slot ?? null
  }

  /** every reason for which the wallet counts as dirty on this mint */
  function dirtyReasons(wallet: Key, mint: Key, group: GivenGroup | null): string[] {
    const profile = wallets.profile(wallet, populationHold)
    const bought = firstBuy(wallet, mint)
    const isCreationSeen = reference.ofMint(mint).some(({ event }) => event.kind === 'create')
    const isYoung = now - profile.firstSeen < 9_000 && profile.buys < 3
    const all: Record<string, boolean> = {
      bundle: group !== null,
      sniper: isCreationSeen && bought !== null && bought - reference.birth(mint)!.slot <= 12,
      wash: profile.isWash,
      serialRugger: profile.rugs >= 3,
      fresh: now - firstSlot >= 9_000 && isYoung,
      insider: reference.isInsider(wallet, mint),
    }
    return Object.keys(all).filter((reason) => all[reason])
  }

  /** 0 to 100, of one holder */
  function convictionOf(holding: Holding, habit: number, sol: number | null): number {
    const h = line([0, 150, 375, 750, 1500, 3000, 9000], [0, 0.17, 0.3, 0.44, 0.58, 0.74, 1], habit)
    const r = holding.bought > 0 ? Math.min(1, holding.balance / holding.bought) : 1
    const bag = holding.bought + holding.received
    const n = holding.sold === 0 ? 1 : holding.sold / bag < 0.25 ? 0.5 : 0
    const cost = holding.cost / 1e9
    const z = sol === null || cost + sol === 0 ? 0 : cost / (cost + sol)
    return 100 * (0.4 * h + 0.3 * r + 0.2 * n + 0.1 * z)
  }

  /** the first image that was seen of it was seen of a token born earlier, too */
  function isCopy(mint: Key): boolean {
    const images = new Map<Key, string>()
    for (const { fact, index } of reference.told) {
      if (fact.kind !== 'image_hash' || (reference.birth(fact.mint)?.index ?? index) >= index) continue
      if (!images.has(fact.mint)) images.set(fact.mint, fact.sha256)
    }
    const born = (other: Key): number => reference.birth(other)!.index
    return [...images].some(
      ([other, image]) => other !== mint && image === images.get(mint) && born(other) < born(mint),
    )
  }

  /** holders outside the confirmed groups, no insiders, worth 0.05 SOL, or what their effective number is worth if that is less */
  function independentOf(balances: readonly number[], price: number): number {
    const total = balances.reduce((sum, balance) => sum + BigInt(balance), 0n)
    const squares = balances.reduce((sum, balance) => sum + BigInt(balance) ** 2n, 0n)
    const hundredths = squares === 0n ? 0n : (100n * total ** 2n) / squares
    const counted = balances.filter((balance) => price * balance >= 0.05e9).length
    return Math.min(counted, line([0, 6, 12, 40], [0, 15, 40, 150], Number(hundredths) / 100))
  }

  /** `cap`: the most that the verdict leaves of the score */
  function read(mint: Key, cap: number | null) {
    const holders = holdersOf(mint)
    const groups = given.groups(mint)
    const groupOf = (wallet: Key) => groups.find(({ members }) => members.includes(wallet)) ?? null
    const sum = (list: typeof holders) => list.reduce((total, { holding }) => total + holding.balance, 0)
    const owned = sum(holders)
    const pct = (counts: (holder: (typeof holders)[number]) => boolean): number =>
      owned > 0 ? (100 * sum(holders.filter(counts))) / owned : 0
    const mean = (value: (holder: (typeof holders)[number]) => number): number =>
      holders.reduce((total, holder) => total + (holder.holding.balance / owned) * value(holder), 0)

    const price = reference.priced(mint).at(-1)?.price ?? 0
    const life = reference.life(mint)
    const isPhantom = life.phantomPct > 1
    const real = isPhantom ? owned - reference.phantom(mint) : owned
    /** of what is really there */
    const pctOf = (part: number): number => (part === 0 ? 0 : Math.min(100, (100 * part) / real))
    const pctOfReal = (counts: (holder: (typeof holders)[number]) => boolean): number =>
      pctOf(sum(holders.filter(counts)))
    const coverage = (pct(({ profile }) => profile.soldOut > 0) / 100) * (owned > 0 ? real / owned : 0)
    /** with a record, known funding, and a day old */
    const isSettled = ({ wallet, profile }: (typeof holders)[number]): boolean => {
      const funded = reference.funderOf(wallet, end.index)
      return profile.soldOut > 0 && funded !== undefined && now - Math.min(profile.firstSeen, funded.slot) >= 216_000
    }
    const isRead = reference.tradesOf(mint).length > 0 && owned > 0
    const isHistoric = isRead && coverage >= 0.2
    const left = ({ holding, profile }: (typeof holders)[number]): number => holding.acquired + profile.habit - now
    const shares = {
      bundle: pctOfReal(({ wallet }) => groupOf(wallet) !== null),
      dirty: pctOfReal(({ wallet }) => dirtyReasons(wallet, mint, groupOf(wallet)).length > 0),
      dumpers: pctOfReal(({ profile }) => profile.sellImpact !== null && profile.sellImpact < -0.61),
      nukers: pct(({ profile }) => profile.sellImpact !== null && profile.sellImpact < -3.6),
      jeets: pctOfReal(({ profile }) => profile.sells >= 5 && profile.medianHold !== null && profile.medianHold < 150),
      alphaHands: pct(
        ({ profile: p }) => p.picks >= 5 && p.shrunkHealthyRate >= 0.45 && (p.pnl ?? 0) > 0 && !p.isWash && p.rugs < 3,
      ),
      diamond: pct(({ holding }) => now - holding.acquired >= 1_500),
      inProfit: pct(({ holding }) => holding.cost <= price * holding.balance),
    }
    const conviction =
      isHistoric && holders.length >= 3
        ? mean(({ holding, profile }) => convictionOf(holding, profile.habit, profile.solBalance))
        : null
    const smart = holders.filter(({ profile }) => profile.isSmart)
    const smartGroups = new Set(smart.map(({ wallet }) => groupOf(wallet)).filter((group) => group !== null))
    const smartWallets = smart.filter(({ wallet }) => groupOf(wallet) === null).length + smartGroups.size
    const cooktimer = isRead ? mean(left) : 0
    const free = holders
      .filter(({ wallet }) => groupOf(wallet) === null && !reference.isInsider(wallet, mint))
      .map(({ holding }) => holding.balance)
    const metrics = {
      bundle: isRead ? shares.bundle : null,
      dirty: isRead ? shares.dirty : null,
      inProfit: isRead ? shares.inProfit : null,
      smartWallets: isRead && wallets.hasVeterans() ? smartWallets : null,
      independentHolders: isRead ? independentOf(free, price) : null,
      dumpers: isHistoric ? shares.dumpers : null,
      jeets: isHistoric ? shares.jeets : null,
      alphaHands: isHistoric ? shares.alphaHands : null,
      cooktimer: isHistoric ? Math.round(cooktimer) : null,
      conviction,
    }
    const bySize = [...holders].sort((a, b) => b.holding.balance - a.holding.balance)
    const top10Pct = (100 * sum(bySize.slice(0, 10))) / SUPPLY
    const deployer = reference.deployerOf(mint)
    const theirs = deployer === null ? null : reference.holding(deployer, mint, end)
    const bag = theirs === null ? 0 : theirs.bought + theirs.received
    const deployerSold = bag > 0 ? Math.min(1, theirs!.sold / bag) : 0
    const held = groups
      .map((group) => ({
        ...group,
        balance: group.members.reduce((total, wallet) => total + reference.holding(wallet, mint, end).balance, 0),
      }))
      .filter(({ balance }) => balance > SUPPLY * 0.0005)
    const memory = reference.memory(mint)
    const overdue = pct((holder) => left(holder) < 0)
    return {
      holders: { count: holders.length, owned, top: bySize.slice(0, 10).map(({ holding }) => holding.balance) },
      bundles: {
        count: held.length,
        redCount: groups.filter(({ isRed }) => isRed).length,
        owned: sum(holders.filter(({ wallet }) => groupOf(wallet) !== null)),
        largest: held
          .map(({ balance }) => balance)
          .sort((a, b) => b - a)
          .slice(0, 3),
      },
      dirty: new Map(holders.map(({ wallet }) => [wallet, dirtyReasons(wallet, mint, groupOf(wallet))])),
      kols: bySize
        .filter(({ profile }) => profile.isKol)
        .map(({ wallet, holding, profile: { avgHold, habit } }) => ({
          wallet,
          balance: holding.balance,
          expectedSellSlot: avgHold === null ? null : holding.acquired + habit,
        })),
      cohorts: cohortsOf(pct),
      score: expectedScore({ metrics, coverage, isCopy: isCopy(mint), cap }),
      ...{ life, memory },
      signals: signalsOf(reference, wallets, mint, {
        ...{ metrics, groups, holders: holders.length, deployerSold, hasDeployer: deployer !== null },
        top10Pct: owned > 0 ? top10Pct : null,
        overduePct: isHistoric ? overdue : null,
        deployerPct: (100 * (theirs?.balance ?? 0)) / SUPPLY,
        deployerTokensSold: theirs?.sold ?? 0,
      }),
      settled: pct(isSettled) / 100,
      ...{ coverage, shares, conviction, cooktimer, overduePct: overdue, smartWallets, metrics, isRead },
    }
  }

  type Holder = ReturnType<typeof holdersOf>[number]
  /** each cohort's buckets in ascending order; wallets without a reading are in none */
  function cohortsOf(pct: (counts: (holder: Holder) => boolean) => number) {
    const buckets = (value: (holder: Holder) => number | null, tests: readonly ((x: number) => boolean)[]): number[] =>
      tests.map((test) =>
        pct((holder) => {
          const x = value(holder)
          return x !== null && test(x)
        }),
      )
    const within = (from: number, to: number) => (x: number) => from <= x && x < to
    const roi = ({ profile }: Holder): number | null => {
      const hasMany = profile.closed >= 10
      return profile.roi !== null && profile.roi >= 1.5 && !hasMany ? 1 : profile.roi
    }
    return {
      buys: buckets(
        ({ profile }) => profile.mintsBought,
        [within(0, 10), within(10, 100), within(100, 1_000), within(1_000, 10_000), (x) => x >= 10_000],
      ),
      healthyRate: buckets(
        ({ profile }) => profile.healthyRate,
        [within(0, 0.1), within(0.1, 0.25), within(0.25, 0.45), within(0.45, 0.7), (x) => x >= 0.7],
      ),
      hold: buckets(
        ({ holding }) => now - holding.acquired,
        [(x) => x < 150, within(150, 375), within(375, 750), within(750, 1_500), (x) => x >= 1_500],
      ),
      pnl: buckets(
        ({ profile }) => (profile.pnl === null ? null : profile.pnl / 1e9),
        [(x) => x <= -50, (x) => -50 < x && x < 0, within(0, 50), within(50, 150), (x) => x >= 150],
      ),
      roi: buckets(roi, [
        (x) => x < -0.5,
        within(-0.5, -0.1),
        (x) => -0.1 <= x && x <= 0.1,
        (x) => 0.1 < x && x < 1.5,
        (x) => x >= 1.5,
      ]),
      sellImpact: buckets(
        ({ profile }) => profile.sellImpact,
        [(x) => x < -9.9, within(-9.9, -3.6), within(-3.6, -0.61), (x) => -0.61 <= x && x <= 2.2, (x) => x > 2.2],
      ),
      solBalance: buckets(
        ({ profile }) => profile.solBalance,
        [within(0, 1), within(1, 3), within(3, 10), within(10, 100), (x) => x >= 100],
      ),
    }
  }

  return { reference, read }
}
