import { QUOTE } from '@ti/core/model/events.ts'
import type { Agenda } from './agenda.ts'
import type { Crowd } from './crowd.ts'
import { applyTrade, lamportChange } from './exchange.ts'
import type { Funding } from './funding.ts'
import type { Action, PlannedTransaction, TradeAction } from './plan.ts'
import { createRandom, type Random } from './random.ts'
import type { Rules } from './rules.ts'
import { createSettings } from './settings.ts'
import type { Position, SimToken } from './tokens.ts'
import { type Habit, PROFILES, type Traders, type Wallet } from './traders.ts'
import type { TruthBook } from './truth.ts'
import { noteTrade } from './truth-draft.ts'

export const SOL = 1_000_000_000
/** USDC base units per lamport in the simulated market. */
const USDC_PER_LAMPORT = 0.15
/** Slots of a launch in which observers look up buyers' funders. */
const LOOKED_UP_SLOTS = 25
/** Trade sizes relative to the profiles. */
const LARGER = 1.6
/**
 * The relative rise of a token's lasting attention by a buy of these wallets, because people talk about its holders.
 * The total rise per token is bounded; otherwise the first favourites would dominate the market for ever.
 */
const LIFT: Partial<Record<Habit, number>> = { kol: 0.1, picker: 0.04, holder: 0.01 }
const LIFTED_MAX = 1
/**
 * Foreign transactions between two of the same slot; some reactions come directly after their cause. A mainnet block
 * has about 1,400 transactions, of which 50 touch a mint that is being sniped.
 */
const NEAR = { part: 0.3, most: 8 }
const FAR = 60
/** Share of round amounts, which people type or buttons offer. */
const ROUND = 0.4
const ROUND_SOL = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 1, 1.5, 2, 3, 5, 10]

interface CommitOptions {
  /** Lamports to a tip account. */
  readonly tip?: number
  /** The tip's payer; by default the fee payer. */
  readonly tipper?: Wallet
  /** Directly after the previous transaction, as the next of one bundle. */
  readonly behind?: boolean
  readonly failed?: boolean
}

/** The state shared by all participants. */
interface Surroundings {
  readonly seed: number
  readonly random: Random
  readonly traders: Traders
  readonly agenda: Agenda
  readonly crowd: Crowd
  readonly funding: Funding
  readonly truth: TruthBook
  readonly rules: Rules
  /** Decides on the parameters of this market's kinds. */
  readonly ranges: Random
}

/** Collects all actions: moves lamports, tokens and attention, and stores the slot's transactions. */
export interface BlockProducer extends Surroundings {
  /** The number of trades still to come in this slot; negative after a busy one. */
  readonly owed: number
  owe(trades: number): void
  /** The transactions since the last call. */
  take(): PlannedTransaction[]
  /** Returns the lamports that left the wallets in it: amounts, rents, fees and tip. */
  commit(payer: Wallet, actions: readonly Action[], options?: CommitOptions): number
  /** Applies a planned trade and counts it. */
  happen(action: TradeAction, slot: number): Position
  /** Lamports, or the equivalent in USDC, of a usual buy of this wallet. */
  sizeOf(wallet: Wallet, token: SimToken): number
  /** `lamports` in the token's quote, base units. */
  quoteOf(lamports: number, token: SimToken): number
  /** Runs `what` now, or some slots later. */
  soon(slot: number, delay: number, what: (slot: number) => void): void
}

interface BlockProducerParts extends Surroundings {
  /** Called when the curve sold out in `slot`. */
  complete(token: SimToken, slot: number): void
  /** Called after a trade. */
  traded(token: SimToken, wallet: Wallet, slot: number): void
}

export function createBlockProducer(parts: BlockProducerParts): BlockProducer {
  const { random, agenda, funding } = parts
  let owed = 0
  let transactions: PlannedTransaction[] = []
  const settings = createSettings(parts.seed)
  const places = createRandom(parts.seed, 0, 0x6a95)
  const others = (): number => (places.chance(NEAR.part) ? places.int(NEAR.most) : places.int(FAR))

  function commit(payer: Wallet, actions: readonly Action[], options: CommitOptions = {}): number {
    const { failed = false, tipper = payer, behind = false } = options
    const tip = failed ? 0 : (options.tip ?? 0)
    const wallets = new Set([payer])
    if (tip > 0) wallets.add(tipper)
    for (const action of actions) {
      if (action.kind === 'trade') wallets.add(action.wallet)
      else if (action.kind === 'transfer') wallets.add(action.from)
    }
    // drawn for nothing: the bytes of market 2 stay the same
    random.float()
    const budget = settings.budgetOf(payer)
    const priority = Math.ceil((budget.units * budget.price) / 1_000_000)
    const fee = 5_000 * wallets.size + priority
    const rows = [...wallets].map((wallet) => {
      let change = (wallet === payer ? -fee : 0) - (wallet === tipper ? tip : 0)
      if (!failed) for (const action of actions) change += lamportChange(action, wallet)
      // a wallet that runs dry receives more from outside before the transaction
      if (wallet.lamports + change < SOL / 100) wallet.lamports = wallet.fortune - change + SOL / 100
      const before = wallet.lamports
      wallet.lamports += change
      return { wallet, before, after: wallet.lamports }
    })
    const gap = behind ? 0 : others()
    transactions.push({ payer, actions, wallets: rows, fee, tip, tipper, gap, budget, failed })
    return rows.reduce((sum, { before, after }) => sum + before - after, 0)
  }

  function happen(action: TradeAction, slot: number): Position {
    owed--
    const { token, wallet, isBuy } = action
    const lamports = token.quote === QUOTE.SOL ? action.quote : action.quote / USDC_PER_LAMPORT
    // buys attract others, sales drive them away
    token.excitement += (isBuy ? 0.06 : -0.045) * Math.min(3, Math.sqrt(lamports / SOL))
    if (token.excitement < 0) token.excitement = 0
    const lift = isBuy && token.lifted < LIFTED_MAX ? (LIFT[wallet.habit] ?? 0) : 0
    token.lifted += lift
    token.heat *= 1 + lift
    token.trades++
    token.lastSlot = slot
    const position = applyTrade(action, slot)
    if (isBuy && slot - token.createdSlot <= LOOKED_UP_SLOTS) funding.lookUp(wallet, slot, wallet === token.deployer)
    if (action.completes) parts.complete(token, slot)
    noteTrade(token, wallet, isBuy, lamports, slot)
    parts.traded(token, wallet, slot)
    return position
  }

  const quoteOf = (lamports: number, token: SimToken): number =>
    Math.floor(token.quote === QUOTE.SOL ? lamports : lamports * USDC_PER_LAMPORT)

  return {
    ...parts,
    get owed() {
      return owed
    },
    owe: (trades) => {
      owed += trades
    },
    take() {
      const taken = transactions
      transactions = []
      return taken
    },
    commit,
    happen,
    quoteOf,
    sizeOf(wallet, token) {
      const { size, sizeSpread } = PROFILES[wallet.habit]
      // larger tokens have larger trades
      const grown = Math.sqrt(Math.sqrt(Math.max(1, token.price / token.startPrice)))
      const drawn = SOL * grown * LARGER * random.lognormal(size * wallet.size, sizeSpread)
      const wanted = random.chance(ROUND) ? roundSol(drawn) : drawn
      return quoteOf(Math.max(SOL / 1_000, Math.min(wanted, wallet.fortune / 2, 40 * SOL)), token)
    },
    soon(slot, delay, what) {
      if (delay < 1) what(slot)
      else agenda.after(slot, delay, what)
    },
  }
}

/** The next larger round amount, lamports; unchanged above the list. */
export function roundSol(lamports: number): number {
  const round = ROUND_SOL.find((sol) => sol * SOL >= lamports)
  return round === undefined ? lamports : round * SOL
}
