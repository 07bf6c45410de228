import { atMost, bool, fixed, list, none, num, numbers, type Open, table, text } from './field.ts'

/**
 * Trading agents (methodology, section 6): rule strategies that trade on paper, and wallets listed by the operator.
 * Plain records; tokens and wallets are ids, amounts base units and lamports.
 */

const PAPER_POSITION = table('PaperPosition', {
  token: num,
  tokens: num,
  /** Lamports paid, fee included. */
  cost: num,
  openedSlot: num,
})
export interface PaperPosition extends Open<typeof PAPER_POSITION> {}

/** An order decided in the block of `slot` and filled after the next one. */
const PAPER_ORDER = table('PaperOrder', {
  token: num,
  isBuy: bool,
  slot: num,
})
export interface PaperOrder extends Open<typeof PAPER_ORDER> {}

const AGENT_BUY = table('AgentBuy', {
  token: num,
  slot: num,
  /** Unix seconds. */
  time: num,
})
export interface AgentBuy extends Open<typeof AGENT_BUY> {}

/** Trades closed in one period of 9,000 slots. */
const AGENT_PERIOD = table('AgentPeriod', {
  /** floor(slot / 9,000). */
  index: num,
  /** Lamports, net of fees. */
  profit: num,
  closed: num,
})
export interface AgentPeriod extends Open<typeof AGENT_PERIOD> {}

const AGENT = table('Agent', {
  name: text,
  /** The operator's wallet, -1 for a rule strategy. */
  wallet: fixed(num),
  /** False once the operator removed the wallet from the list. */
  active: bool,
  /** The wallet's realised profit and closed positions already credited to periods. */
  realisedSeen: num,
  closedSeen: num,
  open: atMost(40, list(PAPER_POSITION)),
  orders: atMost(40, list(PAPER_ORDER)),
  /** Newest first. */
  buys: atMost(20, list(AGENT_BUY)),
  /** The last 7 days, oldest first. */
  periods: atMost(168, list(AGENT_PERIOD)),
})
export interface Agent extends Open<typeof AGENT> {}

export const AGENT_BOOK = table('AgentBook', {
  /** floor(slot / 9,000) of the last ranking, -1 if none. */
  rankedPeriod: none,
  /** Indexes in `agents` of those whose buys are shown, best first. */
  top: atMost(5, numbers),
  /** The strategies, and at most 50 wallets. */
  agents: atMost(55, list(AGENT)),
})
export interface AgentBook extends Open<typeof AGENT_BOOK> {}
