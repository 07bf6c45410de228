import type { Key } from '@ti/core/base/ids.ts'
import type { Reference } from './reference.ts'

/** What a group of coordinated wallets is like at the end of the log: given, not found here. Amounts in base units. */
export interface GivenGroup {
  readonly members: readonly Key[]
  readonly isRed: boolean
  /** the most its members held together, and what they sold */
  readonly peak: number
  readonly sold: number
  /** sold less bought by its members, by 25-slot bucket */
  readonly netSold: readonly { readonly bucket: number; readonly tokens: number }[]
}

export interface Given {
  /** numbers of the trades made by members of confirmed groups */
  readonly bundled: ReadonlySet<number>
  /** bins of veterans that were there before: profit in quarter octaves of 0.01 SOL, return of 1 %, win bound in 64ths */
  readonly veterans: readonly { readonly pnl: number; readonly roi: number; readonly win: number }[]
  /** the confirmed groups of a mint at the end */
  groups(mint: Key): readonly GivenGroup[]
  /** the slot at which the wallet was in one of them, or null */
  memberSince(mint: Key, wallet: Key): number | null
}

/** Wallets as the reading of a token sees them at the end of the log, by scanning everything again. */
export function createReadingWallets(reference: Reference, given: Given) {
  const { events, told, mints, wallets, end } = reference

  const tradesBy = (wallet: Key) =>
    mints
      .flatMap((mint) => reference.tradesOf(mint).filter(({ event }) => event.user === wallet))
      .sort((a, b) => a.index - b.index)

  /** quarter octave of a number, the first for all that are less than 1 */
  const octave = (x: number): number => {
    for (let k = 63; k > 0; k--) if (2 ** (k / 4) <= x) return k
    return 0
  }

  /** after each of a veteran's trades: what it is compared by, and what it has to keep to besides */
  function measured(wallet: Key) {
    if (reference.history(wallet).closed < 20) return []
    return tradesBy(wallet).flatMap(({ index, slot }) => {
      const h = reference.history(wallet, { index: index + 1, slot })
      if (h.closed < 20) return []
      const z = 1.6448536269514722
      const p = h.won / h.closed
      const spread = z * Math.sqrt((p * (1 - p)) / h.closed + (z * z) / (4 * h.closed * h.closed))
      const wilson = (p + (z * z) / (2 * h.closed) - spread) / (1 + (z * z) / h.closed)
      const bins = {
        pnl: octave((h.pnl ?? 0) / 1e7),
        roi: octave(100 * (h.roi ?? 0)),
        win: Math.floor(64 * Math.max(0, wilson)),
      }
      return [{ index, bins, bundledRate: h.bundledTrades / h.trades, medianHold: h.medianHold ?? 0 }]
    })
  }

  const allMeasured = new Map(wallets.map((wallet) => [wallet, measured(wallet)]))

  /** of a measure, what the upper 30 % of all veterans have, each as of its last trade up to that event */
  function cut(measure: 'pnl' | 'roi' | 'win', index: number): number {
    const last = [...allMeasured.values()].flatMap((list) => list.findLast((one) => one.index <= index)?.bins ?? [])
    const all = [...given.veterans, ...last].map((bins) => bins[measure]).sort((a, b) => b - a)
    return all.length < 200 ? Number.POSITIVE_INFINITY : Math.max(1, all[Math.ceil(0.3 * all.length) - 1]!)
  }

  /** smart money, which stays so until a cut is missed by more than a bin, or by more than 20 % */
  function smartness(wallet: Key): { index: number; slot: number; smart: boolean }[] {
    let smart = false
    return tradesBy(wallet).map(({ index, slot }) => {
      const now = allMeasured.get(wallet)?.find((one) => one.index === index)
      const slack = smart ? 1 : 0
      smart =
        now !== undefined &&
        (['pnl', 'roi', 'win'] as const).every((measure) => now.bins[measure] + slack >= cut(measure, index)) &&
        now.bundledRate <= 0.2 * (1 + slack * 0.2) &&
        now.medianHold >= 75 * (1 - slack * 0.2)
      return { index, slot, smart }
    })
  }

  /** whether there are 200 veterans to compare with */
  const hasVeterans = (): boolean =>
    given.veterans.length + [...allMeasured.values()].filter((list) => list.length > 0).length >= 200

  const smartCache = new Map<Key, ReturnType<typeof smartness>>()
  /** smart money just before the event of that index, in that slot */
  function isSmart(wallet: Key, index: number, slot: number): boolean {
    const known = smartCache.get(wallet) ?? smartness(wallet)
    smartCache.set(wallet, known)
    const last = known.findLast((trade) => trade.index < index)
    return last?.smart === true && slot - last.slot <= 14 * 216_000 * 1.2
  }

  /** told before the event of that index */
  function isKol(wallet: Key, index: number): boolean {
    const facts = told.filter(({ fact, index: at }) => at <= index && fact.kind === 'kol' && fact.wallet === wallet)
    const last = facts[facts.length - 1]?.fact
    return last?.kind === 'kol' && last.name !== null
  }

  /** slot in which anything first mentioned the wallet */
  function firstSeen(wallet: Key): number {
    const slots: number[] = []
    const funded = new Set<Key>()
    for (const { fact, slot } of told) {
      if ((fact.kind === 'kol' || fact.kind === 'agent') && fact.wallet === wallet) slots.push(slot)
      if (fact.kind !== 'funding') continue
      if (fact.wallet === wallet) slots.push(slot)
      const counts = !funded.has(fact.wallet) && fact.funder !== fact.wallet
      if (counts && fact.funder === wallet) slots.push(slot)
      if (counts) funded.add(fact.wallet)
    }
    for (const { index, slot, event } of events) {
      const born = reference.birth(event.mint)
      if (event.kind === 'create' && event.user === wallet) slots.push(slot)
      if (event.kind === 'balance' && event.owner === wallet && born !== undefined && born.index < index) {
        slots.push(slot)
      }
      if (event.kind !== 'trade') continue
      if ([event.user, event.payer, event.tipper].includes(wallet)) slots.push(slot)
    }
    return Math.min(...slots)
  }

  /** up to and with that event: three times in one mint a sell within 25 slots of the buy before it, each buy counting once */
  function isWash(wallet: Key, until = end.index): boolean {
    return mints.some((mint) => {
      let trips = 0
      let boughtAt: number | null = null
      for (const { index, slot, event } of reference.tradesOf(mint)) {
        if (event.user !== wallet || index > until) continue
        if (event.isBuy) boughtAt = slot
        else {
          if (boughtAt !== null && slot - boughtAt <= 25) trips++
          boughtAt = null
        }
      }
      return trips >= 3
    })
  }

  const rugs = (wallet: Key): number =>
    mints.filter(
      (mint) =>
        reference.birth(mint) !== undefined &&
        reference.ruggedAt(mint) >= 0 &&
        given.groups(mint).some(({ members }) => members.includes(wallet)),
    ).length

  function solBalance(wallet: Key): number | null {
    const last = tradesBy(wallet).findLast(({ event }) => event.solAfter >= 0)
    return last === undefined ? null : last.event.solAfter / 1e9
  }

  function profile(wallet: Key, populationHold: number) {
    const h = reference.history(wallet)
    const sells = h.avgHold === null ? 0 : h.sells
    return {
      ...h,
      isSmart: isSmart(wallet, end.index, end.slot),
      isKol: isKol(wallet, end.index),
      isWash: isWash(wallet),
      rugs: rugs(wallet),
      firstSeen: firstSeen(wallet),
      solBalance: solBalance(wallet),
      /** slots it is expected to hold */
      habit: (sells * (h.avgHold ?? 0) + 3 * populationHold) / (sells + 3),
    }
  }

  const profiles = new Map<Key, ReturnType<typeof profile>>()
  return {
    wallets,
    isSmart,
    isKol,
    isWash,
    hasVeterans,
    profile(wallet: Key, populationHold: number) {
      const known = profiles.get(wallet) ?? profile(wallet, populationHold)
      profiles.set(wallet, known)
      return known
    },
  }
}
