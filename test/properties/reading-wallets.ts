import type { Key } from '../../src/base/ids.ts'
import type { Reference } from './reference.ts'

/** What a group of coordinated wallets is like at the end of the log: given, not found here. Amounts in base units. */
export interface GivenGroup {
  readonly members: readonly Key[]
  readonly isRed: boolean
  /** sold less bought by its members, by 25-slot bucket */
  readonly netSold: readonly { readonly bucket: number; readonly tokens: number }[]
}

export interface Given {
  /** numbers of the trades made by members of confirmed groups */
  readonly bundled: ReadonlySet<number>
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

  /** a cut that wallets must reach to be smart money; those that are keep it until it is missed by more than 20 % */
  function meetsSmartCuts(wallet: Key, index: number, slot: number, slack: number): boolean {
    const h = reference.history(wallet, { index, slot })
    const z = 1.6448536269514722
    const p = h.closed > 0 ? h.won / h.closed : 0
    const spread = z * Math.sqrt((p * (1 - p)) / h.closed + (z * z) / (4 * h.closed * h.closed))
    const wilson = (p + (z * z) / (2 * h.closed) - spread) / (1 + (z * z) / h.closed)
    return (
      h.closed >= 20 * (1 - slack) &&
      (h.pnl ?? 0) >= 5e9 * (1 - slack) &&
      wilson >= 0.4 * (1 - slack) &&
      (h.roi ?? 0) >= 0.2 * (1 - slack) &&
      h.shrunkHealthyRate >= 1.5 * h.p0 * (1 - slack) &&
      h.bundledTrades / h.trades <= 0.2 * (1 + slack) &&
      (h.medianHold ?? 0) >= 75 * (1 - slack)
    )
  }

  /** after each of the wallet's trades: was it smart money? */
  function smartness(wallet: Key): { index: number; slot: number; smart: boolean }[] {
    const trades = tradesBy(wallet)
    if (reference.history(wallet).closed < 16) return trades.map(({ index, slot }) => ({ index, slot, smart: false }))
    let smart = false
    return trades.map(({ index, slot }) => {
      smart = meetsSmartCuts(wallet, index + 1, slot, smart ? 0.2 : 0)
      return { index, slot, smart }
    })
  }

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
      if (fact.kind !== 'funder') continue
      if (fact.wallet === wallet) slots.push(slot)
      const counts = !funded.has(fact.wallet) && fact.funder !== fact.wallet
      if (counts && fact.funder === wallet) slots.push(slot)
      if (counts) funded.add(fact.wallet)
    }
    const named = new Set<Key>()
    for (const { index, slot, event } of events) {
      const born = reference.birth(event.mint)
      // the first creation or trade names the developer
      const isBirth = (event.kind === 'create' || event.kind === 'trade') && !named.has(event.mint)
      if (isBirth) named.add(event.mint)
      if (event.kind === 'create' && isBirth && event.creator === wallet) slots.push(slot)
      if (event.kind === 'balance' && event.owner === wallet && born !== undefined && born.index < index) {
        slots.push(slot)
      }
      if (event.kind !== 'trade') continue
      if ([event.user, event.payer, event.tipper].includes(wallet)) slots.push(slot)
      if (isBirth && event.creator === wallet) slots.push(slot)
    }
    return Math.min(...slots)
  }

  /** three times in one mint a sell within 25 slots of the buy before it, each buy counting once */
  function isWash(wallet: Key): boolean {
    return mints.some((mint) => {
      let trips = 0
      let boughtAt: number | null = null
      for (const { slot, event } of reference.tradesOf(mint)) {
        if (event.user !== wallet) continue
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
    profile(wallet: Key, populationHold: number) {
      const known = profiles.get(wallet) ?? profile(wallet, populationHold)
      profiles.set(wallet, known)
      return known
    },
  }
}
