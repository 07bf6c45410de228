import type { Key } from '@ti/core/base/ids.ts'
import { deriveKey } from './keys.ts'
import { createRandom, type Random } from './random.ts'
import type { Setting } from './settings.ts'

/** What a wallet does, again and again. */
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

interface Profile {
  /** recurring wallets; 0: a new wallet each time */
  readonly wallets: number
  /** picks the i-th wallet with i = wallets · u^skew: the higher, the fewer do most */
  readonly skew: number
  /** SOL of a usual buy: median and spread */
  readonly size: number
  readonly sizeSpread: number
  /** slots until the first look at the exit: median and spread */
  readonly hold: number
  readonly holdSpread: number
  /** part of the buys that are never sold */
  readonly keeps: number
  /** price multiples at which a look ends in a sale */
  readonly takeProfit: number
  readonly stop: number
  /** looks after which it sells anyway */
  readonly looks: number
  /** part of its transactions that pay a bundle tip */
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
 * Sizes, spreads and what is never sold: tuned against real trades (calibration.test.ts). Numbers of wallets, patience and
 * tips: judgement, shaped after the public counts of the design: bots trade most, most people once.
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
  // of the harder market alone; behind the others, because a wallet is drawn by the place of its habit
  duster: profile(768, 1, [0.00003, 0.8], [160, 0.8], [1.01, 0.99, 1], 1),
  dominator: profile(0, 1, [0.012, 0.5], [10, 0.5], [1.01, 0.99, 1], 0),
  fleet: profile(48, 1, [15, 0.3], [160, 0.8], [1.01, 0.99, 1], 0, 0.3),
  adversary: profile(1_024, 1, [0.6, 0.7], [160, 0.8], [1.01, 0.99, 1], 0, 0.2),
}

const HABITS = Object.keys(PROFILES) as Habit[]

/** Where a wallet's first SOL came from. */
export interface Origin {
  /** id of the wallet that sent it */
  readonly funder: string
  readonly slot: number
  readonly exchange: boolean
  /** paid together with others from one exchange: which time */
  readonly ring: string | null
  /** the funder's own, when it is of interest too */
  readonly above: Origin | null
  /** somebody looked it up already */
  asked: boolean
}

export interface Wallet {
  /** made when it is asked for: kept, it would be a third of what a wallet takes */
  readonly id: string
  readonly habit: Habit
  /** made for one occasion, never seen again */
  readonly fresh: boolean
  /** null: not thought about yet */
  origin: Origin | null
  /** lamports between its transactions; more comes from outside when it runs dry */
  lamports: number
  readonly fortune: number
  /** its own multiples of the profile's size and hold */
  readonly size: number
  readonly patience: number
  /** empties its token accounts for the rent after selling all */
  readonly tidy: boolean
  /** trades through a router program */
  readonly routed: boolean
  /** who runs it beside others; null: its owner has no other */
  hand: string | null
  /** what its owner set who has no other; null: something else each time; undefined: not asked for yet */
  setting: Setting | undefined
}

/** There may be 75,000 that come back: a class for what need not be kept of each. */
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
    // enough for the larger of its buys
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
  /** The n-th recurring wallet of a habit. */
  wallet(habit: Habit, n: number): Wallet
  /** One that nobody has seen before. */
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

/** Wallets whose keys are at hand, the last ones: a transaction asks several times, and most come back within minutes or not for long. */
const KEYS_MAX = 8_192
let young = new Map<Wallet, Key>()
let old = new Map<Wallet, Key>()

export function walletKey(seed: number, wallet: Wallet): Key {
  const known = young.get(wallet)
  if (known !== undefined) return known
  const key = old.get(wallet) ?? deriveKey(seed, 'wallet', wallet.id)
  if (young.size >= KEYS_MAX / 2) {
    old = young
    young = new Map()
  }
  young.set(wallet, key)
  return key
}
