import type { Population } from '../../model/population.ts'
import type { TradeRow } from '../../model/rows.ts'
import type { Wallet } from '../../model/state.ts'

/** What reading a token takes from around it, as of `slot`. */
export interface Market {
  readonly slot: number
  /** first slot of the log */
  readonly firstSlot: number
  readonly solUsd: number
  readonly population: Population
  wallet(id: number): Wallet
}

/** At most `limit` trade rows of one token, newest first, starting with row `lastNo`. */
export type TradesBack = (lastNo: number, limit: number) => readonly TradeRow[]
