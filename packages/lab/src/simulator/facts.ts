import { createHash } from 'node:crypto'
import { normaliseLink } from '@ti/core/base/normalise.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { deriveWallet } from './keys.ts'
import type { Links, PlannedFact } from './plan.ts'
import { createRandom, type Random } from './random.ts'
import { type SimToken, tokenKeys } from './tokens.ts'
import { walletKey } from './traders.ts'

/** Slots between two SOL prices: a minute. */
const PRICE_SLOTS = 150
/** Slots within which all facts of a launch are known. */
const FACT_SLOTS_MAX = 600
/** The largest number of pending facts, far above any market's need. */
const WAITING_MAX = 200_000
/** Earlier links and images that can be copied. */
const COPYABLE = 300

interface FactStream {
  /** Facts known by `slot`, given the launches since the last call. */
  step(slot: number, launched: readonly SimToken[]): PlannedFact[]
  /** Schedules a fact that becomes known `delay` slots after `slot`. */
  later(slot: number, delay: number, fact: PlannedFact): void
}

/** Facts from outside the chain: SOL price, metadata, images, paid listings, and delayed findings of observers. */
export function createFacts(seed: number, start: number): FactStream {
  const random = createRandom(seed, 0x5fac7, 1)
  const waiting: PlannedFact[][] = Array.from({ length: FACT_SLOTS_MAX }, () => [])
  const copyable: string[] = []
  let usd = 150
  let next = start
  let priced = start
  let expected = 0

  const link = (fresh: string): string => {
    if (copyable.length > 0 && random.chance(0.12)) return random.pick(copyable)
    if (copyable.length < COPYABLE) copyable.push(fresh)
    else copyable[random.int(COPYABLE)] = fresh
    return fresh
  }
  const images: string[] = []
  const image = (token: SimToken): string => {
    if (images.length > 0 && (token.copiesImage || random.chance(0.1))) return random.pick(images)
    const fresh = `https://images.example/${token.id.toString(36)}.png`
    if (images.length < COPYABLE) images.push(fresh)
    else images[random.int(COPYABLE)] = fresh
    return fresh
  }
  const expect = (slot: number, delay: number, fact: PlannedFact) => {
    if (expected >= WAITING_MAX) return
    expected++
    waiting[(slot + Math.min(FACT_SLOTS_MAX - 1, Math.max(1, delay))) % FACT_SLOTS_MAX]!.push(fact)
  }
  /** Links of launches that others may copy. */
  const known = new WeakMap<SimToken, Links>()
  const launch = (token: SimToken) => {
    const copied = token.copies === null ? undefined : known.get(token.copies)
    if (copied !== undefined) {
      expect(token.createdSlot, 1, { kind: 'metadata', token, links: copied })
      if (copied.image !== null) expect(token.createdSlot, 2, { kind: 'image_hash', token, image: copied.image })
      return
    }
    const links = linksOf(token, random, link, image)
    known.set(token, links)
    const delay = 5 + random.int(40)
    if (random.chance(0.95)) expect(token.createdSlot, delay, { kind: 'metadata', token, links })
    if (links.image !== null && random.chance(0.95))
      expect(token.createdSlot, delay + 1 + random.int(15), { kind: 'image_hash', token, image: links.image })
    if (random.chance(0.03)) expect(token.createdSlot, 100 + random.int(450), { kind: 'dex_paid', token })
  }

  return {
    later: expect,
    step(slot, launched) {
      const facts: PlannedFact[] = []
      for (const token of launched) launch(token)
      while (next <= slot) {
        for (const fact of waiting[next % FACT_SLOTS_MAX]!) facts.push(fact)
        waiting[next % FACT_SLOTS_MAX] = []
        next++
      }
      expected -= facts.length
      if (slot >= priced) {
        facts.push({ kind: 'sol_price', usd: Math.round(usd * 100) / 100 })
        usd *= 1 + random.between(-0.0015, 0.0015) + (150 - usd) * 0.00002
        priced += PRICE_SLOTS
      }
      return facts
    },
  }
}

function linksOf(token: SimToken, random: Random, link: (l: string) => string, image: (t: SimToken) => string): Links {
  const slug = `${token.symbol.toLowerCase()}${random.int(1000)}`
  return {
    description: random.chance(0.6) ? `${token.name}, a token of the simulated market` : null,
    image: random.chance(0.97) ? image(token) : null,
    twitter: random.chance(0.65) ? link(`https://x.com/${slug}`) : null,
    telegram: random.chance(0.35) ? link(`https://t.me/${slug}`) : null,
    website: random.chance(0.3) ? link(`https://${slug}.example/`) : null,
  }
}

/** The fact in the log's format. `time`: the current Unix seconds. */
export function writeFact(seed: number, fact: PlannedFact, time: number): Fact {
  if (fact.kind === 'sol_price') return fact
  if (fact.kind === 'kol' || fact.kind === 'agent') return { ...fact, wallet: walletKey(seed, fact.wallet) }
  if (fact.kind === 'funding') {
    const { slot, exchange, lamports } = fact
    const about = { wallet: deriveWallet(seed, fact.wallet), funder: deriveWallet(seed, fact.funder), slot, exchange }
    return { kind: 'funding', ...about, lamports }
  }
  const { mint } = tokenKeys(seed, fact.token)
  if (fact.kind === 'dex_paid') return { kind: 'dex_paid', mint, time }
  if (fact.kind === 'image_hash')
    return { kind: 'image_hash', mint, sha256: createHash('sha256').update(fact.image).digest('hex') }
  const { links } = fact
  const norm = (text: string | null) => (text === null ? null : normaliseLink(text))
  return {
    kind: 'metadata',
    mint,
    ...links,
    twitterNorm: norm(links.twitter),
    telegramNorm: norm(links.telegram),
    websiteNorm: norm(links.website),
  }
}
