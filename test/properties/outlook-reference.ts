import type { Key } from '@ti/core/base/ids.ts'
import { VENUE } from '@ti/core/model/events.ts'
import type { Priced, Reference } from './reference.ts'

/**
 * The questions of the outlook a second time: which are put, from what they are measured and what came of them, by scanning the
 * whole history for each. The bands are given, because the cards' readings are compared elsewhere.
 */
export interface ReferenceOutcome {
  readonly question: number
  readonly dueSlot: number
  readonly from: number
  /** null: the log ends before it is due */
  readonly hit: boolean | null
}

const AGES = [75, 150, 750, ...Array.from({ length: 12 }, (_, i) => 2_250 * (i + 1))]

export function referenceQuestions(reference: Reference): ReferenceOutcome[] {
  const endSlot = reference.end.slot
  return reference.mints.flatMap((mint) => {
    const born = reference.birth(mint)?.slot
    if (born === undefined) return []
    return AGES.map((age) => born + age)
      .filter((slot) => slot < endSlot)
      .flatMap((slot) => askedAt(reference, mint, slot))
  })
}

function askedAt(reference: Reference, mint: Key, slot: number): ReferenceOutcome[] {
  const last = reference.priced(mint).findLast((p) => p.slot <= slot)
  if (last === undefined || !isLaunchSeen(reference, mint, slot) || isDead(reference, mint, slot)) return []
  const asked: ReferenceOutcome[] = []
  const reserve = realQuote(reference, mint, last)
  if (reserve >= 2e9) {
    const hit = (p: Priced): boolean => realQuote(reference, mint, p) <= reserve * 0.2
    asked.push({ question: 0, ...outcome(reference, mint, slot, 9_000, hit), from: reserve })
  }
  const graduated = reference.migration(mint)
  const isGraduated = graduated !== undefined && graduated.slot <= slot
  if (isGraduated || last.price / startPrice(reference, mint, slot) >= 2) {
    const hit = (p: Priced): boolean => p.price <= last.price * 0.5
    asked.push({ question: 1, ...outcome(reference, mint, slot, 9_000, hit), from: last.price })
  }
  const free = reference.tradesOf(mint).findLast((t) => t.slot <= slot && !reference.isBundled(t))
  if (free !== undefined && slot - free.slot <= 2_250) {
    asked.push({ question: 2, ...sold(reference, mint, slot, last.price), from: last.price })
  }
  return asked
}

const within = (reference: Reference, mint: Key, slot: number, term: number): Priced[] =>
  reference.priced(mint).filter((p) => p.slot > slot && p.slot <= slot + term)

function outcome(reference: Reference, mint: Key, slot: number, term: number, hit: (p: Priced) => boolean) {
  const dueSlot = slot + term
  return { dueSlot, hit: dueSlot >= reference.end.slot ? null : within(reference, mint, slot, term).some(hit) }
}

function sold(reference: Reference, mint: Key, slot: number, price: number) {
  const dueSlot = slot + 2_250
  if (dueSlot >= reference.end.slot) return { dueSlot, hit: null }
  const later = within(reference, mint, slot, 2_250)
  const exit = later.find((p) => p.price >= price * 2 || p.price <= price * 0.6) ?? later.at(-1)
  const at = exit?.price ?? price
  return { dueSlot, hit: at >= price * 2 || (at > price * 0.6 && at * 0.9875 * 0.9875 > price) }
}

function isLaunchSeen(reference: Reference, mint: Key, slot: number): boolean {
  const created = reference.ofMint(mint).find(({ event }) => event.kind === 'create')
  if (created !== undefined && created.slot <= slot) return true
  const first = reference.tradesOf(mint)[0]
  return first?.event.isBuy === true && first.event.realToken + first.event.tokenAmount === 793_100_000_000_000
}

/** As readers define it at that slot, or as the fold found it at a check since the last trade. */
function isDead(reference: Reference, mint: Key, slot: number): boolean {
  const born = reference.birth(mint)!.slot
  const lastTrade = reference.tradesOf(mint).findLast((t) => t.slot <= slot)?.slot ?? born
  const dead = (at: number): boolean => {
    if (at - born <= 750) return false
    if (at - lastTrade >= 4_500) return true
    const graduated = reference.migration(mint)
    const start = reference.startQuote(mint, at)
    const last = reference.priced(mint).findLast((p) => p.slot <= at)
    const onCurve = graduated === undefined || graduated.slot > at
    return onCurve && start > 0 && (last === undefined || last.event.quoteReserve <= start * 1.02)
  }
  if (dead(slot)) return true
  for (let at = born + 751; at <= slot; at += 750) if (at >= lastTrade && dead(at)) return true
  return false
}

function realQuote(reference: Reference, mint: Key, { event, slot }: Priced): number {
  if (event.venue !== VENUE.pump) return event.quoteReserve
  const start = reference.startQuote(mint, slot)
  return start === 0 ? 0 : Math.max(0, event.quoteReserve - start)
}

/** The curve's at its creation; where that was not seen, before the first trade. */
function startPrice(reference: Reference, mint: Key, slot: number): number {
  const created = reference.ofMint(mint).find(({ event }) => event.kind === 'create')
  if (created !== undefined && created.slot <= slot && created.event.kind === 'create')
    return created.event.quoteReserve / created.event.baseReserve
  const { isBuy, quoteReserve, baseReserve, quoteAmount, tokenAmount } = reference.priced(mint)[0]!.event
  const sign = isBuy ? -1 : 1
  return (quoteReserve + sign * quoteAmount) / (baseReserve - sign * tokenAmount)
}

/** One outcome in the order in which they came due. */
export interface Counted {
  readonly question: number
  readonly ageClass: number
  /** from 0 */
  readonly band: number
  readonly hit: boolean
}

/** Probability in millionths after `outcomes`, and what it is made of. `tableP`: of the card's table, millionths. */
export function referenceProbability(
  outcomes: readonly Counted[],
  of: Pick<Counted, 'question' | 'ageClass' | 'band'>,
  tableP: (one: Pick<Counted, 'question' | 'ageClass' | 'band'>) => number,
) {
  let odds = 1_000_000
  const prior = (one: Pick<Counted, 'question' | 'ageClass' | 'band'>): number => {
    const p = tableP(one)
    return Math.round(((p * odds) / (p * odds + (1_000_000 - p) * 1_000_000)) * 1_000_000)
  }
  const own = outcomes.filter(({ question }) => question === of.question)
  let n = 0
  let hits = 0
  for (const [i, one] of own.entries()) {
    const missed = (one.hit ? 1_000_000 : 0) - prior(one)
    odds = Math.min(20_000_000, Math.max(50_000, Math.round(odds * (1 + (0.015 * missed) / 1_000_000))))
    if (one.ageClass === of.ageClass && one.band === of.band) {
      n++
      if (one.hit) hits++
    }
    if ((i + 1) % 1_000 !== 0) continue
    n = Math.floor(n / 2)
    hits = Math.floor(hits / 2)
  }
  return { n, hits, p: Math.round((100 * prior(of) + hits * 1_000_000) / (100 + n)) }
}
