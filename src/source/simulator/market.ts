import { QUOTE, type Quote } from '../../decode/events.ts'
import { createAgenda } from './agenda.ts'
import { createCrowd, QUIET } from './crowd.ts'
import { applyTrade, lamportChange, planBuy, planSell, positionOf, setPrice } from './exchange.ts'
import { createFacts } from './facts.ts'
import { nextBuyer } from './habits.ts'
import type { Action, PlannedTransaction, SlotPlan, TradeAction } from './plan.ts'
import { createRandom } from './random.ts'
import { createNamer, createToken, type Position, type SimToken } from './tokens.ts'
import { createTraders, type Habit, PROFILES, type Wallet } from './traders.ts'

/** Nominal seconds of a slot. */
export const SLOT_SECONDS = 0.4
/** Trades of a mean token: what June 2026 had. */
const TRADES_PER_TOKEN = 175
/** Slots of a rush of launches at the start, as if the market had been there before, and how many times the usual rate. */
const OPENING = { slots: 40, factor: 15 }
/** Chance that nobody produces a block, and that a trade is tried in vain beside a good one. */
const SKIPPED = 0.006
const FAILS = 0.12

const SOL = 1_000_000_000
/** USDC base units a lamport is worth in the simulated market. */
const USDC_PER_LAMPORT = 0.15
/** Lamports the migration keeps. */
const MIGRATION_FEE = 15_000_001
/** Wallets a serial rugger steers. */
const HELPERS = 8

export interface MarketOptions {
  readonly seed: number
  /** trades a second, on average */
  readonly tps: number
  readonly start: number
}

/** Who trades what, when and how much: all of it drawn from the seed, slot by slot. Writes nothing. */
export interface Market {
  step(slot: number): SlotPlan
}

export function createMarket({ seed, tps, start }: MarketOptions): Market {
  const random = createRandom(seed, 0x3a2ce7, 7)
  const traders = createTraders(seed)
  const namer = createNamer()
  const agenda = createAgenda(start)
  const facts = createFacts(seed, start)
  const tradesPerSlot = tps * SLOT_SECONDS
  const mayhemWallet = traders.wallet('mayhem', 0)
  const migrator = traders.wallet('deployer', PROFILES.deployer.wallets)
  const crowd = createCrowd()
  let launches = 0
  /** trades this slot still owes; negative after a busy one */
  let credit = 0
  let transactions: PlannedTransaction[] = []

  // --- one transaction

  function commit(payer: Wallet, actions: readonly Action[], tip = 0, failed = false): void {
    const wallets = new Set([payer])
    for (const action of actions) {
      if (action.kind === 'trade') wallets.add(action.wallet)
      else if (action.kind === 'transfer') wallets.add(action.from)
    }
    const fee = 5_000 * wallets.size + Math.floor(random.exponential(60_000))
    const rows = [...wallets].map((wallet) => {
      let change = wallet === payer ? -fee - (failed ? 0 : tip) : 0
      if (!failed) for (const action of actions) change += lamportChange(action, wallet)
      // who runs dry gets more from outside before the transaction
      if (wallet.lamports + change < SOL / 100) wallet.lamports = wallet.fortune - change + SOL / 100
      const before = wallet.lamports
      wallet.lamports += change
      return { wallet, before, after: wallet.lamports }
    })
    transactions.push({ payer, actions, wallets: rows, fee, tip: failed ? 0 : tip, failed })
  }

  function tipOf(wallet: Wallet): number {
    return random.chance(PROFILES[wallet.habit].tips) ? 10_000 + Math.floor(random.exponential(900_000)) : 0
  }

  /** Applies a planned trade and counts it. */
  function happen(action: TradeAction, slot: number): Position {
    credit--
    const { token } = action
    const lamports = token.quote === QUOTE.SOL ? action.quote : action.quote / USDC_PER_LAMPORT
    // buyers draw a crowd, sellers drive it away
    token.excitement += (action.isBuy ? 0.08 : -0.06) * Math.min(3, Math.sqrt(lamports / SOL))
    if (token.excitement < 0) token.excitement = 0
    const position = applyTrade(action, slot)
    if (action.completes) complete(token, slot)
    return position
  }

  function sizeOf(wallet: Wallet, token: SimToken): number {
    const { size, sizeSpread } = PROFILES[wallet.habit]
    const wanted = SOL * random.lognormal(size * wallet.size, sizeSpread)
    const lamports = Math.max(SOL / 500, Math.min(wanted, wallet.fortune / 2, 40 * SOL))
    return Math.floor(token.quote === QUOTE.SOL ? lamports : lamports * USDC_PER_LAMPORT)
  }

  // --- what wallets do

  function buy(token: SimToken, wallet: Wallet, slot: number): void {
    const action = planBuy(token, wallet, sizeOf(wallet, token))
    if (action === null) return
    if (random.chance(FAILS)) vain(token, slot)
    const position = happen(action, slot)
    const actions: Action[] = [action]
    if (wallet.habit === 'holder' && random.chance(0.05)) {
      const passed = pass(position, traders.pick('regular', random), Math.floor(position.tokens / 2), slot)
      if (passed !== null) actions.push(passed)
    } else if (wallet.habit === 'scalper' && random.chance(0.02)) {
      const back = planSell(position, position.tokens)
      if (back !== null) {
        actions.push(back)
        happen(back, slot)
      }
    }
    commit(wallet, actions, tipOf(wallet))
    if (position.tokens > 0) scheduleExit(position, slot)
    if (wallet.habit === 'kol') callFollowers(token, wallet, slot)
  }

  /** A transaction that is too late: the price moved past its limit. */
  function vain(token: SimToken, slot: number): void {
    const wallet = traders.pick(nextBuyer(token, slot, random), random)
    const action = planBuy(token, wallet, sizeOf(wallet, token))
    if (action !== null) commit(wallet, [action], 0, true)
  }

  function pass(from: Position, to: Wallet, tokens: number, slot: number): Action | null {
    if (tokens <= 0 || from.wallet === to || from.tokens < tokens) return null
    const target = positionOf(from.token, to)
    const action: Action = {
      kind: 'transfer',
      token: from.token,
      from: from.wallet,
      to,
      tokens,
      fromBefore: from.tokens,
      toBefore: target.tokens,
      opens: !target.account,
    }
    from.tokens -= tokens
    target.tokens += tokens
    target.account = true
    scheduleExit(target, slot)
    return action
  }

  function scheduleExit(position: Position, slot: number): void {
    const { hold, holdSpread, keeps } = PROFILES[position.wallet.habit]
    if (random.chance(keeps)) return
    const delay = random.lognormal(hold * position.wallet.patience, holdSpread)
    agenda.after(slot, delay, (due) => look(position, due))
  }

  function look(position: Position, slot: number): void {
    if (position.tokens === 0) return
    const { takeProfit, stop, looks, hold } = PROFILES[position.wallet.habit]
    const gain = position.cost > 0 ? (position.token.price * position.tokens) / position.cost : Number.POSITIVE_INFINITY
    position.looks++
    // nobody is left to sell to: most just keep what is worthless
    if (position.token.heat + position.token.excitement < 4 * QUIET && gain < 0.9 && random.chance(0.6)) return
    if (gain < takeProfit && gain > stop && position.looks < looks) {
      agenda.after(slot, hold * position.wallet.patience * random.between(0.3, 0.9), (due) => look(position, due))
      return
    }
    const half = position.wallet.habit !== 'rugger' && random.chance(0.18)
    sell(position, half ? Math.ceil(position.tokens / 2) : position.tokens, slot)
    if (half) agenda.after(slot, hold * random.between(0.2, 1), (due) => look(position, due))
  }

  function sell(position: Position, tokens: number, slot: number): void {
    const action = planSell(position, tokens)
    if (action === null) {
      // between completion and migration nobody can trade
      if (position.token.migrateSlot >= 0 && position.token.pool === null)
        agenda.after(slot, 10 + random.int(40), (due) => look(position, due))
      return
    }
    happen(action, slot)
    commit(position.wallet, [action], tipOf(position.wallet))
  }

  function callFollowers(token: SimToken, leader: Wallet, slot: number): void {
    const group = Number(leader.id.slice(4)) % 50
    for (let n = random.poisson(7); n > 0; n--) {
      const follower = traders.wallet('follower', group * 50 + Math.floor(50 * random.float() ** 2))
      agenda.after(slot, 1 + random.int(8), (due) => buy(token, follower, due))
    }
  }

  // --- lives of tokens

  function launch(slot: number): SimToken {
    const rugged = random.chance(0.35)
    const deployer = traders.pick(rugged ? 'rugger' : 'deployer', random)
    const kind = random.float()
    const quote: Quote = kind < 0.03 ? QUOTE.USDC : QUOTE.SOL
    const mayhem = kind > 0.97
    const token = createToken({ id: launches++, slot, deployer, mayhem, quote }, namer, random)
    crowd.follow(token)
    const actions: Action[] = [{ kind: 'create', token }]
    const devBuy = random.chance(0.85) ? planBuy(token, deployer, sizeOf(deployer, token)) : null
    if (devBuy !== null) {
      actions.push(devBuy)
      const position = happen(devBuy, slot)
      if (rugged) conspire(token, deployer, position, actions, slot)
      else {
        commit(deployer, actions)
        scheduleExit(position, slot)
      }
    } else commit(deployer, actions)
    if (mayhem) agenda.after(slot, 2 + random.int(6), (due) => meddle(token, due))
    return token
  }

  /** A serial rugger's wallets join the launch, in one transaction or side by side, and all leave together. */
  function conspire(token: SimToken, deployer: Wallet, own: Position, actions: Action[], slot: number): void {
    const first = Number(deployer.id.slice('rugger:'.length)) * HELPERS
    const helpers = Array.from({ length: random.int(5) }, (_, i) => traders.wallet('helper', first + i))
    const style = random.float()
    const bought: Position[] = [own]
    if (style < 0.15 && helpers[0] !== undefined) {
      const passed = pass(own, helpers[0], Math.floor(own.tokens / 3), slot)
      if (passed !== null) actions.push(passed)
    }
    const atomic = style > 0.6
    if (!atomic) commit(deployer, actions, 1_000_000)
    for (const helper of helpers) {
      const action = planBuy(token, helper, sizeOf(helper, token))
      if (action === null) continue
      bought.push(happen(action, slot))
      if (atomic) actions.push(action)
      else commit(helper, [action], random.chance(0.5) ? 500_000 : 0)
    }
    if (atomic) commit(deployer, actions, 1_000_000)
    agenda.after(slot, random.lognormal(150, 0.8), (due) => dump(bought, due))
  }

  function dump(positions: readonly Position[], slot: number): void {
    const together = random.chance(0.4)
    const actions: Action[] = []
    for (const position of positions) {
      const action = planSell(position, position.tokens)
      if (action === null) continue
      happen(action, slot)
      if (together) actions.push(action)
      else commit(position.wallet, [action], random.chance(0.5) ? 300_000 : 0)
    }
    if (actions.length > 0) commit(positions[0]!.wallet, actions, 300_000)
    const [own] = positions
    if (own !== undefined && own.tokens === 0) own.token.heat *= 0.3
  }

  /** The mayhem program shifts its curves and trades on them by itself. */
  function meddle(token: SimToken, slot: number): void {
    if (token.pool !== null || token.migrateSlot >= 0) return
    const { curve } = token
    curve.virtualQuote = Math.max(SOL, Math.floor(curve.virtualQuote * random.between(0.97, 1.03)))
    const position = token.positions.get(mayhemWallet)
    const sells = position !== undefined && position.tokens > 0 && random.chance(0.5)
    const action = sells
      ? planSell(position, position.tokens)
      : planBuy(token, mayhemWallet, sizeOf(mayhemWallet, token))
    if (action === null) return
    happen(action, slot)
    commit(mayhemWallet, [action])
    if (slot - token.createdSlot < 2_000) agenda.after(slot, random.exponential(80), (due) => meddle(token, due))
  }

  function complete(token: SimToken, slot: number): void {
    agenda.after(slot, 4 + random.int(30), (due) => migrate(token, due))
  }

  function migrate(token: SimToken, slot: number): void {
    const { curve } = token
    token.migrateSlot = slot
    const fee = token.quote === QUOTE.SOL ? MIGRATION_FEE : 0
    const quote = curve.realQuote - fee
    const tokens = curve.virtualToken - 73_000_000_000_000
    // some pools price with a virtual part on top of what they hold
    const virtualQuote = random.chance(0.25) ? Math.floor(quote * random.between(0.002, 0.05)) : 0
    token.pool = { base: tokens, quote, virtualQuote }
    setPrice(token)
    token.heat = Math.max(token.heat, random.lognormal(2.5, 0.7))
    crowd.follow(token)
    commit(migrator, [{ kind: 'migrate', token, wallet: migrator, tokens, quote, migrationFee: fee }])
  }

  function trade(slot: number): SimToken[] {
    const launched: SimToken[] = []
    const rush = slot - start < OPENING.slots ? OPENING.factor : 1
    credit += random.poisson(tradesPerSlot)
    for (let n = random.poisson((tradesPerSlot / TRADES_PER_TOKEN) * rush); n > 0; n--) launched.push(launch(slot))
    for (const appointment of agenda.due(slot)) appointment(slot)
    crowd.weigh()
    // a token between completion and migration takes no buyer: such tries are bounded, not repeated
    for (let tries = Math.max(0, credit) * 2; credit > 0 && !crowd.idle && tries > 0; tries--) {
      const token = crowd.draw(random)
      const habit: Habit = nextBuyer(token, slot, random)
      buy(token, traders.pick(habit, random), slot)
    }
    return launched
  }

  return {
    step(slot) {
      transactions = []
      const skipped = slot !== start && random.chance(SKIPPED)
      const launched = skipped ? [] : trade(slot)
      return { slot, skipped, transactions, facts: facts.step(slot, launched) }
    },
  }
}
