// Made by `npm run model` of the tables in packages/core/src/model: change those.
import type { Agent, AgentBook, AgentBuy, AgentPeriod, PaperOrder, PaperPosition } from '../agents.ts'
import type { BudgetedWallet, BundleBook, Flow, FundedWallet, Group, RecentTrade } from '../bundles.ts'
import { type Reader, readList, readNumbers, recordReader, recordWriter, type Writer, writeNumbers } from '../bytes.ts'
import { readPair, writePair } from '../pair.ts'

const w = recordWriter
const r = recordReader

function writeRecentTrade(w: Writer, v: RecentTrade): void {
  w.u8(v.isBuy ? 1 : 0)
  w.num(v.wallet)
  w.num(v.slot)
  w.num(v.txIndex)
  w.num(v.paid)
  w.num(v.lamports)
  w.num(v.tipper)
  w.num(v.got)
  w.num(v.out)
}

function readRecentTrade(r: Reader): RecentTrade {
  return {
    isBuy: r.bool(),
    wallet: r.num(),
    slot: r.num(),
    txIndex: r.num(),
    paid: r.num(),
    lamports: r.num(),
    tipper: r.num(),
    got: r.num(),
    out: r.num(),
  }
}

function writeFlow(w: Writer, v: Flow): void {
  w.num(v.index)
  w.num(v.bought)
  w.num(v.sold)
}

function readFlow(r: Reader): Flow {
  return {
    index: r.num(),
    bought: r.num(),
    sold: r.num(),
  }
}

function writeGroup(w: Writer, v: Group): void {
  w.u8(v.red ? 1 : 0)
  w.num(v.mergedInto)
  w.num(v.firstSlot)
  w.num(v.founder)
  writeNumbers(w, v.members)
  w.num(v.remembered)
  w.num(v.balance)
  w.num(v.peak)
  w.num(v.confirmedSlot)
  w.num(v.bought)
  w.num(v.sold)
  w.num(v.netSellSlot)
  w.num(v.flows.length)
  for (const item of v.flows) writeFlow(w, item)
}

function readGroup(r: Reader, no: number): Group {
  return {
    no,
    red: r.bool(),
    mergedInto: r.num(),
    firstSlot: r.num(),
    founder: r.num(),
    members: readNumbers(r),
    remembered: r.num(),
    balance: r.num(),
    peak: r.num(),
    confirmedSlot: r.num(),
    bought: r.num(),
    sold: r.num(),
    netSellSlot: r.num(),
    flows: readList(r, readFlow),
  }
}

function writeFundedWallet(w: Writer, v: FundedWallet): void {
  w.num(v.wallet)
  w.num(v.funder)
}

function readFundedWallet(r: Reader): FundedWallet {
  return {
    wallet: r.num(),
    funder: r.num(),
  }
}

function writeBudgetedWallet(w: Writer, v: BudgetedWallet): void {
  w.num(v.wallet)
  w.num(v.budget)
}

function readBudgetedWallet(r: Reader): BudgetedWallet {
  return {
    wallet: r.num(),
    budget: r.num(),
  }
}

function writeBundleBook(w: Writer, v: BundleBook): void {
  w.num(v.recent.length)
  for (const item of v.recent) writeRecentTrade(w, item)
  w.num(v.pairs.length)
  for (const item of v.pairs) writePair(w, item)
  w.num(v.groups.length)
  for (const item of v.groups) writeGroup(w, item)
  w.num(v.funded.length)
  for (const item of v.funded) writeFundedWallet(w, item)
  w.num(v.budgeted.length)
  for (const item of v.budgeted) writeBudgetedWallet(w, item)
}

function readBundleBook(r: Reader): BundleBook {
  return {
    recent: readList(r, readRecentTrade),
    pairs: readList(r, readPair),
    groups: readList(r, readGroup),
    funded: readList(r, readFundedWallet),
    budgeted: readList(r, readBudgetedWallet),
  }
}

export function encodeBundleBook(v: BundleBook): Buffer {
  w.take()
  writeBundleBook(w, v)
  return w.take()
}

export function decodeBundleBook(bytes: Buffer): BundleBook {
  r.open(bytes, 0, bytes.length)
  const v = readBundleBook(r)
  r.done()
  return v
}

function writePaperPosition(w: Writer, v: PaperPosition): void {
  w.num(v.token)
  w.num(v.tokens)
  w.num(v.cost)
  w.num(v.openedSlot)
}

function readPaperPosition(r: Reader): PaperPosition {
  return {
    token: r.num(),
    tokens: r.num(),
    cost: r.num(),
    openedSlot: r.num(),
  }
}

function writePaperOrder(w: Writer, v: PaperOrder): void {
  w.num(v.token)
  w.u8(v.isBuy ? 1 : 0)
  w.num(v.slot)
}

function readPaperOrder(r: Reader): PaperOrder {
  return {
    token: r.num(),
    isBuy: r.bool(),
    slot: r.num(),
  }
}

function writeAgentBuy(w: Writer, v: AgentBuy): void {
  w.num(v.token)
  w.num(v.slot)
  w.num(v.time)
}

function readAgentBuy(r: Reader): AgentBuy {
  return {
    token: r.num(),
    slot: r.num(),
    time: r.num(),
  }
}

function writeAgentPeriod(w: Writer, v: AgentPeriod): void {
  w.num(v.index)
  w.num(v.profit)
  w.num(v.closed)
}

function readAgentPeriod(r: Reader): AgentPeriod {
  return {
    index: r.num(),
    profit: r.num(),
    closed: r.num(),
  }
}

function writeAgent(w: Writer, v: Agent): void {
  w.text(v.name)
  w.num(v.wallet)
  w.u8(v.active ? 1 : 0)
  w.num(v.realisedSeen)
  w.num(v.closedSeen)
  w.num(v.open.length)
  for (const item of v.open) writePaperPosition(w, item)
  w.num(v.orders.length)
  for (const item of v.orders) writePaperOrder(w, item)
  w.num(v.buys.length)
  for (const item of v.buys) writeAgentBuy(w, item)
  w.num(v.periods.length)
  for (const item of v.periods) writeAgentPeriod(w, item)
}

function readAgent(r: Reader): Agent {
  return {
    name: r.text(),
    wallet: r.num(),
    active: r.bool(),
    realisedSeen: r.num(),
    closedSeen: r.num(),
    open: readList(r, readPaperPosition),
    orders: readList(r, readPaperOrder),
    buys: readList(r, readAgentBuy),
    periods: readList(r, readAgentPeriod),
  }
}

function writeAgentBook(w: Writer, v: AgentBook): void {
  w.num(v.rankedPeriod)
  writeNumbers(w, v.top)
  w.num(v.agents.length)
  for (const item of v.agents) writeAgent(w, item)
}

function readAgentBook(r: Reader): AgentBook {
  return {
    rankedPeriod: r.num(),
    top: readNumbers(r),
    agents: readList(r, readAgent),
  }
}

export function encodeAgentBook(v: AgentBook): Buffer {
  w.take()
  writeAgentBook(w, v)
  return w.take()
}

export function decodeAgentBook(bytes: Buffer): AgentBook {
  r.open(bytes, 0, bytes.length)
  const v = readAgentBook(r)
  r.done()
  return v
}
