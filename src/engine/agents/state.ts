/**
 * Trading agents: methodology, section 6. Rule strategies that trade on paper, and wallets the operator shows. Plain
 * records; tokens and wallets are ids, amounts base units and lamports.
 */

export interface PaperPosition {
  token: number
  tokens: number
  /** lamports paid, fee included */
  cost: number
  openedSlot: number
}

/** Decided in the block of `slot`, filled after the next one. */
export interface PaperOrder {
  token: number
  isBuy: boolean
  slot: number
}

export interface AgentBuy {
  token: number
  slot: number
  /** Unix seconds */
  time: number
}

/** What was closed in one period of 9,000 slots. */
export interface AgentPeriod {
  /** floor(slot / 9,000) */
  index: number
  /** lamports, net of fees */
  profit: number
  closed: number
}

export interface Agent {
  name: string
  /** the operator's wallet, -1 for a rule strategy */
  readonly wallet: number
  /** false once the operator took the wallet from the list */
  active: boolean
  open: PaperPosition[]
  orders: PaperOrder[]
  /** newest first, at most 20 */
  buys: AgentBuy[]
  /** of the last 7 days, oldest first */
  periods: AgentPeriod[]
  /** the wallet's realised profit and closed positions that its periods account for already */
  realisedSeen: number
  closedSeen: number
}

export interface AgentBook {
  agents: Agent[]
  /** places in `agents` of those whose buys are shown, best first */
  top: number[]
  /** floor(slot / 9,000) of the last ranking, -1 never */
  rankedPeriod: number
}
