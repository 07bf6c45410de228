import type { Group } from '../../model/bundles.ts'
import type { Position, Wallet } from '../../model/state.ts'
import type { LiveToken } from '../resident.ts'

/** Is notified of joins to confirmed groups. */
export interface Joins {
  /** Called once per group, and again when two groups have merged. */
  joined(context: BundleContext, group: Group, wallet: number): void
}

/** The state that bundle detection reads, and the ways to mark it as changed. */
export interface BundleContext {
  readonly live: LiveToken
  readonly slot: number
  /** The numbers of tokens and wallets known so far. */
  readonly mints: number
  readonly wallets: number
  /** Indexes of the evidence families to ignore. For evaluation only. */
  readonly hidden?: readonly number[]
  /** Set when sales in the window of a drain were credited to a group: the caller judges the drain again. */
  credited?: boolean
  readonly members?: Joins
  wallet(id: number): Wallet
  touchWallet(wallet: Wallet): void
  touchPosition(position: Position): void
}
