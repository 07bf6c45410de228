import type { Group } from '../../model/bundles.ts'
import type { Population } from '../../model/population.ts'
import type { Position, Wallet } from '../../model/state.ts'
import type { LiveToken } from '../resident.ts'

/** Who acted together on other tokens, and what is notified of every wallet that joins a confirmed group. */
export interface Companions {
  /** wallets of the actor, in order of joining, its own included */
  walletsOf(actor: number): readonly number[]
  /** once for each group, and again when two groups have merged */
  joined(context: BundleContext, group: Group, wallet: number): void
}

/** What the detection of coordinated wallets may see and mark as changed. */
export interface BundleContext {
  readonly live: LiveToken
  readonly slot: number
  /** tokens and wallets known so far */
  readonly mints: number
  readonly wallets: number
  readonly population: Population
  /** numbers of evidence families to do without: for evaluation only */
  readonly hidden?: readonly number[]
  /** sales in the window of a drain have become a group's: the caller judges the drain again */
  credited?: boolean
  readonly members?: Companions
  wallet(id: number): Wallet
  touchWallet(wallet: Wallet): void
  touchPosition(position: Position): void
}
