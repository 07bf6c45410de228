import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { Chain, LogEntry } from '@ti/core/model/entries.ts'
import { type ChainEvent, type EventHead, QUOTE, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import type { Fact } from '@ti/core/model/facts.ts'

/**
 * A market as log entries, each a pure function of (seed, pattern, seq): after a kill the run goes on at any entry without
 * making the ones before it. Nothing is remembered from entry to entry; prices and holders follow from a token's age.
 * Cost: about 0.02 ms a block.
 */
export const PATTERNS = ['live', 'catchup', 'mixed'] as const
export type Pattern = (typeof PATTERNS)[number]

export interface Market {
  entry(seq: number): Exclude<LogEntry, Chain>
  /** events of a commit from this entry on: 1 is a commit for each entry */
  commitEvents(seq: number): number
  /** the first entry after `seq` at which `commitEvents` may change */
  phaseEnd(seq: number): number
  /** launches up to an entry; numbers count from 0 */
  launched(seq: number): number
  mint(token: number): Key
  /** the account its trades name first */
  curve(token: number): Key
}

/** Entries between two launches, and launches between two big tokens: each big one trades for 3,000 entries. */
const LAUNCH_EVERY = 6
const BIG_EVERY = 500
const SLOTS_PER_ENTRY = 3
/** entries of one phase of the mixed pattern; a third of the phases ends with a pause in slots */
const PHASE = 1_024
/** slots: all tokens die in the first, open positions are written off in the second */
const PAUSES = [9_500, 230_000]
/** entries after its launch at which a token that graduates sells out, and migrates */
const SOLD_OUT = 240
const MIGRATES = 252
/** wallets that trade many tokens */
const REGULARS = 30_000
const START = { sol: 30e9, token: 1_073_000_000e6, real: 793_100_000e6, supply: 1e15 }
const START_TIME = 1_600_000_000

/** What a derived key is for. */
const OF = { mint: 1, curve: 2, pool: 3, wallet: 4, regular: 5, sig: 6, deployer: 7 } as const

export function createMarket(seed: number, pattern: Pattern): Market {
  const salt = mix(seed >>> 0, PATTERNS.indexOf(pattern) + 1)
  const bytes = Buffer.alloc(64)

  function derived(what: number, a: number, b: number, length: number): string {
    let state = mix(mix(salt, what), mix(a, b))
    for (let i = 0; i < length; i += 4) {
      state = mix(state, i + 1)
      bytes.writeUInt32LE(state, i)
    }
    return bytes.toString('latin1', 0, length)
  }
  const key = (what: number, a: number, b = 0): Key => derived(what, a, b, 32) as Key
  const mint = (token: number): Key => key(OF.mint, token)
  const curve = (token: number): Key => key(OF.curve, token)
  const graduates = (token: number): boolean => token % 9 === 4
  const isBig = (token: number): boolean => token % BIG_EVERY === 0

  /** the `no`-th holder of a token: half are new wallets, half trade elsewhere too */
  function holder(token: number, no: number): Key {
    const draw = mix(mix(salt, token), no)
    if (draw % 2 === 0) return key(OF.wallet, token, no)
    const at = (draw >>> 1) / 2 ** 31
    return key(OF.regular, Math.floor(at * at * REGULARS))
  }

  const pauses = (seq: number): number => {
    if (pattern !== 'mixed') return 0
    let slots = 0
    for (let phase = 0; phase < Math.floor(seq / PHASE); phase++) slots += pauseAfter(phase)
    return slots
  }
  /** the same phases are asked for again and again */
  const paused: number[] = []
  function pauseAfter(phase: number): number {
    const draw = mix(mix(salt, 77), phase)
    if (draw % 3 !== 0) return 0
    return PAUSES[(draw >>> 8) % 8 === 0 ? 1 : 0]!
  }
  const slotOf = (seq: number): number => {
    const phase = Math.floor(seq / PHASE)
    paused[phase] ??= pauses(seq)
    return 1_000 + seq * SLOTS_PER_ENTRY + paused[phase]
  }

  function entry(seq: number): Exclude<LogEntry, Chain> {
    const random = randomFrom(mix(mix(salt, 99), seq))
    const slot = slotOf(seq)
    const time = START_TIME + slot * 0.4
    const kind = seq === 0 ? 0 : random()
    if (kind < 0.04) return { kind: 'facts', time, ...factsOf(seq, slot, random) }
    if (kind < 0.043) return { kind: 'gap', from: slot, to: slot + 1 }
    const events: ChainEvent[] = []
    const token = Math.floor(seq / LAUNCH_EVERY)
    if (seq % LAUNCH_EVERY === 0) events.push(createEvent(token, at(seq, 0)))
    graduations(seq, events)
    const burst = pattern === 'mixed' && mix(mix(salt, 55), Math.floor(seq / 64)) % 12 === 0
    const count = (burst ? 40 : 3) + Math.floor(random() * (burst ? 80 : 8))
    for (let i = 0; i < count; i++) events.push(someEvent(seq, token, events.length, random))
    return { kind: 'block', slot, parent: slot - 1, time, events }
  }

  const at = (seq: number, no: number): Omit<EventHead, 'mint'> => ({
    sig: derived(OF.sig, seq, no, 64) as Sig,
    txIndex: no,
    outer: 1,
    inner: 0,
  })

  function graduations(seq: number, events: ChainEvent[]): void {
    for (const [age, kind] of [
      [SOLD_OUT, 'complete'],
      [MIGRATES, 'migrate'],
    ] as const) {
      const launch = seq - age
      if (launch < 0 || launch % LAUNCH_EVERY !== 0) continue
      const token = launch / LAUNCH_EVERY
      if (!graduates(token)) continue
      const position = at(seq, events.length)
      if (kind === 'complete') events.push({ kind, ...position, mint: mint(token) })
      else events.push({ kind, ...position, mint: mint(token), pool: key(OF.pool, token) })
    }
  }

  function createEvent(token: number, position: Omit<EventHead, 'mint'>): ChainEvent {
    const creator = deployerOf(token)
    const text = `coin ${mix(salt, token) % 5_000}`
    return {
      kind: 'create',
      ...position,
      launchpad: 1,
      mint: mint(token),
      pool: curve(token),
      creator,
      user: creator,
      payer: creator,
      signed: true,
      name: text,
      symbol: text,
      uri: `https://example.org/${token}.json`,
      nameNorm: text,
      symbolNorm: text,
      quote: QUOTE.SOL,
      supply: START.supply,
      decimals: 6,
      quoteReserve: START.sol,
      baseReserve: START.token,
      mayhem: false,
    }
  }
  /** a few hundred launch again and again */
  const deployerOf = (token: number): Key => {
    const draw = mix(mix(salt, 33), token)
    return draw % 3 === 0 ? key(OF.deployer, draw % 400) : key(OF.deployer, 1_000 + token)
  }

  /** Most trades go to young tokens, a third to the big one of the time. */
  function someEvent(seq: number, newest: number, no: number, random: () => number): ChainEvent {
    const draw = random()
    const back = random()
    const big = newest - (newest % BIG_EVERY)
    const token = draw < 0.33 ? big : Math.max(0, newest - Math.floor(back * back * back * 300))
    const age = seq - token * LAUNCH_EVERY
    const holders = 1 + age * (isBig(token) ? 2 : 0.2)
    const wallet = holder(token, Math.floor(random() * holders))
    const position = at(seq, no)
    if (random() < 0.04) {
      const amount = Math.floor(random() * 40_000_000e6)
      const moved = { owner: wallet, account: -1, before: 0, after: amount, explained: 0 }
      return { kind: 'balance', ...position, mint: mint(token), program: false, swap: false, ...moved }
    }
    return trade(token, age, wallet, position, random)
  }

  function trade(
    token: number,
    age: number,
    wallet: Key,
    position: Omit<EventHead, 'mint'>,
    random: () => number,
  ): TradeEvent {
    const migrated = graduates(token) && age > MIGRATES
    const size = random()
    const isBuy = random() < 0.62
    // up to some peak and back down, with noise
    const peak = isBig(token) ? 70e9 : (mix(mix(salt, 44), token) % 40) * 1e9
    const share = Math.min(1, age / (isBig(token) ? 1_500 : 200))
    const quoteReserve = Math.floor(START.sol + peak * share * (0.8 + 0.2 * random()))
    const baseReserve = Math.floor((START.sol * START.token) / quoteReserve)
    const quoteAmount = Math.floor(10_000_000 + size * size * size * 3e9)
    const fee = Math.ceil(quoteAmount / 80)
    return {
      kind: 'trade',
      ...position,
      venue: migrated ? VENUE.pumpswap : VENUE.pump,
      mint: mint(token),
      pool: migrated ? key(OF.pool, token) : curve(token),
      user: wallet,
      isBuy,
      quote: QUOTE.SOL,
      quoteAmount,
      userQuote: isBuy ? quoteAmount + fee : quoteAmount - fee,
      tokenAmount: Math.floor((quoteAmount * baseReserve) / quoteReserve),
      quoteReserve,
      baseReserve,
      quoteBefore: -1,
      realToken: migrated ? -1 : Math.max(0, baseReserve - (START.token - START.real)),
      supply: START.supply,
      decimals: 6,
      creator: deployerOf(token),
      mayhem: false,
      payer: random() < 0.05 ? key(OF.regular, Math.floor(random() * 50)) : wallet,
      tipper: random() < 0.1 ? key(OF.regular, Math.floor(random() * 200)) : null,
      solBefore: 5e9,
      solAfter: Math.floor(random() * 100e9),
      hop: false,
      account: -1,
      held: 0,
    }
  }

  function factsOf(seq: number, slot: number, random: () => number): { byOperator: boolean; facts: Fact[] } {
    const draw = random()
    const token = Math.max(0, Math.floor(seq / LAUNCH_EVERY) - Math.floor(random() * 20))
    const wallet = holder(token, Math.floor(random() * 40))
    const source = (...facts: Fact[]) => ({ byOperator: false, facts })
    if (seq === 0 || draw < 0.15) return source({ kind: 'sol_price', usd: 100 + Math.floor(random() * 10_000) / 100 })
    if (draw < 0.4) {
      const funder = key(OF.regular, Math.floor(random() * 500))
      const exchange = random() < 0.1
      const at = Math.max(0, slot - Math.floor(random() * 900))
      return source({ kind: 'funding', wallet, funder, slot: at, exchange, lamports: 1_000_000_000 })
    }
    if (draw < 0.45) return source({ kind: 'kol', wallet, name: random() < 0.2 ? null : `name ${token}` })
    if (draw < 0.48) return { byOperator: true, facts: [{ kind: 'agent', wallet, name: `agent ${token % 20}` }] }
    if (draw < 0.55) return source({ kind: 'dex_paid', mint: mint(token), time: START_TIME + Math.floor(slot * 0.4) })
    if (draw < 0.65)
      return source({ kind: 'image_hash', mint: mint(token), sha256: sha256Text(mix(salt, token % 900)) })
    return source(metadataOf(token))
  }

  function metadataOf(token: number): Fact {
    const draw = mix(mix(salt, 66), token)
    const handle = `handle${draw % 3_000}`
    return {
      kind: 'metadata',
      mint: mint(token),
      description: 'A coin of many words. '.repeat(draw % 40),
      image: `https://example.org/${draw % 900}.png`,
      twitter: `https://x.com/${handle}`,
      telegram: draw % 2 === 0 ? `https://t.me/${handle}` : null,
      website: draw % 3 === 0 ? `https://${handle}.example.org` : null,
      twitterNorm: handle,
      telegramNorm: draw % 2 === 0 ? handle : null,
      websiteNorm: draw % 3 === 0 ? `${handle}.example.org` : null,
    }
  }

  /** catching up: sizes from 20 to 2,000 events; mixed: phases of all kinds */
  function commitEvents(seq: number): number {
    if (pattern === 'live') return 1
    const phase = Math.floor(seq / PHASE)
    const draw = mix(mix(salt, 88), phase)
    if (pattern === 'mixed' && draw % 4 !== 0) return 1
    return [2_000, 2_000, 600, 150, 20][(draw >>> 8) % 5]!
  }

  return {
    entry,
    commitEvents,
    phaseEnd: (seq) => (Math.floor(seq / PHASE) + 1) * PHASE,
    launched: (seq) => Math.floor(seq / LAUNCH_EVERY) + 1,
    mint,
    curve,
  }
}

const sha256Text = (n: number): string => n.toString(16).padStart(8, '0').repeat(8)

/** Mixes two numbers into 32 bits. */
export function mix(a: number, b: number): number {
  let t = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b)) >>> 0
  t = Math.imul(t ^ (t >>> 15), 0x2c1b3c6d)
  t = Math.imul(t ^ (t >>> 12), 0x297a2d39)
  return (t ^ (t >>> 15)) >>> 0
}

/** In [0, 1). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    return mix(state, 7) / 2 ** 32
  }
}
