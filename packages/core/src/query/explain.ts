import { keyToBase58 } from '../base/base58.ts'
import { isRed, rootOf } from '../engine/bundles/groups.ts'
import { CLASS, classOf } from '../engine/class-memory.ts'
import { ruggedBy } from '../engine/drain.ts'
import { soldInHour } from '../engine/exits.ts'
import { ANSWERERS, MILLION, probabilityOf } from '../engine/outlook/counts.ts'
import { binAt, edgesOf, INPUT_NAMES } from '../engine/outlook/inputs.ts'
import { latchedOf } from '../engine/outlook/outlook.ts'
import { QUESTIONS, type Question } from '../engine/outlook/questions.ts'
import { leftOut } from '../engine/reading/left-out.ts'
import type { Reading } from '../engine/reading/reading.ts'
import type { Contribution } from '../engine/reading/score.ts'
import { dustOf, EDGES } from '../engine/reading/signals.ts'
import { marketCapInQuote } from '../engine/tokens.ts'
import type { Group, Pair } from '../model/bundles.ts'
import type { Latched } from '../model/outlook.ts'
import { evidenceOf } from '../model/pair.ts'
import type { Token } from '../model/state.ts'
import { groupName } from './bundle-name.ts'
import { API_NAME } from './metric-names.ts'
import { ratingsOf } from './ratings.ts'
import { percent, ratio, share, shareOfCounted, turnover } from './round.ts'
import { scoreGroup } from './score.ts'
import { saidOf } from './token-facts.ts'
import type { TokenView } from './view.ts'
import { renderWho } from './who.ts'

/** The explanation of a token's numbers: parts of the score, wallets behind each share, evidence of each bundle. */

/** `holders`: the number of wallets listed per share. */
export function explain(view: TokenView, holders: number) {
  const { live, slot } = view
  const { token } = live
  const reading = view.reading()
  const conditions = view.conditions()
  return {
    mint: keyToBase58(token.mint),
    said_by_deployer: saidOf(token),
    slot,
    quote: explainQuote(live.token),
    score: {
      value: reading.score.value,
      /** Share of the owned supply held by wallets with a track record. */
      coverage: ratio(reading.coverage),
      contributions: reading.score.contributions.map(renderContribution),
      /** Unbundled holders: the number of those that count, and the effective number of all. */
      independent: reading.independent,
    },
    life: explainLife(token, reading),
    memory: explainMemory(token, slot),
    who: renderWho(view),
    served: scoreGroup(reading),
    ratings: ratingsOf(reading, conditions),
    shares: view.shares(holders).of(reading.holders.owned),
    bundles: live.bundles.groups
      .filter((group) => group.mergedInto < 0)
      .map((group) => explainGroup(view, group))
      .sort((a, b) => b.pct_of_supply - a.pct_of_supply),
    one_wallet: explainOneWallet(view),
    outlook: explainOutlook(token),
    signals:
      conditions?.map(({ name, value, also = {}, pump, dump }) => ({
        name,
        value: value === null ? null : Number.isFinite(value) ? ratio(value) : 'infinite',
        also: Object.entries(also).map(([what, number]) => ({ name: what, value: ratio(number) })),
        pump,
        dump,
        edges: EDGES[name]!,
      })) ?? null,
  }
}

/** Per question: the answer of the latest fixed age, null if it was not asked there. */
export const explainOutlook = (token: Token) =>
  Object.fromEntries(
    QUESTIONS.map((question) => [question, explainLatched(token, latchedOf(token, question))] as const),
  ) as Record<Question, ReturnType<typeof explainLatched>>

function explainLatched(token: Token, latched: Latched | null) {
  if (latched === null) return null
  const { slot, n, hits, by, bins } = latched
  const p = probabilityOf(latched)
  return {
    p: p === null ? null : shareOfCounted(n, p / MILLION),
    n,
    hits,
    by: ANSWERERS[by]!,
    age_slots: slot - token.createdSlot,
    slot,
    inputs: INPUT_NAMES.map((input, no) => ({ input, ...edgesOf(input, binAt(bins, no)) })),
  }
}

/**
 * Shares of the busiest wallet and of wash traders in 5 minutes, after the conditions were read; null without a trade.
 */
function explainOneWallet({ live, slot }: TokenView) {
  if (live.token.lastTradeSlot < 0 || live.sizes === null) return null
  const { busiest, wash } = leftOut(live.sizes, slot, dustOf(live.token))
  const pct = (part: number): number => percent(100 * part)
  const part = ({ trades, volume }: typeof wash) => ({ trades_pct: pct(trades), volume_pct: pct(volume) })
  return { busiest: busiest === null ? null : part(busiest), wash: part(wash) }
}

function explainLife(token: Token, { life }: Reading) {
  const { drainedSlot, ruggedSlot } = token
  return {
    dead: life.dead,
    idle_slots: life.idleSlots,
    launch_seen: life.launchSeen,
    phantom_supply_pct: percent(life.phantomPct),
    drained_slot: drainedSlot < 0 ? null : drainedSlot,
    rugged: ruggedSlot < 0 ? null : { slot: ruggedSlot, by: ruggedBy(token) },
  }
}

/** Holdings and sales of the deployer, insiders and all own people, percent of supply. Each group has its own. */
export function explainMemory(token: Token, slot: number) {
  const pct = (tokens: number): number => share(tokens, token.supply)
  return {
    deployer_peak_pct: pct(classOf(token, CLASS.deployer).peak),
    insiders_peak_pct: pct(classOf(token, CLASS.insiders).peak),
    insiders_sold_pct: turnover(classOf(token, CLASS.insiders).sold, token.supply),
    sold_pct: turnover(classOf(token, CLASS.signed).sold, token.supply),
    sold_in_hour_pct: turnover(soldInHour(token, slot), token.supply),
  }
}

/** The quote without a known price; null if SOL and USD amounts are known. */
function explainQuote(token: Token) {
  const { asset } = token
  if (asset === null) return null
  return {
    mint: keyToBase58(asset.mint),
    decimals: asset.decimals < 0 ? null : asset.decimals,
    /** In whole units of the quote, like all amounts of this token. */
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

/** A group's name, those of the groups merged into it, and when it was confirmed. */
export function groupHead({ live: { token, bundles }, wallet }: TokenView, group: Group) {
  return {
    ...groupName(token, group, wallet),
    aliases: bundles.groups
      .filter((other) => other !== group && rootOf(bundles, other.no) === group)
      .map((other) => groupName(token, other, wallet).id),
    confirmed: group.confirmedSlot >= 0,
    confirmed_slot: group.confirmedSlot >= 0 ? group.confirmedSlot : null,
  }
}

/** Linked pairs of the group. */
export const pairsOf = ({ live: { bundles, positions } }: TokenView, group: Group): Pair[] =>
  bundles.pairs.filter(({ a, families }) => families !== 0 && rootOf(bundles, positions.get(a)?.group ?? -1) === group)

function explainGroup(view: TokenView, group: Group) {
  const { live, slot, wallet } = view
  const { token, positions } = live
  const address = (id: number): string => keyToBase58(wallet(id).address)
  return {
    ...groupHead(view, group),
    red: isRed(group, slot),
    pct_of_supply: share(group.balance, token.supply),
    peak_pct_of_supply: share(group.peak, token.supply),
    sold_pct_of_supply: turnover(group.sold, token.supply),
    members: group.members.map((id) => ({
      wallet: address(id),
      pct_of_supply: share(positions.get(id)?.balance ?? 0, token.supply),
    })),
    evidence: pairsOf(view, group).map((pair) => ({
      wallets: [address(pair.a), address(pair.b)],
      families: evidenceOf(pair),
    })),
  }
}
