import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../../base/ids.ts'
import type { Agent, AgentBook } from '../../model/agents.ts'
import type { TradeRow } from '../../model/rows.ts'
import type { Token, Wallet } from '../../model/state.ts'
import type { Fold } from '../fold.ts'
import { newWallet } from '../history.ts'
import { type LiveToken, readLiveToken } from '../resident.ts'
import type { StateReader } from '../state.ts'
import { newToken } from '../tokens.ts'
import { paperBuy, paperSell } from './paper.ts'
import { STRATEGIES } from './strategies.ts'
import { type AgentTracker, createAgentTracker, nameAgent } from './tracker.ts'

const ECHO = STRATEGIES.findIndex(({ name }) => name === 'kol-echo')
const YOUNG = STRATEGIES.findIndex(({ name }) => name === 'young-quality')
const STAKE = 500_000_000
const nothing = { positions: () => [], bundles: () => undefined } as unknown as StateReader

const tokenOf = (id: number, changes: Partial<Token> = {}): LiveToken =>
  readLiveToken(nothing, {
    ...newToken(id, `m${id}`.padEnd(32, '.') as Key, 0, 1),
    ...{ createdKnown: true, quoteReserve: 60e9, baseReserve: 5e14, supply: 1e15, buyers: 20 },
    ...changes,
  })

interface Scene {
  readonly agents: AgentTracker
  readonly tokens: Map<number, LiveToken>
  readonly wallets: Map<number, Wallet>
  readonly dead: Set<number>
  end(slot: number): void
  kolBuys(id: number, slot: number): void
}

/** A tracker over tokens 0..99 and the wallets that a test adds. */
function scene(saved: AgentBook | null = null): Scene {
  const agents = createAgentTracker(saved)
  const tokens = new Map(Array.from({ length: 100 }, (_, id) => [id, tokenOf(id)]))
  const wallets = new Map<number, Wallet>()
  const dead = new Set<number>()
  const globals = { solUsd: 150, slot: 0 }
  const fold = {
    ...{ globals, agents },
    tokens: { byId: (id: number) => tokens.get(id)!, isLive: (id: number) => !dead.has(id) },
    wallets: { byId: (id: number) => wallets.get(id)! },
  } as unknown as Fold
  const kol = { ...newWallet(7, 'k'.repeat(32) as Key, 0), kol: true }
  return {
    ...{ agents, tokens, wallets, dead },
    end(slot) {
      agents.endBlock(fold, { slot, time: slot / 2 })
      globals.slot = slot
    },
    kolBuys(id, slot) {
      agents.noticeTrade(tokens.get(id)!, kol, { token: id, slot, isBuy: true, smart: false } as TradeRow)
    },
  }
}

const agent = ({ agents }: Scene, n = ECHO): Agent => agents.book.agents[n]!

/** Sets reserves at which a stake's tokens sell for about `times` the stake. */
function reprice({ tokens }: Scene, id: number, times: number): void {
  tokens.get(id)!.token.quoteReserve = 60e9 * times
}

test('an order is filled after the next block, at the state it leaves', () => {
  const here = scene()
  here.kolBuys(1, 100)
  here.end(100)
  assert.deepEqual(agent(here).orders, [{ token: 1, isBuy: true, slot: 100 }])
  assert.equal(agent(here).open.length, 0)
  here.tokens.get(1)!.token.quoteReserve = 90e9
  here.end(102)
  const tokens = paperBuy(here.tokens.get(1)!.token, 150)
  assert.deepEqual(agent(here).open, [{ token: 1, tokens, cost: STAKE, openedSlot: 102 }])
  assert.deepEqual(agent(here).buys, [{ token: 1, slot: 102, time: 51 }])
  assert.equal(agent(here).orders.length, 0)
})

test('a strategy makes up its mind about a token once', () => {
  const here = scene()
  here.kolBuys(1, 100)
  here.kolBuys(1, 100)
  here.end(101)
  here.kolBuys(1, 102)
  here.end(103)
  assert.equal(agent(here).open.length, 1)
  assert.equal(agent(here).orders.length, 0)
  assert.equal(here.tokens.get(1)!.token.strategiesSeen, 1 << ECHO)
})

test('what cannot be bought any more is not bought', () => {
  const here = scene()
  here.kolBuys(1, 100)
  here.tokens.get(1)!.token.completeSlot = 101
  here.end(101)
  assert.deepEqual([agent(here).open, agent(here).orders, agent(here).buys], [[], [], []])
})

test('the age is noticed once, by the strategies that ask for it', () => {
  const here = scene()
  const live = here.tokens.get(3)!
  here.agents.noticeAge(live, 375, () => 5)
  assert.deepEqual(agent(here, YOUNG).orders, [{ token: 3, isBuy: true, slot: 375 }])
  assert.equal(live.token.strategiesSeen, 1 << YOUNG)
  assert.equal(agent(here).orders.length, 0)
})

/** A scene in which the KOL echo has held token 1 since slot 101. */
function holding(): Scene {
  const here = scene()
  here.kolBuys(1, 100)
  here.end(101)
  assert.equal(agent(here).open.length, 1)
  return here
}

const isSelling = (here: Scene): boolean => agent(here).orders.some(({ isBuy }) => !isBuy)

/** Sets the quote reserve so that the open position is worth slightly more or less than `times` its cost. */
function worth(here: Scene, times: number, above: boolean): void {
  const { tokens } = agent(here).open[0]!
  let [low, high] = [0.01, 100]
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    reprice(here, 1, middle)
    if (paperSell(here.tokens.get(1)!.token, tokens, 150) / STAKE >= times) high = middle
    else low = middle
  }
  reprice(here, 1, above ? high : low * 0.999999)
}

test('exits: take profit and stop at their edges, filled one block later', () => {
  const { takeProfit, stop } = STRATEGIES[ECHO]!
  const sells = (times: number, above: boolean): boolean => {
    const here = holding()
    worth(here, times, above)
    here.end(110)
    return isSelling(here)
  }
  assert.equal(sells(takeProfit, true), true)
  assert.equal(sells(takeProfit, false), false)
  assert.equal(sells(stop, false), true)
  assert.equal(sells(stop * 1.001, true), false)
})

test('exits: time, rug, death, and fleeing', () => {
  const { timeSlots } = STRATEGIES[ECHO]!
  const after = (slot: number, change: (here: Scene) => void = () => undefined): boolean => {
    const here = holding()
    change(here)
    here.end(slot)
    return isSelling(here)
  }
  assert.equal(after(101 + timeSlots - 1), false)
  assert.equal(after(101 + timeSlots), true)
  assert.equal(
    after(110, ({ tokens }) => (tokens.get(1)!.token.ruggedSlot = 105)),
    true,
  )
  assert.equal(
    after(110, ({ dead }) => dead.add(1)),
    true,
  )
  const sale = { wallet: 7, slot: 105, lamports: -1, smart: false, kol: true }
  assert.equal(
    after(110, ({ tokens }) => tokens.get(1)!.token.watched.push(sale)),
    true,
  )
})

test('a sale is ordered once, and its profit goes to the period in which it is filled', () => {
  const here = holding()
  reprice(here, 1, 3)
  here.end(8_990)
  here.end(8_990)
  assert.equal(agent(here).orders.length, 1)
  const { tokens } = agent(here).open[0]!
  here.end(9_001)
  assert.equal(agent(here).open.length, 0)
  const profit = paperSell(here.tokens.get(1)!.token, tokens, 150) - STAKE
  assert.deepEqual(agent(here).periods, [{ index: 1, profit, closed: 1 }])
  assert.ok(profit > 0)
})

test('at most forty positions and orders at once; sales are never held back', () => {
  const here = scene()
  for (let id = 0; id < 45; id++) here.kolBuys(id, 100)
  assert.equal(agent(here).orders.length, 40)
  here.end(101)
  assert.equal(agent(here).open.length, 40)
  here.kolBuys(60, 102)
  assert.equal(agent(here).orders.length, 0)
  for (let id = 0; id < 40; id++) here.dead.add(id)
  here.end(103)
  assert.equal(agent(here).orders.length, 40)
  here.end(104)
  assert.deepEqual([agent(here).open.length, agent(here).periods[0]!.closed], [0, 40])
})

test('the latest twenty buys are remembered, newest first', () => {
  const here = scene()
  for (let id = 0; id < 25; id++) {
    here.kolBuys(id, 100 + 2 * id)
    here.end(101 + 2 * id)
  }
  const { buys } = agent(here)
  assert.equal(buys.length, 20)
  assert.deepEqual([buys[0]!.token, buys[19]!.token], [24, 5])
})

/** Ranks agents with these profits and closed trades, all in period 200. */
function rankedOf(records: readonly (readonly [profit: number, closed: number])[], at = 200 * 9_000): number[] {
  // agents of rule strategies that the test does not mention are empty
  const places = Math.max(records.length, STRATEGIES.length)
  const agents = Array.from({ length: places }, (_, n): Agent => {
    const [profit, closed] = records[n] ?? [0, 0]
    const periods = closed === 0 && profit === 0 ? [] : [{ index: 199, profit, closed }]
    const empty = { open: [], orders: [], buys: [], realisedSeen: 0, closedSeen: 0 }
    return { name: `a${n}`, wallet: -1, active: n < records.length, periods, ...empty }
  })
  const here = scene({ agents, top: [], rankedPeriod: -1 })
  here.end(at)
  return here.agents.book.top
}

test('ranking: net profit per trade, of those with twenty closed trades and a profit; nobody else fills up', () => {
  const ranked = (...records: (readonly [number, number])[]): number[] => rankedOf(records)
  assert.deepEqual(ranked([20, 20], [40, 20], [60, 20], [80, 20], [100, 20], [120, 20]), [5, 4, 3, 2, 1])
  assert.deepEqual(ranked([100, 100], [40, 20], [60, 40]), [1, 2, 0], 'not by the sum')
  assert.deepEqual(ranked([99, 19], [40, 20]), [1])
  assert.deepEqual(ranked([40, 20], [80, 40]), [0, 1], 'in their original order among equals')
  assert.deepEqual(ranked([-5, 20], [0, 20], [99, 19], [0, 0]), [], 'who loses is not at the top')
})

test('ranking: seven days of 9,000 slots, the running one included', () => {
  const records = [
    [5, 20],
    [9, 20],
  ] as const
  const at = (period: number): number[] => rankedOf(records, period * 9_000)
  assert.deepEqual(at(199), [1, 0])
  assert.deepEqual(at(199 + 167), [1, 0])
  assert.deepEqual(at(199 + 168), [], 'everything has expired')
})

test('ranking: once in 9,000 slots', () => {
  const here = scene()
  here.end(9_000)
  const { top } = here.agents.book
  agent(here).periods.push({ index: 1, profit: 5, closed: 20 })
  here.end(17_999)
  assert.equal(here.agents.book.top, top)
  here.end(18_000)
  assert.equal(here.agents.book.rankedPeriod, 2)
  assert.equal(here.agents.book.top[0], ECHO)
})

const trader = (id: number, changes: Partial<Wallet> = {}): Wallet => ({
  ...newWallet(id, `t${id}`.padEnd(32, '.') as Key, 0),
  ...changes,
})

test('an operator’s wallet: what it did before is no merit, what it does now is shown and counted', () => {
  const here = scene()
  const wallet = trader(50, { realised: 1e12, closed: 99 })
  here.wallets.set(50, wallet)
  assert.equal(nameAgent(here.agents, wallet, 'whale'), true)
  wallet.agent = true
  const named = here.agents.book.agents.at(-1)!
  assert.deepEqual([named.name, named.wallet, named.active], ['whale', 50, true])
  here.agents.noticeTrade(here.tokens.get(9)!, wallet, { token: 9, slot: 500, time: 250, isBuy: true } as TradeRow)
  assert.deepEqual(named.buys, [{ token: 9, slot: 500, time: 250 }])
  wallet.realised += 7
  wallet.closed += 1
  here.agents.noticeTrade(here.tokens.get(9)!, wallet, { token: 9, slot: 600, time: 300, isBuy: false } as TradeRow)
  assert.deepEqual(named.periods, [{ index: 0, profit: 7, closed: 1 }])
  assert.equal(named.buys.length, 1)
})

test('an operator’s wallet: write-offs count when the ranking looks', () => {
  const here = scene()
  const wallet = trader(50)
  here.wallets.set(50, wallet)
  nameAgent(here.agents, wallet, 'whale')
  wallet.realised = -3e9
  wallet.closed = 1
  here.end(9_000)
  here.end(18_000)
  const { periods } = here.agents.book.agents.at(-1)!
  assert.deepEqual(
    periods.filter(({ closed }) => closed > 0).map(({ profit, closed }) => [profit, closed]),
    [[-3e9, 1]],
  )
  assert.deepEqual(here.agents.book.top, [])
})

test('an operator’s wallet: taken from the list, put back, renamed', () => {
  const here = scene()
  const wallet = trader(50, { agent: true })
  here.wallets.set(50, wallet)
  nameAgent(here.agents, wallet, 'whale')
  const known = here.agents.book.agents.length
  const named = here.agents.book.agents.at(-1)!
  nameAgent(here.agents, wallet, null)
  assert.equal(named.active, false)
  here.agents.noticeTrade(here.tokens.get(9)!, wallet, { token: 9, slot: 500, time: 250, isBuy: true } as TradeRow)
  assert.equal(named.buys.length, 0)
  named.periods.push({ index: 0, profit: 9e9, closed: 20 })
  here.end(100)
  assert.ok(!here.agents.book.top.includes(known - 1))
  nameAgent(here.agents, wallet, 'orca')
  here.end(9_000)
  assert.equal(here.agents.book.top[0], known - 1)
  assert.deepEqual([named.name, here.agents.book.agents.length], ['orca', known])
  assert.equal(nameAgent(here.agents, trader(51), null), true)
  assert.equal(here.agents.book.agents.length, known)
})

test('an operator’s wallet: what it did while it was off the list is no merit either', () => {
  const here = scene()
  const wallet = trader(50, { agent: true })
  here.wallets.set(50, wallet)
  nameAgent(here.agents, wallet, 'whale')
  nameAgent(here.agents, wallet, null)
  wallet.realised = 5e9
  wallet.closed = 30
  nameAgent(here.agents, wallet, 'whale')
  wallet.realised += 3
  nameAgent(here.agents, wallet, 'orca')
  here.agents.noticeTrade(here.tokens.get(9)!, wallet, { token: 9, slot: 500, time: 250, isBuy: false } as TradeRow)
  assert.deepEqual(here.agents.book.agents.at(-1)!.periods, [{ index: 0, profit: 3, closed: 0 }])
})

test('at most fifty operator’s wallets', () => {
  const here = scene()
  for (let n = 0; n < 50; n++) assert.equal(nameAgent(here.agents, trader(100 + n), `w${n}`), true)
  assert.equal(nameAgent(here.agents, trader(999), 'one too many'), false)
  assert.equal(here.agents.book.agents.length, STRATEGIES.length + 50)
})

test('the agents tells when its book has changed since the last commit', () => {
  const here = scene()
  assert.equal(here.agents.changed(), null)
  here.end(100)
  assert.equal(here.agents.changed(), here.agents.book)
  here.agents.committed()
  here.end(101)
  assert.equal(here.agents.changed(), null)
  here.kolBuys(1, 102)
  assert.equal(here.agents.changed(), here.agents.book)
})
