import { createRandom, type Random } from './random.ts'
import type { Habit, Wallet } from './traders.ts'

/** The compute budget of a transaction: units, and micro-lamports per unit. */
export interface Budget {
  readonly units: number
  readonly price: number
}

/** Presets of popular bots, few of them common. Priority fees (lamports) are far apart, units close together. */
const UNITS = [80_000, 100_000, 120_000, 150_000, 200_000, 250_000, 300_000, 400_000]
const FEES = [10_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 5_000_000]
const PRESETS = 40
const SKEW = 1.8
/** Share of people who use a preset, and share with a setting of their own; the other bots choose per transaction. */
const ALONE = { button: 0.7, own: 0.15 }
/** The same for people with several wallets: their tools have defaults too, and some vary them on purpose. */
const SEVERAL = { button: 0.4, own: 0.35 }

/** Habits whose wallets can own others, which share their settings. */
const HEADS: ReadonlySet<Habit> = new Set(['deployer', 'rugger', 'crew', 'fleet', 'adversary'])

/** The setting shared by an owner's wallets; null if it varies per transaction. */
export type Setting = Budget | null

/** Settings by owner, or by wallet if it has none. Equal settings of strangers come from presets. */
interface Settings {
  budgetOf(wallet: Wallet): Budget
}

export function createSettings(seed: number): Settings {
  const random = createRandom(seed, 0, 0xb0d6e7)
  const known = new Map<string, Setting>()

  function settingOf(wallet: Wallet): Setting {
    const { hand, fresh, habit } = wallet
    // ordinary wallets store their setting themselves: a table of their names would be larger than its contents
    const name = hand ?? (HEADS.has(habit) ? wallet.id : null)
    const made = name === null ? wallet.setting : known.get(name)
    if (made !== undefined) return made
    const drawn = draw(random, hand)
    // a stranger's setting is used only once
    if (hand === null && fresh) return drawn
    if (name === null) wallet.setting = drawn
    else known.set(name, drawn)
    return drawn
  }
  return { budgetOf: (wallet) => settingOf(wallet) ?? own(random) }
}

function draw(random: Random, hand: string | null): Setting {
  const { button, own: typed } = hand === null ? ALONE : SEVERAL
  const dice = random.float()
  if (dice < button) return preset(Math.floor(PRESETS * random.float() ** SKEW))
  // adversaries who know the formulas use no fixed setting
  if (dice < button + typed && hand?.startsWith('adversary') !== true) return own(random)
  return null
}

function preset(n: number): Budget {
  const units = UNITS[(n * 5) % UNITS.length]!
  return { units, price: Math.floor((FEES[(n * 3 + Math.floor(n / 8)) % FEES.length]! * 1_000_000) / units) }
}

const own = (random: Random): Budget => ({
  units: 60_000 + random.int(340) * 1_000,
  price: Math.floor(random.lognormal(2_000_000, 1.2)),
})
