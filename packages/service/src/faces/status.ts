import type { Readiness } from '../access/refusals.ts'
import type { Shared } from '../access/shared/shared.ts'
import type { PaymentsStatus } from '../access/x402/types.ts'
import { processClock } from '../base/clock-jumps.ts'
import { processTroubles } from '../base/troubles.ts'

/** The service's current status, from the composition root; read on every data request, so it must be cheap. */
export interface ServiceStatus extends Readiness {
  /** slots between the source's newest block and the newest one served, null when unknown */
  readonly lagSlots: number | null
  /** name of the chain, null before a source has named it */
  readonly chain: string | null
  /** newest log entry and chain slot served, -1 before the first */
  readonly seq: number
  readonly slot: number
  /** the live source, if there is one; null until it reports */
  readonly source?: LiveSource | null
  /** messages of a shared log that this node has not read; null: it has read none yet */
  readonly logPending?: number | null
  /** the problem of the shared log's servers, in words; null: none */
  readonly logProblem?: string | null
  /** fingerprints of this node's fold and of the fold that the log's nodes serve, null unknown; left out: the log is its own */
  readonly fold?: { readonly own: string; readonly agreed: string | null }
  /** subjects that observers could look up now, by observer; null: this node runs no observers */
  readonly waitingOutside?: Readonly<Record<string, number>> | null
  /** unknown events and instructions of the watched programs; null: this node decodes nothing */
  readonly unknown?: UnknownSummary | null
  /** the last verification of log and state beside the service; null: none has finished yet */
  readonly scrub?: ScrubSummary | null
  /** when a damaged state was last set aside, RFC 3339; null: never */
  readonly setAside?: string | null
  /** the room on the disk of the data directory */
  readonly disk?: {
    readonly freeBytes: number
    readonly bytes: number
    readonly problem: string | null
    readonly walBytes: number
    readonly held: string | null
  }
}

export interface ScrubSummary {
  /** RFC 3339 */
  readonly ended: string
  /** records of the state, and bytes of the log, that were read */
  readonly records: number
  readonly logBytes: number
  /** a description of each fault in the log */
  readonly damage: readonly string[]
}

/** A sign that a program was upgraded: answers may be incomplete, but the service continues. */
export interface UnknownSummary {
  /** different kinds, and all occurrences together */
  readonly kinds: number
  readonly count: number
  /** block time of the last one, RFC 3339; null: none */
  readonly lastSeen: string | null
  /** the most frequent ones */
  readonly shown: readonly UnknownShown[]
}

interface UnknownShown {
  /** the name in its interface file, else base58 */
  readonly program: string
  readonly what: 'event' | 'instruction'
  readonly why: string
  readonly name: string
  /** hex; '' for the total of all kinds that found no room */
  readonly discriminator: string
  /** bytes; -1: several lengths */
  readonly length: number
  readonly count: number
  readonly lastSlot: number
}

/** The health of the accounts and payments database. While it does not answer, keys are checked from memory. */
export interface AccountsStatus {
  readonly answering: boolean
  /** RFC 3339, time of its last answer; null while it answers */
  readonly since: string | null
  /** false: it is read-only, or its disk is full. Then payments and changes of accounts are 503, and keys go on */
  readonly writable: boolean
  readonly problem?: string
}

export interface LiveSource {
  readonly endpoints: number
  readonly connected: number
  /** -1: none */
  readonly newestSlot: number
  /** slots being fetched one by one, and slots given up */
  readonly filling: number
  readonly missing: number
  readonly heldBytes: number
  /** mints and holders' token accounts whose transfers it subscribes to, and wallets whose payments it subscribes to */
  readonly followed?: { readonly mints: number; readonly holders: number; readonly funders: number }
  /** the problem that keeps it from continuing, for the operator; null or absent: none */
  readonly problem?: string | null
  readonly counts: ReadonlyMap<string, number>
}

/** The JSON of a live source for monitors and the page. */
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

const diskJson = ({ freeBytes, bytes, problem, walBytes, held }: NonNullable<ServiceStatus['disk']>) => ({
  free_bytes: freeBytes,
  bytes,
  problem,
  wal_bytes: walBytes,
  held,
})

/** Current shortages of the process and a recent jump of its clock; left out if there are none. */
export function troublesJson(): { readonly troubles?: object; readonly clock_jumped?: object } {
  const recent = processTroubles.recent()
  const jump = processClock.recent()
  return {
    ...(jump === null ? {} : { clock_jumped: jump }),
    ...(recent.length > 0 && { troubles: recent.map(({ what, message, times }) => ({ what, message, times })) }),
  }
}

/** `accounts`, `payments` and `shared`: null on a node without them */
export const readiness = (
  status: ServiceStatus,
  accounts: AccountsStatus | null,
  payments: PaymentsStatus | null,
  shared: ReturnType<Shared['usage']> | null,
): object => ({
  ready: status.ready,
  starting: status.starting,
  reason: status.reason,
  lag_slots: status.lagSlots,
  chain: status.chain,
  seq: status.seq,
  slot: status.slot,
  ...(status.logPending === undefined ? {} : { log_pending: status.logPending }),
  ...(status.logProblem ? { log_problem: status.logProblem } : {}),
  ...(status.fold === undefined ? {} : { fold: status.fold }),
  ...(status.source ? { source: { ...sourceJson(status.source), ...problemOf(status.source) } } : {}),
  ...(status.waitingOutside ? { waiting_outside: status.waitingOutside } : {}),
  ...(status.unknown ? { unknown: unknownJson(status.unknown) } : {}),
  ...(status.scrub ? { scrub: scrubJson(status.scrub) } : {}),
  ...(status.setAside ? { state_set_aside: status.setAside } : {}),
  ...(status.disk ? { disk: diskJson(status.disk) } : {}),
  ...(accounts === null ? {} : { accounts }),
  ...(payments === null ? {} : { payments }),
  ...(shared === null ? {} : { shared }),
  ...troublesJson(),
})
