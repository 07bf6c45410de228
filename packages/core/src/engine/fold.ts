import type { Counts } from '../base/counts.ts'
import type { ReadingRow, TradeRow } from '../model/rows.ts'
import type { Globals } from '../model/state.ts'
import type { ActorTracker } from './actors/tracker.ts'
import type { Agenda } from './agenda.ts'
import type { AgentTracker } from './agents/tracker.ts'
import type { BundleContext } from './bundles/context.ts'
import type { FirstUses } from './first-uses.ts'
import type { FrameNumbers } from './frames.ts'
import { nextWake } from './next-wake.ts'
import type { LiveToken } from './resident.ts'
import type { TokenBook } from './token-book.ts'
import type { TokenEvents } from './token-events.ts'
import type { WalletCache } from './wallet-cache.ts'

/** The shared state of the fold's parts. */
export interface Fold {
  readonly globals: Globals
  readonly tokens: TokenBook
  readonly wallets: WalletCache
  readonly firstUses: FirstUses
  readonly agenda: Agenda
  readonly agents: AgentTracker
  readonly actors: ActorTracker
  /** Indexes of the evidence families to ignore. For evaluation only. */
  readonly hidden: readonly number[]
  trades: TradeRow[]
  /** Tokens of the current entry whose verdict may have changed. */
  readonly judged: Set<LiveToken>
  readonly tokenEvents: TokenEvents
  readonly readings: ReadingRow[]
  /** Frames of the current block. */
  frames: FrameNumbers
  readonly frameMarks: (readonly [number, number])[]
  readonly launches: (readonly [number, number])[]
  readonly counts: Counts
}

/**
 * Schedules the token's first wake after `after`. An earlier scheduled wake stays, because it computes the next one. A
 * token at rest that was touched wakes once more, to retire.
 */
export function schedule({ agenda, tokens }: Fold, live: LiveToken, after: number): void {
  const { token } = live
  let next = nextWake(live, after)
  if (next < 0 && tokens.isLive(token.id)) next = after + 1
  if (token.wakeSlot > after && (next < 0 || token.wakeSlot <= next)) return
  token.wakeSlot = next
  if (next >= 0) agenda.add(next, token.id)
}

/** The inputs of bundle detection. */
export const bundleContext = (
  { globals, wallets, tokens, hidden, actors }: Fold,
  live: LiveToken,
  slot: number,
): BundleContext => ({
  live,
  slot,
  mints: globals.nextToken,
  wallets: globals.nextWallet,
  hidden,
  members: actors,
  wallet: wallets.byId,
  touchWallet: wallets.touch,
  touchPosition: tokens.touchPosition,
})
