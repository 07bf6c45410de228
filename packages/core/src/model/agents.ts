import { bool, fixed, list, none, num, numbers, type Open, table, text } from './field.ts'

/**
 * Trading agents: methodology, section 6. Rule strategies that trade on paper, and wallets the operator shows. Plain
 * records; tokens and wallets are ids, amounts base units and lamports.
 */

const PAPER_POSITION = table('PaperPosition', {
  token: num,
  tokens: num,
  /** lamports paid, fee included */
  cost: num,
  openedSlot: num,
})
export interface PaperPosition extends Open<typeof PAPER_POSITION> {}

/** Decided in the block of `slot`, filled after the next one. */
const PAPER_ORDER = table('PaperOrder', {
  token: num,
  isBuy: bool,
  slot: num,
})
export interface PaperOrder extends Open<typeof PAPER_ORDER> {}

const AGENT_BUY = table('AgentBuy', {
  token: num,
  slot: num,
  /** Unix seconds */
  time: num,
})
export interface AgentBuy extends Open<typeof AGENT_BUY> {}

/** What was closed in one period of 9,000 slots. */
const AGENT_PERIOD = table('AgentPeriod', {
  /** floor(slot / 9,000) */
  index: num,
  /** lamports, net of fees */
  profit: num,
  closed: num,
})
export interface AgentPeriod extends Open<typeof AGENT_PERIOD> {}

const AGENT = table('Agent', {
  name: text,
  /** the operator's wallet, -1 for a rule strategy */
  wallet: fixed(num),
  /** false once the operator took the wallet from the list */
  active: bool,
  /** the wallet's realised profit and closed positions that its periods account for already */
  realisedSeen: num,
  closedSeen: num,
  open: list(PAPER_POSITION),
  orders: list(PAPER_ORDER),
  /** newest first, at most 20 */
  buys: list(AGENT_BUY),
  /** of the last 7 days, oldest first */
  periods: list(AGENT_PERIOD),
})
export interface Agent extends Open<typeof AGENT> {}

export const AGENT_BOOK = table('AgentBook', {
  /** floor(slot / 9,000) of the last ranking, -1 never */
  rankedPeriod: none,
  /** places in `agents` of those whose buys are shown, best first */
  top: numbers,
  agents: list(AGENT),
})
export interface AgentBook extends Open<typeof AGENT_BOOK> {}
