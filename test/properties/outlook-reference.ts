import type { Key } from '@ti/core/base/ids.ts'
import { VENUE } from '@ti/core/model/events.ts'
import type { Priced, Reference } from './reference.ts'

/**
 * The questions of the outlook a second time: which are put, from what they are measured and what came of them, by scanning the
 * whole history for each; and what the fold learns from them, from the bins it put them into.
 */
export interface ReferenceOutcome {
  readonly question: number
  readonly dueSlot: number
  readonly from: number
  /** price over the first one, and slots without a trade */
  readonly multiple: number
  readonly idle: number
  /** null: the log ends before it is due */
  readonly hit: boolean | null
}

const AGES = [
  ...[75, 150, 750],
  ...Array.from({ length: 12 }, (_, i) => 2_250 * (i + 1)),
  ...Array.from({ length: 100 }, (_, i) => 27_000 + 9_000 * (i + 1)),
]

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
  const start = startPrice(reference, mint, slot)
  const lastTrade = reference.tradesOf(mint).findLast((t) => t.slot <= slot)?.slot ?? reference.birth(mint)!.slot
  const readings = { multiple: last.price / start, idle: slot - lastTrade }
  const reserve = realQuote(reference, mint, last)
  if (reserve >= 2e9) {
    const hit = (p: Priced): boolean => realQuote(reference, mint, p) <= reserve * 0.2
    asked.push({ question: 0, ...outcome(reference, mint, slot, 9_000, hit), from: reserve, ...readings })
  }
  const graduated = reference.migration(mint)
  const isGraduated = graduated !== undefined && graduated.slot <= slot
  if (isGraduated || readings.multiple >= 2) {
    const hit = (p: Priced): boolean => p.price <= last.price * 0.5
    asked.push({ question: 1, ...outcome(reference, mint, slot, 9_000, hit), from: last.price, ...readings })
  }
  const free = reference.tradesOf(mint).findLast((t) => t.slot <= slot && !reference.isBundled(t))
  if (free !== undefined && slot - free.slot <= 2_250) {
    asked.push({ question: 2, ...sold(reference, mint, slot, last.price), from: last.price, ...readings })
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
  readonly age: number
  /** by input, from 0 */
  readonly bins: readonly number[]
  readonly hit: boolean
}
type Like = Omit<Counted, 'hit'>
type Share = { n: number; hits: number }

const INPUTS = 8
const NAMES = 2 + INPUTS
/** 64 times the logarithm to base 2, rounded down */
const log64 = (x: number): number => (BigInt(x) ** 64n).toString(2).length - 1
const total = (shares: readonly Share[]): Share =>
  shares.reduce((a, b) => ({ n: a.n + b.n, hits: a.hits + b.hits }), { n: 0, hits: 0 })

/** What the fold learns, a second time: counts by name, exact logarithms, everything computed anew for each outcome. */
export class ReferenceOutlook {
  readonly #shares = new Map<string, Share>()
  readonly #weights = new Map<string, number>()
  readonly #errors = new Map<string, number>()
  readonly #by = new Map<number, number>()
  readonly #since = new Map<number, number>()

  #share(name: string): Share {
    const share = this.#shares.get(name) ?? { n: 0, hits: 0 }
    this.#shares.set(name, share)
    return share
  }

  /** of the first input, in whose bins all outcomes are */
  #ofAge = (question: number, age: number): Share =>
    total(Array.from({ length: 16 }, (_, bin) => this.#share(`${question} bin ${age} 0 ${bin}`)))

  #ofBin = ({ question, age, bins }: Like, input: number): Share =>
    this.#share(`${question} bin ${age} ${input} ${bins[input]}`)

  #parts(like: Like): number[] {
    const ages = [0, 1, 2].map((age) => this.#ofAge(like.question, age))
    const ratio = ({ n, hits }: Share, expected: number): number =>
      log64(64 * hits + 128) - log64(expected + 128) - (log64(64 * (n - hits) + 128) - log64(64 * n - expected + 128))
    return Array.from({ length: INPUTS }, (_, input) => {
      const own = [0, 1, 2].map((age) => this.#ofBin({ ...like, age }, input))
      const expected = own.map(({ n }, age) => (n === 0 ? 0 : Math.floor((64 * n * ages[age]!.hits) / ages[age]!.n)))
      const here = own[like.age]!
      const everywhere = ratio(total(own), expected[0]! + expected[1]! + expected[2]!)
      return Math.floor((here.n * ratio(here, expected[like.age]!) + 30 * everywhere) / (here.n + 30))
    })
  }

  /** half doublings, -16 to 16 */
  #sum({ question, age }: Like, parts: readonly number[]): number {
    const all = total([0, 1, 2].map((one) => this.#ofAge(question, one)))
    const missed = all.n - all.hits
    if (all.hits === 0 || missed === 0) return 0
    const { n, hits } = this.#ofAge(question, age)
    const odds = log64(hits * all.n + 2 * all.hits) - log64((n - hits) * all.n + 2 * missed)
    const usual = log64(all.hits) - log64(missed)
    let weighted = 0
    for (const [input, part] of parts.entries()) weighted += part * (this.#weights.get(`${question} ${input}`) ?? 5e5)
    return Math.max(-16, Math.min(16, Math.floor((odds - usual + weighted / 1e6) / 32 + 0.5)))
  }

  /** from the lowest sum on, each bin joins the bins below it while those are few or came true as often */
  #ofSum(question: number, sum: number): Share {
    let pools: { members: number[]; share: Share }[] = []
    const joined = (some: typeof pools): (typeof pools)[number] => ({
      members: some.flatMap(({ members }) => members),
      share: total(some.map(({ share }) => share)),
    })
    for (let bin = -16; bin <= 16; bin++) {
      pools.push({ members: [bin], share: this.#share(`${question} sum ${bin}`) })
      for (;;) {
        const [below, above] = pools.slice(-2).map(({ share }) => share)
        if (above === undefined) break
        const falls = below!.hits * above.n >= above.hits * below!.n
        if (below!.n >= 20 && !falls) break
        pools = [...pools.slice(0, -2), joined(pools.slice(-2))]
      }
    }
    if (pools.at(-1)!.share.n < 20 && pools.length > 1) pools = [...pools.slice(0, -2), joined(pools.slice(-2))]
    return pools.find(({ members }) => members.includes(sum))!.share
  }

  #answerOf(like: Like, by: number): Share {
    if (by === 0) return this.#ofSum(like.question, this.#sum(like, this.#parts(like)))
    return by === 1 ? this.#ofAge(like.question, like.age) : this.#ofBin(like, by - 2)
  }

  answer(like: Like): Share & { by: number } {
    const isNew = this.#ofAge(like.question, like.age).n < 20
    const by = isNew ? 1 : (this.#by.get(like.question) ?? 0)
    return { ...this.#answerOf(like, by), by }
  }

  learn({ hit, ...like }: Counted): void {
    const { question, age, bins } = like
    const came = hit ? 1e6 : 0
    const own = this.#ofAge(question, age)
    const rate = (1e6 * (own.hits + 1)) / (own.n + 2)
    for (let by = 0; by < NAMES; by++) {
      const { n, hits } = this.#answerOf(like, by)
      const missed = Math.round((1e6 * hits + 2 * rate) / (n + 2)) - came
      const name = `${question} ${by}`
      this.#errors.set(name, (this.#errors.get(name) ?? 0) + Math.round((missed * missed) / 1e6))
    }
    const parts = this.#parts(like)
    const sum = this.#sum(like, parts)
    const { n, hits } = this.#ofSum(question, sum)
    if (n >= 20) {
      const error = came - Math.round((1e6 * hits) / n)
      for (const [input, part] of parts.entries()) {
        const name = `${question} ${input}`
        const weight = (this.#weights.get(name) ?? 5e5) + Math.round((1e4 * error * part) / 64e6)
        this.#weights.set(name, Math.max(0, Math.min(1.5e6, weight)))
      }
    }
    const all = total([0, 1, 2].map((one) => this.#ofAge(question, one)))
    const names = [`${question} sum ${sum}`, ...bins.map((bin, input) => `${question} bin ${age} ${input} ${bin}`)]
    for (const share of names.map((name) => this.#share(name))) {
      share.n++
      if (hit) share.hits++
    }
    const came2 = all.hits + Number(hit)
    if (all.n + 1 >= 32_768 || Math.min(came2, all.n + 1 - came2) >= 500) this.#halve(question)
    this.#decide(question)
  }

  #decide(question: number): void {
    const since = (this.#since.get(question) ?? 0) + 1
    this.#since.set(question, since % 500)
    if (since < 500) return
    const errorOf = (by: number): number => this.#errors.get(`${question} ${by}`) ?? 0
    const names = Array.from({ length: NAMES }, (_, by) => by)
    const best = names.reduce((least, by) => (errorOf(by) < errorOf(least) ? by : least))
    if (errorOf(best) < 0.99 * errorOf(this.#by.get(question) ?? 0)) this.#by.set(question, best)
    if (errorOf(0) > 1.02 * errorOf(1)) this.#halve(question)
    for (const by of names) this.#errors.set(`${question} ${by}`, Math.floor(errorOf(by) / 2))
  }

  #halve(question: number): void {
    for (const [name, share] of this.#shares) {
      if (!name.startsWith(`${question} `)) continue
      share.n = Math.floor(share.n / 2)
      share.hits = Math.floor(share.hits / 2)
    }
  }
}
