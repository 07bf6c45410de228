import type { Readiness } from '../access/refusals.ts'
import type { PaymentsStatus } from '../access/x402/types.ts'
import { processTroubles } from '../base/troubles.ts'

/** What the composition root says about the service at this moment; asked on every data request, so it must be cheap. */
export interface ServiceStatus extends Readiness {
  /** slots between the source's newest block and the newest one served, null when unknown */
  readonly lagSlots: number | null
  /** newest log entry and chain slot served, -1 before the first */
  readonly seq: number
  readonly slot: number
  /** of a live source, null before it has said anything */
  readonly source?: LiveSource | null
  /** messages of a log that several nodes share which this one has not read; null: it has read none yet */
  readonly logPending?: number | null
  /** fingerprints of this node's fold and of the one that the nodes of its log serve, null unknown; left out: its log is its own */
  readonly fold?: { readonly own: string; readonly agreed: string | null }
  /** subjects that observers could look at now, by observer; null: nothing is asked of the outside */
  readonly waitingOutside?: Readonly<Record<string, number>> | null
  /** events and instructions of watched programs that no decoder knows; null: this node decodes nothing */
  readonly unknown?: UnknownSummary | null
  /** the last verification of log and state beside the service; null: none has ended yet */
  readonly scrub?: ScrubSummary | null
}

export interface ScrubSummary {
  /** RFC 3339 */
  readonly ended: string
  /** records of the state, and bytes of the log, that were read */
  readonly records: number
  readonly logBytes: number
  /** faults of the log in words */
  readonly damage: readonly string[]
}

/** A sign that a program was upgraded: answers may be incomplete, and the service goes on. */
export interface UnknownSummary {
  /** kinds, and how often all of them were met */
  readonly kinds: number
  readonly count: number
  /** block time of the last one, RFC 3339; null none */
  readonly lastSeen: string | null
  /** the most frequent, LIMITS.unknown.shown at most */
  readonly shown: readonly UnknownShown[]
}

interface UnknownShown {
  /** as its interface file calls it, else base58 */
  readonly program: string
  readonly what: 'event' | 'instruction'
  readonly why: string
  readonly name: string
  /** hex; '' for all that found no room of its own */
  readonly discriminator: string
  /** bytes; -1 several */
  readonly length: number
  readonly count: number
  readonly lastSlot: number
}

/** Whether the database of accounts and payments answers; while it does not, keys are judged by what is in memory. */
export interface AccountsStatus {
  readonly answering: boolean
  /** RFC 3339, when it answered last; null while it does */
  readonly since: string | null
}

export interface LiveSource {
  readonly endpoints: number
  readonly connected: number
  /** -1 none */
  readonly newestSlot: number
  /** slots being fetched one by one, and slots given up */
  readonly filling: number
  readonly missing: number
  readonly heldBytes: number
  /** mints and token accounts of holders whose transfers it asks for, and wallets whose payments */
  readonly followed?: { readonly mints: number; readonly holders: number; readonly funders: number }
  /** what keeps it from going on, in words for the operator; null or absent: nothing */
  readonly problem?: string | null
  readonly counts: ReadonlyMap<string, number>
}

/** A live source as monitors and the page see it. */
export const sourceJson = (source: LiveSource) => ({
  endpoints: source.endpoints,
  connected: source.connected,
  newest_slot: source.newestSlot,
  filling: source.filling,
  missing: source.missing,
  held_bytes: source.heldBytes,
})

const problemOf = ({ problem }: LiveSource): { problem?: string } => (problem ? { problem } : {})

export const unknownJson = ({ kinds, count, lastSeen, shown }: UnknownSummary) => ({
  kinds,
  count,
  last_seen: lastSeen,
  list: shown.map(({ lastSlot, ...kind }) => ({ ...kind, last_slot: lastSlot })),
})

const scrubJson = ({ ended, records, logBytes, damage }: ScrubSummary) => ({
  ended,
  records,
  log_bytes: logBytes,
  damage,
})

/** What the process is short of right now; left out while there is nothing to say. */
export function troublesJson(): { readonly troubles?: object } {
  const recent = processTroubles.recent()
  if (recent.length === 0) return {}
  return { troubles: recent.map(({ what, message, times }) => ({ what, message, times })) }
}

/** `accounts` and `payments`: null on a node that has none */
export const readiness = (
  status: ServiceStatus,
  accounts: AccountsStatus | null,
  payments: PaymentsStatus | null,
): object => ({
  ready: status.ready,
  starting: status.starting,
  reason: status.reason,
  lag_slots: status.lagSlots,
  seq: status.seq,
  slot: status.slot,
  ...(status.logPending === undefined ? {} : { log_pending: status.logPending }),
  ...(status.fold === undefined ? {} : { fold: status.fold }),
  ...(status.source ? { source: { ...sourceJson(status.source), ...problemOf(status.source) } } : {}),
  ...(status.waitingOutside ? { waiting_outside: status.waitingOutside } : {}),
  ...(status.unknown ? { unknown: unknownJson(status.unknown) } : {}),
  ...(status.scrub ? { scrub: scrubJson(status.scrub) } : {}),
  ...(accounts === null ? {} : { accounts }),
  ...(payments === null ? {} : { payments }),
  ...troublesJson(),
})
