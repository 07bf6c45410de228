import { createRandom, type Random } from './random.ts'
import type { Habit, Wallet } from './traders.ts'

/** What a transaction of the harder market asks of the network: compute units, and micro-lamports for each. */
export interface Budget {
  readonly units: number
  readonly price: number
}

/** Buttons of popular bots: most people use one of few. Lamports of priority fee are far apart, compute units near each other. */
const UNITS = [80_000, 100_000, 120_000, 150_000, 200_000, 250_000, 300_000, 400_000]
const FEES = [10_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 5_000_000]
const PRESETS = 40
const SKEW = 1.8
/** Part of the people who use a button, and part who typed something of their own; the others' bots ask for what the moment needs. */
const ALONE = { button: 0.7, own: 0.15 }
/** The same of those who run several wallets: their tools have defaults too, and some vary them on purpose. */
const SEVERAL = { button: 0.4, own: 0.35 }

/** Those whose names others' hands may have: the settings of both are one. */
const HEADS: ReadonlySet<Habit> = new Set(['deployer', 'rugger', 'crew', 'fleet', 'adversary'])

/** What the wallets of one hand are set to; null: something else each time. */
export type Setting = Budget | null

/** Settings by who made them: the one behind a wallet, or the wallet itself. Equal settings of strangers are those of the buttons. */
interface Settings {
  budgetOf(wallet: Wallet): Budget
}

export function createSettings(seed: number): Settings {
  const random = createRandom(seed, 0, 0xb0d6e7)
  const known = new Map<string, Setting>()

  function settingOf(wallet: Wallet): Setting {
    const { hand, fresh, habit } = wallet
    // the crowd is most of the wallets: a table of their names would be larger than what it says of them
    const name = hand ?? (HEADS.has(habit) ? wallet.id : null)
    const made = name === null ? wallet.setting : known.get(name)
    if (made !== undefined) return made
    const drawn = draw(random, hand)
    // nobody asks about a stranger's settings a second time
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
  // who knows the formulas sets nothing that stays
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
