import type { Key } from '@ti/core/base/ids.ts'
import { deriveWallet } from './keys.ts'
import { createRandom, type Random } from './random.ts'
import type { Setting } from './settings.ts'

/** The behaviour of a wallet. */
export type Habit =
  | 'sniper'
  | 'momentum'
  | 'dip'
  | 'holder'
  | 'scalper'
  | 'kol'
  | 'follower'
  | 'regular'
  | 'retail'
  | 'deployer'
  | 'rugger'
  | 'helper'
  | 'mayhem'
  | 'picker'
  | 'copier'
  | 'washer'
  | 'crew'
  | 'duster'
  | 'dominator'
  | 'fleet'
  | 'adversary'
  | 'farmer'
  | 'service'
  | 'bot'
  | 'griefer'
  | 'veteran'
  | 'agent'

interface Profile {
  /** Recurring wallets; 0 for a new wallet each time. */
  readonly wallets: number
  /** Picks the i-th wallet with i = wallets · u^skew; a higher skew concentrates activity. */
  readonly skew: number
  /** SOL of a usual buy: median and spread. */
  readonly size: number
  readonly sizeSpread: number
  /** Slots until the first decision to sell: median and spread. */
  readonly hold: number
  readonly holdSpread: number
  /** Share of buys that are never sold. */
  readonly keeps: number
  /** Price multiples at which a decision ends in a sale. */
  readonly takeProfit: number
  readonly stop: number
  /** Decisions after which it sells anyway. */
  readonly looks: number
  /** Share of its transactions that pay a bundle tip. */
  readonly tips: number
}

const profile = (
  wallets: number,
  skew: number,
  [size, sizeSpread]: readonly [number, number],
  [hold, holdSpread]: readonly [number, number],
  [takeProfit, stop, looks]: readonly [number, number, number],
  keeps: number,
  tips = 0.1,
): Profile => ({ wallets, skew, size, sizeSpread, hold, holdSpread, keeps, takeProfit, stop, looks, tips })

/**
 * Sizes, spreads and unsold shares are tuned against real trades (calibration.test.ts). Numbers of wallets, patience
 * and tips are judgement, based on public counts: bots trade most, most people once.
 */
export const PROFILES: Readonly<Record<Habit, Profile>> = {
  sniper: profile(350, 2.2, [0.5, 0.9], [45, 0.9], [1.4, 0.8, 2], 0.03, 0.8),
  momentum: profile(5_000, 2.5, [0.18, 1.1], [180, 0.8], [1.7, 0.75, 3], 0.05),
  dip: profile(3_000, 2.5, [0.18, 1.1], [320, 0.8], [1.5, 0.6, 3], 0.06),
  holder: profile(12_000, 1.8, [0.18, 1.1], [3_000, 0.8], [8, 0.1, 3], 0.25),
  scalper: profile(2_500, 2.8, [0.04, 1.6], [40, 0.8], [1.15, 0.9, 2], 0.02, 0.3),
  kol: profile(60, 1.6, [1.6, 0.8], [260, 0.8], [2, 0.6, 2], 0.05),
  follower: profile(2_500, 2, [0.18, 0.9], [160, 0.8], [1.4, 0.7, 2], 0.05),
  regular: profile(40_000, 2.5, [0.07, 1.4], [250, 1.1], [1.8, 0.5, 3], 0.08),
  retail: profile(0, 1, [0.06, 1.4], [250, 1.2], [2, 0.4, 2], 0.12),
  deployer: profile(4_000, 3.5, [0.08, 2.2], [500, 0.9], [3, 0.3, 4], 0.15),
  rugger: profile(30, 1.5, [2, 1.1], [160, 0.8], [1.01, 0.99, 1], 0),
  helper: profile(360, 1, [0.9, 0.6], [160, 0.8], [1.01, 0.99, 1], 0),
  mayhem: profile(1, 1, [0.15, 1.0], [60, 0.8], [1.01, 0.99, 1], 0.3),
  picker: profile(400, 1.5, [0.4, 0.8], [1_500, 0.8], [4, 0.35, 3], 0.15),
  copier: profile(120, 1, [0.25, 0.7], [160, 0.7], [1.4, 0.7, 2], 0.05, 0.3),
  washer: profile(60, 1.3, [0.014, 0.4], [10, 0.5], [1.01, 0.99, 1], 0, 0.2),
  crew: profile(1_440, 1, [0.5, 0.6], [160, 0.8], [1.01, 0.99, 1], 0, 0.3),
  // listed last, because a wallet is drawn by the index of its habit
  duster: profile(768, 1, [0.00003, 0.8], [160, 0.8], [1.01, 0.99, 1], 1),
  dominator: profile(0, 1, [0.012, 0.5], [10, 0.5], [1.01, 0.99, 1], 0),
  fleet: profile(48, 1, [15, 0.3], [160, 0.8], [1.01, 0.99, 1], 0, 0.3),
  adversary: profile(1_024, 1, [0.6, 0.7], [160, 0.8], [1.01, 0.99, 1], 0, 0.2),
  // only in market 3
  farmer: profile(240, 1, [0.6, 0.7], [160, 0.8], [1.01, 0.99, 1], 0, 0.2),
  service: profile(60, 1, [1, 0.7], [62, 0.6], [1.01, 0.99, 1], 0),
  bot: profile(160, 1, [0.1, 1.1], [30, 1], [1.25, 0.85, 2], 0.03, 0.3),
  griefer: profile(0, 1, [0.01, 0.5], [160, 0.8], [1.01, 0.99, 1], 0),
  veteran: profile(300, 1.5, [0.2, 0.8], [400, 0.9], [1.8, 0.6, 3], 0.05),
  agent: profile(8, 1, [0.3, 0.4], [120, 0.8], [1.4, 0.8, 2], 0),
}

const HABITS = Object.keys(PROFILES) as Habit[]

/** A wallet's first funding. */
export interface Origin {
  /** Id of the sending wallet. */
  readonly funder: string
  readonly slot: number
  readonly exchange: boolean
  /** Of that transfer; all the wallet has to begin with unless another amount is given. */
  readonly lamports?: number | undefined
  /** Identifies a joint payment to several wallets from one exchange. */
  readonly ring: string | null
  /** The funder's own funding, if it matters too. */
  readonly above: Origin | null
  /** True once it was looked up. */
  asked: boolean
}

export interface Wallet {
  /** Derived on demand, because storing it would take a third of a wallet's memory. */
  readonly id: string
  readonly habit: Habit
  /** True for a wallet used only once. */
  readonly fresh: boolean
  /** Null if not decided yet. */
  origin: Origin | null
  /** Lamports between its transactions; more arrives from outside when it runs dry. */
  lamports: number
  readonly fortune: number
  /** Its own factors of the profile's size and hold. */
  readonly size: number
  readonly patience: number
  /** True if it closes empty token accounts for the rent. */
  readonly tidy: boolean
  /** True if it trades through a router program. */
  readonly routed: boolean
  /** The owner of several wallets; null if its owner has no other. */
  hand: string | null
  /** The setting of an owner without other wallets; null if it varies, undefined if not drawn yet. */
  setting: Setting | undefined
}

/** A class, so that up to 75,000 recurring wallets store only what is needed. */
class Trader implements Wallet {
  origin: Origin | null = null
  hand: string | null = null
  setting: Setting | undefined = undefined
  lamports: number
  readonly #n: number
  readonly habit: Habit
  readonly fortune: number
  readonly size: number
  readonly patience: number
  readonly tidy: boolean
  readonly routed: boolean

  constructor(habit: Habit, n: number, own: Random) {
    const { size, sizeSpread } = PROFILES[habit]
    this.#n = n
    this.habit = habit
    // enough for its larger buys
    this.fortune = Math.floor(SOL * (0.1 + size * Math.exp(sizeSpread) * own.lognormal(8, 1)))
    this.lamports = this.fortune
    this.size = own.lognormal(1, 0.5)
    this.patience = own.lognormal(1, 0.4)
    this.tidy = own.chance(0.4)
    this.routed = own.chance(habit === 'scalper' || habit === 'momentum' || habit === 'regular' ? 0.25 : 0.05)
  }

  get id(): string {
    return `${this.habit}:${this.#n}`
  }

  get fresh(): boolean {
    return this.#n >= STRANGERS
  }
}

export interface Traders {
  /** A wallet of this habit; `random` is the market's own. */
  pick(habit: Habit, random: Random): Wallet
  wallet(habit: Habit, n: number): Wallet
  /** A new wallet. */
  stranger(habit: Habit): Wallet
}

/** Numbers of strangers start here, far above those of recurring wallets. */
const STRANGERS = 1_000_000

const SOL = 1_000_000_000

export function createTraders(seed: number): Traders {
  const known = HABITS.map(() => [] as (Wallet | undefined)[])
  const own = createRandom(seed, 0, 0)
  let strangers = STRANGERS

  const make = (habit: Habit, n: number): Wallet => {
    own.reseed(seed, HABITS.indexOf(habit) + 1, n)
    return new Trader(habit, n, own)
  }
  const wallet = (habit: Habit, n: number): Wallet => {
    const wallets = known[HABITS.indexOf(habit)]!
    wallets[n] ??= make(habit, n)
    return wallets[n]!
  }
  return {
    wallet,
    stranger: (habit) => make(habit, strangers++),
    pick(habit, random) {
      const { wallets, skew } = PROFILES[habit]
      if (wallets === 0) return make(habit, strangers++)
      return wallet(habit, Math.floor(wallets * random.float() ** skew))
    },
  }
}

/** A cache of the newest wallets' keys: a transaction needs several, and most wallets return soon or not for long. */
const KEYS_MAX = 8_192
let young = new Map<Wallet, Key>()
let old = new Map<Wallet, Key>()

export function walletKey(seed: number, wallet: Wallet): Key {
  const known = young.get(wallet)
  if (known !== undefined) return known
  const key = old.get(wallet) ?? deriveWallet(seed, wallet.id)
  if (young.size >= KEYS_MAX / 2) {
    old = young
    young = new Map()
  }
  young.set(wallet, key)
  return key
}
