import type { Population } from '../../model/population.ts'
import type { TradeRow } from '../../model/rows.ts'
import type { Wallet } from '../../model/state.ts'

/** The context of a reading, as of `slot`. */
export interface Market {
  readonly slot: number
  /** The first slot of the log. */
  readonly firstSlot: number
  readonly solUsd: number
  readonly population: Population
  wallet(id: number): Wallet
}

/** Returns at most `limit` trade rows of one token, newest first, starting with row `lastNo`. */
export type TradesBack = (lastNo: number, limit: number) => readonly TradeRow[]
