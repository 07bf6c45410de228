import { keyToBase58 } from '../base/base58.ts'
import { confirmedGroup, isRed, rootOf } from '../engine/bundles/groups.ts'
import { FAMILIES, type Group, type Pair } from '../engine/bundles/state.ts'
import { CLASSES } from '../engine/constants.ts'
import * as history from '../engine/history.ts'
import { DIRTY, type DirtyReason, dirtyReasons, isAlphaHands, isJeet } from '../engine/reading/classes.ts'
import type { Market } from '../engine/reading/market.ts'
import { ownerOf } from '../engine/reading/scan.ts'
import type { Contribution } from '../engine/reading/score.ts'
import type { Position, Token, Wallet } from '../engine/state.ts'
import type { LiveToken } from '../engine/token-book.ts'
import { holderMinimum, marketCapInQuote, priceOf } from '../engine/tokens.ts'
import { isInProfit } from '../engine/units.ts'
import { bundleName } from './bundle-name.ts'
import { API_NAME } from './metric-names.ts'
import { ratingsOf } from './ratings.ts'
import { percent, ratio, share } from './round.ts'
import { scoreGroup } from './score.ts'
import type { TokenView } from './view.ts'

/** Why a token's numbers are what they are: what the score is made of, who is behind each share, what ties a bundle. */
export type Explanation = ReturnType<typeof explain>

/** `holders`: at most so many wallets are named per share. */
export function explain(view: TokenView, holders: number) {
  const { live, slot } = view
  const { token } = live
  const reading = view.reading()
  const conditions = view.conditions()
  return {
    mint: keyToBase58(token.mint),
    name: token.name,
    symbol: token.symbol,
    slot,
    quote: explainQuote(live.token),
    score: {
      value: reading.score.value,
      /** share of the owned supply held by wallets with history */
      coverage: ratio(reading.coverage),
      contributions: reading.score.contributions.map(renderContribution),
    },
    served: scoreGroup(reading),
    ratings: ratingsOf(reading, conditions),
    shares: explainShares(view, reading.holders.owned, holders),
    bundles: live.bundles.groups
      .filter((group) => group.mergedInto < 0)
      .map((group) => explainGroup(view, group))
      .sort((a, b) => b.pct_of_supply - a.pct_of_supply),
    signals:
      conditions?.map(({ name, value, pump, dump }) => ({
        name,
        value: value === null ? null : Number.isFinite(value) ? ratio(value) : 'infinite',
        pump,
        dump,
      })) ?? null,
  }
}

/** What nobody knows the price of; null where SOL and USD amounts can be told. */
function explainQuote(token: Token) {
  const { asset } = token
  if (asset === null) return null
  return {
    mint: keyToBase58(asset.mint),
    decimals: asset.decimals < 0 ? null : asset.decimals,
    /** in whole units of the quote, like every amount of this token that is no share of supply */
    market_cap: marketCapInQuote(token),
  }
}

function renderContribution({ part, micro }: Contribution) {
  const points = micro / 1e6
  if (part.kind !== 'metric') return { what: part.kind === 'cap' ? `cap: ${part.cap}` : part.kind, points }
  return {
    what: API_NAME[part.metric],
    reading: percent(part.x),
    rated: ratio(part.points),
    weight: part.weight,
    points,
  }
}

type Test = (position: Position, wallet: Wallet, bundled: boolean) => string[] | null

const yes: string[] = []

/** Whether a holder counts for a share, and why where that needs words. */
function testsOf(view: TokenView): Record<string, Test> {
  const { live, slot, market } = view
  const { token } = live
  const price = priceOf(token)
  const populationRate = history.populationHealthyRate(market.population)
  const impactBelow =
    (edge: number): Test =>
    (_, wallet) => {
      const impact = history.sellImpact(wallet)
      return impact !== null && impact < edge ? [`sell impact ${percent(impact)}`] : null
    }
  return {
    bundle_pct: (position, _, bundled) => (bundled ? [nameOf(view, confirmedGroup(live.bundles, position)!)] : null),
    dirty_pct: (position, wallet, bundled) => reasonsOf(live, position, wallet, bundled, market),
    dumpers_pct: impactBelow(CLASSES.dumperImpact),
    chart_nukers_pct: impactBelow(CLASSES.nukerImpact),
    jeets_pct: (_, wallet) => (isJeet(wallet) ? [`median hold ${history.medianHoldSlots(wallet)} slots`] : null),
    alpha_hands_pct: (_, wallet) =>
      isAlphaHands(wallet, populationRate) ? [`${wallet.picksHealthy} of ${wallet.picksResolved} picks healthy`] : null,
    diamond_hands_pct: ({ acquiredSlot }) => (slot - acquiredSlot >= CLASSES.diamondSlots ? yes : null),
    in_profit_pct: (position) => (isInProfit(token, position, price, market.solUsd) ? yes : null),
    smart_wallets: (_, wallet) => (history.isSmartAt(wallet, slot) ? yes : null),
  }
}

function reasonsOf(live: LiveToken, position: Position, wallet: Wallet, bundled: boolean, market: Market) {
  const bits = dirtyReasons(live.token, position, wallet, bundled, market)
  if (bits === 0) return null
  return (Object.keys(DIRTY) as DirtyReason[]).filter((reason) => (bits & DIRTY[reason]) !== 0)
}

/** The largest holders behind each share of the owned supply. */
function explainShares(view: TokenView, owned: number, max: number) {
  const { live, market } = view
  const minimum = holderMinimum(live.token)
  const positions = [...live.positions.values()]
    .filter(({ balance }) => balance >= minimum)
    .sort((a, b) => b.balance - a.balance || a.wallet - b.wallet)
  return Object.fromEntries(
    Object.entries(testsOf(view)).map(([name, test]) => {
      let held = 0
      const found: { wallet: string; pct: number; why?: string[] }[] = []
      let count = 0
      for (const position of positions) {
        const wallet = ownerOf(position, market)
        const why = test(position, wallet, confirmedGroup(live.bundles, position) !== null)
        if (why === null) continue
        count++
        held += position.balance
        if (found.length >= max) continue
        const row = { wallet: keyToBase58(wallet.address), pct: share(position.balance, owned) }
        found.push(why.length > 0 ? { ...row, why } : row)
      }
      return [name, { pct: share(held, owned), wallets: count, largest: found }]
    }),
  )
}

function nameOf({ live, wallet }: TokenView, group: Group): string {
  return bundleName(live.token.mint, group.firstSlot, wallet(group.founder).address).id
}

function explainGroup(view: TokenView, group: Group) {
  const { live, slot, wallet } = view
  const { token, bundles, positions } = live
  const address = (id: number): string => keyToBase58(wallet(id).address)
  return {
    ...bundleName(token.mint, group.firstSlot, wallet(group.founder).address),
    aliases: bundles.groups
      .filter((other) => other !== group && rootOf(bundles, other.no) === group)
      .map((other) => nameOf(view, other)),
    confirmed: group.confirmedSlot >= 0,
    confirmed_slot: group.confirmedSlot >= 0 ? group.confirmedSlot : null,
    red: isRed(group, slot),
    pct_of_supply: share(group.balance, token.supply),
    peak_pct_of_supply: share(group.peak, token.supply),
    members: group.members.map((id) => ({
      wallet: address(id),
      pct_of_supply: share(positions.get(id)?.balance ?? 0, token.supply),
    })),
    evidence: bundles.pairs
      .filter((pair) => pair.linked && rootOf(bundles, positions.get(pair.a)?.group ?? -1) === group)
      .map((pair) => ({ wallets: [address(pair.a), address(pair.b)], ...renderEvidence(pair) })),
  }
}

function renderEvidence({ weights, slots }: Pair) {
  let left = 1
  const families = FAMILIES.flatMap((family, n) => {
    const weight = weights[n]!
    if (weight === 0) return []
    left *= 1 - weight
    return [{ family, weight: ratio(weight), slot: slots[n]! }]
  })
  return { probability: ratio(1 - left), families }
}
