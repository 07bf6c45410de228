import type { Key } from '@ti/core/base/ids.ts'
import { QUOTE, type Quote, VENUE, type Venue } from '@ti/core/model/events.ts'
import type { Pool } from './amm.ts'
import { type Curve, createCurve, LAUNCHLAB_START, START_VIRTUAL_SOL, START_VIRTUAL_USDC } from './curve.ts'
import { deriveKey } from './keys.ts'
import type { Random } from './random.ts'
import type { Wallet } from './traders.ts'
import type { LaunchKind } from './truth.ts'
import type { Draft } from './truth-draft.ts'

export interface Position {
  readonly wallet: Wallet
  readonly token: SimToken
  tokens: number
  /** Quote base units paid for the current balance. */
  cost: number
  looks: number
  /** True if its token account exists. */
  account: boolean
}

export interface SimToken {
  readonly id: number
  readonly createdSlot: number
  readonly deployer: Wallet
  readonly name: string
  readonly symbol: string
  readonly uri: string
  readonly quote: Quote
  readonly mayhem: boolean
  /** True if the creator fee goes to a shareholder list of one. */
  readonly shared: boolean
  /** Program of the curve. */
  readonly venue: Venue
  readonly curve: Curve
  pool: Pool | null
  /** True if its pool is not followed, so that it trades no more here. */
  left: boolean
  /** Slot in which the curve sold out, -1 before. */
  completedSlot: number
  /** Slot of the planned migration, -1 before the curve is sold out. */
  migrateSlot: number
  /** Expected share of the market's attention: initial value, decay per slot, and the part added by buys. */
  heat: number
  cooling: number
  /** Standard normal; visible to good pickers, but not yet in the market cap. */
  readonly quality: number
  excitement: number
  /** Attention added by notable holders so far, as a sum of shares. */
  lifted: number
  /** Quote per token, base units: at launch, now, slow mean, highest. */
  readonly startPrice: number
  price: number
  slowPrice: number
  highPrice: number
  readonly positions: Map<Wallet, Position>
  /** Some earlier buyers, who may return. */
  readonly regulars: Wallet[]
  trades: number
  /** Slot of the last trade, or of the launch. */
  lastSlot: number
  /** A wallet that trades as much as all others: whether there is one, and which. */
  readonly dominated: boolean
  dominator: Wallet | null
  /** True if it uses an earlier launch's image. */
  copiesImage: boolean
  /** The launch whose name and metadata it copies, before those of the original are known; null if it has its own. */
  readonly copies: SimToken | null
  /** True if insiders sold out together at the others' expense. */
  rugged: boolean
  /** How it came about. */
  kind: LaunchKind
  /** The truth about it; null if not collected, or once written. */
  truth: Draft | null
  keys: TokenKeys | null
}

export interface TokenKeys {
  readonly mint: Key
  readonly curve: Key
  readonly curveVault: Key
  readonly curveQuoteVault: Key
  readonly creatorVault: Key
  readonly pool: Key
  readonly poolVault: Key
  readonly poolQuoteVault: Key
  readonly lpMint: Key
  readonly metadata: Key
}

export function tokenKeys(seed: number, token: SimToken): TokenKeys {
  token.keys ??= {
    mint: deriveKey(seed, 'mint', token.id),
    curve: deriveKey(seed, 'curve', token.id),
    curveVault: deriveKey(seed, 'curve vault', token.id),
    curveQuoteVault: deriveKey(seed, 'curve quote vault', token.id),
    creatorVault: deriveKey(seed, 'creator vault', token.deployer.id),
    pool: deriveKey(seed, 'pool', token.id),
    poolVault: deriveKey(seed, 'pool vault', token.id),
    poolQuoteVault: deriveKey(seed, 'pool quote vault', token.id),
    lpMint: deriveKey(seed, 'lp mint', token.id),
    metadata: deriveKey(seed, 'metadata', token.id),
  }
  return token.keys
}

const FIRST =
  'Baby Based Blue Bonk Cosmic Crypto Dark Degen Dizzy Fat Giga Golden Grumpy Happy Holy Lazy Little Lucky Mad Magic Mega Moon Neon Noble Old Pixel Quantum Red Royal Sad Silly Sleepy Super Tiny Turbo Ultra Wild Wise'.split(
    ' ',
  )
const SECOND =
  'Ape Axolotl Badger Bear Bull Capy Cat Chad Crab Dog Dragon Duck Eagle Fish Frog Goat Goblin Goose Hamster Hippo Kitten Lemon Llama Mole Monkey Moth Octopus Otter Owl Panda Penguin Pepe Pigeon Potato Pug Rabbit Raccoon Rat Rocket Shark Sloth Snail Squid Toad Turtle Whale Wizard Wolf Worm Yak'.split(
    ' ',
  )
const THIRD = ['', '', '', '', ' AI', ' Inu', ' Coin', ' DAO', ' 2.0', ' Wif Hat', ' on Sol', ' CTO']
const SYLLABLES =
  'ba bo chi do fu ga go hi ja ka ki lo lu ma mi mo na no pi po ra ri ro sa shi su ta to vi wo ya zu'.split(' ')
/** Earlier names that can be copied. */
const COPYABLE = 400

interface Namer {
  name(random: Random): { readonly name: string; readonly symbol: string }
}

/** Share of launches that repeat a recent symbol on purpose, and how many launches back on average. */
const REPEATS = 0.38
const REPEATS_BACK = 35

/** Repeats names of recent launches, in waves. */
export function createNamer(): Namer {
  let earlier: { name: string; symbol: string }[] = []
  return {
    name(random) {
      const back = Math.floor(random.exponential(REPEATS_BACK))
      const copy = random.chance(REPEATS) ? earlier[earlier.length - 1 - back] : undefined
      const made = copy ?? (random.chance(0.5) ? compound(random) : coined(random))
      earlier.push(made)
      if (earlier.length > 2 * COPYABLE) earlier = earlier.slice(-COPYABLE)
      return copy !== undefined && random.chance(0.3) ? { ...copy, name: copy.name.toUpperCase() } : made
    },
  }
}

function compound(random: Random) {
  const second = random.pick(SECOND)
  return { name: `${random.pick(FIRST)} ${second}${random.pick(THIRD)}`, symbol: second.toUpperCase() }
}

function coined(random: Random) {
  let word = ''
  for (let n = 2 + random.int(3); n > 0; n--) word += random.pick(SYLLABLES)
  return { name: word[0]!.toUpperCase() + word.slice(1), symbol: word.toUpperCase().slice(0, 6) }
}

interface Launch {
  readonly id: number
  readonly slot: number
  readonly deployer: Wallet
  readonly mayhem: boolean
  readonly quote: Quote
  readonly venue: Venue
  readonly dominated: boolean
  /** Shares of launches that others than bots notice, and that attract all traders at once. */
  readonly noticed: number
  readonly runners: number
  /** A launch that it copies. */
  readonly copies: SimToken | null
}

/** Attention at launch, and slots until it has cooled to 1/e: medians, and spreads by quality and by chance. */
const IGNORED = {
  draw: { median: 0.018, byQuality: 0.2, byChance: 1.0 },
  last: { median: 60, byQuality: 0.1, byChance: 0.7 },
}
const NOTICED = {
  draw: { median: 0.34, byQuality: 0.38, byChance: 0.6 },
  last: { median: 330, byQuality: 0.35, byChance: 1.0 },
}
const RUNNER = {
  draw: { median: 9, byQuality: 0.1, byChance: 0.5 },
  last: { median: 500, byQuality: 0.1, byChance: 0.5 },
}
const LIFE_MAX = 6_000

export function createToken(launch: Launch, namer: Namer, random: Random): SimToken {
  const { venue, dominated } = launch
  const curve =
    venue === VENUE.launchlab
      ? { ...LAUNCHLAB_START }
      : createCurve(launch.quote === QUOTE.SOL ? START_VIRTUAL_SOL : START_VIRTUAL_USDC)
  const price = curve.virtualQuote / curve.virtualToken
  // few launches draw most of the attention, only partly because of quality
  const quality = Math.log(random.lognormal(1, 1))
  const { draw, last } = kindOf(random, launch)
  const appeal = random.lognormal(draw.median * Math.exp(draw.byQuality * quality), draw.byChance)
  const life = random.lognormal(last.median * Math.exp(last.byQuality * quality), last.byChance)
  return {
    id: launch.id,
    createdSlot: launch.slot,
    deployer: launch.deployer,
    ...(launch.copies === null ? namer.name(random) : { name: launch.copies.name, symbol: launch.copies.symbol }),
    uri: `https://metadata.example/${launch.id.toString(36)}${random.uint32().toString(36)}.json`,
    quote: launch.quote,
    mayhem: launch.mayhem,
    shared: random.chance(0.03),
    venue,
    curve,
    pool: null,
    left: false,
    completedSlot: -1,
    migrateSlot: -1,
    heat: Math.min(appeal, 25),
    cooling: Math.exp(-1 / Math.min(life, LIFE_MAX)),
    quality,
    excitement: 0,
    lifted: 0,
    startPrice: price,
    price,
    slowPrice: price,
    highPrice: price,
    positions: new Map(),
    regulars: [],
    trades: 0,
    lastSlot: launch.slot,
    dominated,
    dominator: null,
    copiesImage: false,
    copies: launch.copies,
    rugged: false,
    kind: 'ordinary',
    truth: null,
    keys: null,
  }
}

function kindOf(random: Random, { noticed, runners }: Launch): typeof NOTICED {
  const kind = random.float()
  if (kind < runners) return RUNNER
  return kind < runners + noticed ? NOTICED : IGNORED
}
