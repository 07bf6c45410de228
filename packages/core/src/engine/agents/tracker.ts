import type { Agent, AgentBook, AgentBuy, PaperPosition } from '../../model/agents.ts'
import type { TradeRow } from '../../model/rows.ts'
import type { Token, Wallet } from '../../model/state.ts'
import { AGENTS } from '../constants.ts'
import type { Fold } from '../fold.ts'
import type { LiveToken } from '../resident.ts'
import type { Moment } from '../trade.ts'
import { hasPrice } from '../units.ts'
import { paperBuy, paperSell } from './paper.ts'
import { STRATEGIES, type Strategy } from './strategies.ts'

/** Runs the trading agents (methodology, section 6). */
export interface AgentTracker {
  readonly book: Readonly<AgentBook>
  /** Called after a trade was applied. */
  noticeTrade(live: LiveToken, wallet: Wallet, row: TradeRow): void
  /** Called once, when a token reaches `AGENTS.young.ageSlots` at `slot`. */
  noticeAge(live: LiveToken, slot: number, score: () => number): void
  /** Fills orders of earlier blocks, decides on exits, and ranks agents at the end of a period. */
  endBlock(fold: Fold, now: Moment): void
  /** The book if it changed since the last commit, else null. */
  changed(): AgentBook | null
  committed(): void
  touch(): void
}

const newAgent = (name: string, wallet: number): Agent => ({
  name,
  wallet,
  active: true,
  open: [],
  orders: [],
  buys: [],
  periods: [],
  realisedSeen: 0,
  closedSeen: 0,
})

export function createAgentTracker(saved: AgentBook | null): AgentTracker {
  const book: AgentBook = saved ?? {
    agents: STRATEGIES.map(({ name }) => newAgent(name, -1)),
    top: [],
    rankedPeriod: -1,
  }
  let dirty = false
  const touch = (): void => {
    dirty = true
  }

  return {
    book,
    noticeTrade(live, wallet, row) {
      if (wallet.agent) noticeWallet(book, wallet, row, touch)
      const { token } = live
      if (!row.isBuy || !hasPrice(token)) return
      STRATEGIES.forEach((strategy, n) => {
        const bit = 1 << n
        if ((token.strategiesSeen & bit) !== 0 || strategy.onBuy === undefined) return
        if (!strategy.onBuy(live, wallet, row)) return
        token.strategiesSeen |= bit
        order(row.slot, book.agents[n]!, token, true)
        touch()
      })
    },
    noticeAge(live, slot, score) {
      const { token } = live
      if (!hasPrice(token)) return
      STRATEGIES.forEach((strategy, n) => {
        if (strategy.atAge === undefined) return
        token.strategiesSeen |= 1 << n
        if (!strategy.atAge(live, score)) return
        order(slot, book.agents[n]!, token, true)
        touch()
      })
    },
    endBlock(fold, now) {
      for (let n = 0; n < STRATEGIES.length; n++) {
        const agent = book.agents[n]!
        if (agent.orders.length > 0 && fill(fold, agent, now)) touch()
        for (const position of agent.open) if (exits(fold, STRATEGIES[n]!, agent, position, now.slot)) touch()
      }
      const period = Math.floor(now.slot / AGENTS.periodSlots)
      if (period === book.rankedPeriod) return
      book.rankedPeriod = period
      rank(fold, book, period)
      touch()
    },
    changed: () => (dirty ? book : null),
    committed() {
      dirty = false
    },
    touch,
  }
}

/** Names an operator's wallet, or takes it off the list (`null`). Returns false if the list is full. */
export function nameAgent(tracker: AgentTracker, wallet: Wallet, name: string | null): boolean {
  const { agents } = tracker.book
  const known = agents.find((agent) => agent.wallet === wallet.id)
  tracker.touch()
  if (known !== undefined) {
    // trades made before the wallet was listed do not count
    if (!known.active) Object.assign(known, { realisedSeen: wallet.realised, closedSeen: wallet.closed })
    known.active = name !== null
    if (name !== null) known.name = name
    return true
  }
  if (name === null) return true
  if (agents.length >= STRATEGIES.length + AGENTS.walletsMax) return false
  // trades made before the wallet was listed do not count
  agents.push({ ...newAgent(name, wallet.id), realisedSeen: wallet.realised, closedSeen: wallet.closed })
  return true
}

function noticeWallet(book: AgentBook, wallet: Wallet, row: TradeRow, touch: () => void): void {
  const agent = book.agents.find((one) => one.wallet === wallet.id)
  if (agent === undefined || !agent.active) return
  if (row.isBuy) remember(agent, { token: row.token, slot: row.slot, time: row.time })
  settleWallet(agent, wallet, row.slot)
  touch()
}

/** Credits what the wallet realised since the last check, write-offs included, to the current period. */
function settleWallet(agent: Agent, wallet: Wallet, slot: number): void {
  credit(agent, slot, wallet.realised - agent.realisedSeen, wallet.closed - agent.closedSeen)
  agent.realisedSeen = wallet.realised
  agent.closedSeen = wallet.closed
}

function remember(agent: Agent, buy: AgentBuy): void {
  agent.buys.unshift(buy)
  if (agent.buys.length > AGENTS.latestBuys) agent.buys.pop()
}

function order(slot: number, agent: Agent, token: Token, isBuy: boolean): void {
  if (isBuy && agent.open.length + agent.orders.length >= AGENTS.openMax) return
  agent.orders.push({ token: token.id, isBuy, slot })
}

/** Fills the orders of earlier blocks at the state after this one. Returns true if anything changed. */
function fill(fold: Fold, agent: Agent, { slot, time }: Moment): boolean {
  const due = agent.orders.filter((one) => one.slot < slot)
  if (due.length === 0) return false
  agent.orders = agent.orders.filter((one) => one.slot >= slot)
  for (const { token: id, isBuy } of due) {
    const { token } = fold.tokens.byId(id)
    if (isBuy) {
      const tokens = paperBuy(token, fold.globals.solUsd)
      if (tokens === 0) continue
      agent.open.push({ token: id, tokens, cost: AGENTS.stakeLamports, openedSlot: slot })
      remember(agent, { token: id, slot, time })
      continue
    }
    const at = agent.open.findIndex((position) => position.token === id)
    const [closed] = agent.open.splice(at, 1)
    credit(agent, slot, paperSell(token, closed!.tokens, fold.globals.solUsd) - closed!.cost, 1)
  }
  return true
}

/** Orders the sale if a rule of the strategy says so. Returns true if it did. */
function exits(fold: Fold, strategy: Strategy, agent: Agent, position: PaperPosition, slot: number): boolean {
  if (agent.orders.some((one) => one.token === position.token)) return false
  const isLive = fold.tokens.isLive(position.token)
  if (isLive) {
    const { token } = fold.tokens.byId(position.token)
    const value = paperSell(token, position.tokens, fold.globals.solUsd) / position.cost
    const sell =
      slot - position.openedSlot >= strategy.timeSlots ||
      value >= strategy.takeProfit ||
      value <= strategy.stop ||
      token.ruggedSlot >= 0 ||
      strategy.flees?.(token, position.openedSlot) === true
    if (!sell) return false
  }
  agent.orders.push({ token: position.token, isBuy: false, slot })
  return true
}

function credit(agent: Agent, slot: number, profit: number, closed: number): void {
  const index = Math.floor(slot / AGENTS.periodSlots)
  let period = agent.periods[agent.periods.length - 1]
  if (period === undefined || period.index < index) {
    period = { index, profit: 0, closed: 0 }
    agent.periods.push(period)
  }
  period.profit += profit
  period.closed += closed
  while (agent.periods[0]!.index <= index - AGENTS.periods) agent.periods.shift()
}

/** Ranks agents by net result per closed trade. Those with too few trades and those that lost are not listed. */
function rank(fold: Fold, book: AgentBook, period: number): void {
  const ranked = book.agents.flatMap((agent, place) => {
    if (!agent.active) return []
    if (agent.wallet >= 0) settleWallet(agent, fold.wallets.byId(agent.wallet), fold.globals.slot)
    const recent = agent.periods.filter(({ index }) => index > period - AGENTS.periods)
    const profit = recent.reduce((sum, one) => sum + one.profit, 0)
    const closed = recent.reduce((sum, one) => sum + one.closed, 0)
    return closed >= AGENTS.closedMin && profit > 0 ? [{ place, perTrade: profit / closed }] : []
  })
  ranked.sort((a, b) => b.perTrade - a.perTrade || a.place - b.place)
  book.top = ranked.slice(0, AGENTS.top).map(({ place }) => place)
}
