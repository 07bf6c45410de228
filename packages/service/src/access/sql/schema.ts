import type { DestinationKind, WatchKind } from '@ti/core/contract/account.ts'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** Row types of the tables of accounts and money. `tables.ts` has their columns. */
export interface Schema {
  readonly accounts: AccountsTable
  readonly api_keys: ApiKeysTable
  readonly challenges: ChallengesTable
  readonly sessions: SessionsTable
  readonly deposits: DepositsTable
  readonly cursors: CursorsTable
  readonly payments: PaymentsTable
  readonly payment_events: PaymentEventsTable
  readonly payers: PayersTable
  readonly payment_answers: PaymentAnswersTable
  readonly rate_windows: RateWindowsTable
  readonly trials: TrialsTable
  readonly secrets: SecretsTable
  readonly watches: WatchesTable
  readonly removed_watches: RemovedWatchesTable
  readonly alerts: AlertsTable
  readonly alert_counters: AlertCountersTable
  readonly alert_worker: AlertWorkerTable
  readonly destinations: DestinationsTable
  readonly deliveries: DeliveriesTable
  readonly link_codes: LinkCodesTable
  readonly leases: LeasesTable
}

/** set once */
type Fixed<T> = ColumnType<T, T, never>

interface AccountsTable {
  readonly id: Fixed<string>
  /** base58; null for the operator's own account, which has no sign-in */
  readonly wallet: Fixed<string | null>
  /** base58 public key that marks this account's deposits on chain; it has no private key */
  readonly reference: Fixed<string>
  /** end of the paid subscription */
  readonly paid_until: Date | null
  /** deposited and not spent yet */
  readonly balance_lamports: number
  /** Pro granted by the operator */
  readonly granted_pro: boolean
  readonly created_at: Fixed<Date>
  /** time of the last change of permissions */
  readonly changed_at: Date
}

interface ApiKeysTable {
  readonly id: Fixed<string>
  readonly account_id: Fixed<string>
  readonly name: string
  /** SHA-256 of the key */
  readonly digest: Fixed<Uint8Array>
  readonly created_at: Fixed<Date>
  readonly expires_at: Fixed<Date | null>
  readonly revoked_at: Date | null
  readonly changed_at: Date
  /** calls written by all nodes, and time of the last */
  readonly calls: Generated<number>
  readonly last_used_at: Generated<Date | null>
}

/** A used nonce of a sign-in or a proof of work, kept until it would expire. */
interface ChallengesTable {
  readonly nonce: Fixed<string>
  readonly wallet: Fixed<string>
  readonly message: Fixed<string>
  readonly expires_at: Fixed<Date>
}

interface SessionsTable {
  /** SHA-256 of the cookie */
  readonly digest: Fixed<Uint8Array>
  readonly account_id: Fixed<string>
  readonly created_at: Fixed<Date>
  readonly expires_at: Fixed<Date>
}

/** A SOL transfer with an account's reference; its signature is the key, so it is credited once. */
interface DepositsTable {
  readonly signature: Fixed<string>
  readonly account_id: Fixed<string>
  readonly lamports: Fixed<number>
  readonly slot: Fixed<number>
  readonly credited_at: Fixed<Date>
}

/** Progress of a reader of external data. */
interface CursorsTable {
  readonly name: Fixed<string>
  readonly value: string
}

/**
 * reserved: held for one request, nothing sent. settling: a settlement was asked for, its end is not known. settled: paid,
 * the answer not made yet. answered: paid, and its one answer was stored.
 * released: not paid; the same payment may be used again.
 */
const PAYMENT_STATES = ['reserved', 'settling', 'settled', 'answered', 'released'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

interface PaymentsTable {
  /** hex SHA-256 of the transaction's message bytes: signatures can be altered, the message cannot */
  readonly hash: Fixed<string>
  readonly operation: string
  /** operation and canonical arguments that were paid for */
  readonly request: string
  /** smallest units of the asset */
  readonly amount: number
  readonly payer: string
  readonly blockhash: string
  readonly state: PaymentState
  /** transaction signature, known before sending if we send it */
  readonly signature: string | null
  /** signed transaction in base64, while a settlement may have to be repeated */
  readonly signed_transaction: string | null
  readonly reason: string | null
  /** fee that our fee payer loses if the transaction gets into a block; 0 if the fee payer is not ours or has not signed */
  readonly fee_lamports: Generated<number>
  /** process that holds the lease, and its end */
  readonly owner: string
  readonly lease_until: Date
  readonly created_at: Date
  readonly updated_at: Date
}

/** The books: an immutable row per change of state. */
interface PaymentEventsTable {
  readonly id: Generated<number>
  readonly hash: Fixed<string>
  readonly at: Fixed<Date>
  readonly state: Fixed<PaymentState>
  readonly operation: Fixed<string>
  readonly amount: Fixed<number>
  readonly payer: Fixed<string>
  readonly signature: Fixed<string | null>
  readonly reason: Fixed<string | null>
  /** fee of a signed transaction; negative if it turned out not to be taken */
  readonly fee_lamports: Fixed<number>
}

/** A paid answer, kept to repeat the same bytes for a client that lost them. */
interface PaymentAnswersTable {
  readonly hash: Fixed<string>
  readonly answer: Fixed<string>
  readonly kept_at: Fixed<Date>
}

/** Payment outcomes per wallet, for wallets with a payment that landed or failed on chain. */
interface PayersTable {
  readonly wallet: Fixed<string>
  /** smallest units paid */
  readonly paid: number
  /** payments that failed on chain, and time of the last */
  readonly failed: number
  readonly failed_at: Date | null
  readonly updated_at: Date
}

/** Rate-limit windows that several nodes share. */
interface RateWindowsTable {
  readonly subject: Fixed<string>
  readonly started_at: Date
  readonly count: number
}

/** Stream time used on the free plan, across nodes. */
interface TrialsTable {
  readonly account: Fixed<string>
  /** start of the clock hour (UTC) */
  readonly started_at: Fixed<Date>
  readonly used_ms: number
}

/** Secrets shared by all nodes, created by the first that asks. */
interface SecretsTable {
  readonly name: Fixed<string>
  readonly value: Fixed<Uint8Array>
  readonly created_at: Fixed<Date>
}

interface WatchesTable {
  readonly id: Fixed<string>
  readonly account_id: Fixed<string>
  readonly name: string
  readonly kind: Fixed<WatchKind>
  /** an address in base58, the number of an actor, or a filter; only filters change */
  readonly target: string
  /** trades of a watched wallet below it are not reported */
  readonly min_lamports: number
  readonly paused: boolean
  /** first trade row, token event and slot that count; null until the worker adopts the watch */
  readonly from_trade: number | null
  readonly from_event: number | null
  readonly from_slot: number | null
  /** in chain time: minute of the last report, reports in it, and events folded into its summary */
  readonly minute: Generated<number>
  readonly sent: Generated<number>
  readonly folded: Generated<number>
  readonly created_at: Fixed<Date>
  /** version of all watches that this one was last changed with */
  readonly changed: number
}

/** Watches that the worker has to forget. */
interface RemovedWatchesTable {
  readonly id: Fixed<string>
}

interface AlertsTable {
  readonly account_id: Fixed<string>
  /** place among the alerts of the account, from 1 without a gap */
  readonly seq: Fixed<number>
  /** `seq` of the answers: it grows, and is never given twice, not even by a database that has lost its newest commits */
  readonly number: Fixed<number>
  readonly id: Fixed<string>
  /** JSON of the alert */
  readonly body: Fixed<string>
}

/** Newest place and number of an account's alerts, and the oldest place that is kept. */
interface AlertCountersTable {
  readonly account_id: Fixed<string>
  readonly seq: number
  readonly number: number
  readonly oldest: Generated<number>
}

/** One row. */
interface AlertWorkerTable {
  readonly name: Fixed<string>
  /** next trade row and token event to look at, and the last slot that was; -1: nothing was */
  readonly trade_no: number
  readonly event_seq: number
  readonly slot: number
  /** first trade row that no evaluation of conditions has followed */
  readonly condition_no: number
  /** incremented by every change of a watch */
  readonly version: number
}

/** Destinations of an account's alerts. */
interface DestinationsTable {
  readonly id: Fixed<string>
  readonly account_id: Fixed<string>
  readonly kind: Fixed<DestinationKind>
  readonly name: string
  readonly enabled: boolean
  /** JSON list of watches; null: all */
  readonly watches: string | null
  /** a URL, `id/token` of a Discord webhook, a Telegram chat; null until a chat is linked */
  readonly address: string | null
  /** Telegram user who may give commands */
  readonly linked_by: string | null
  /** signing secret of a webhook; signing needs it in clear */
  readonly secret: Uint8Array | null
  readonly previous_secret: Uint8Array | null
  readonly previous_until: Date | null
  /** place of the account's newest alert that was queued or skipped */
  readonly alert_seq: number
  readonly next_number: Generated<number>
  /** alerts deleted before they fit into the queue */
  readonly missed: Generated<number>
  /** consecutive failures, their start, and the end of the pause */
  readonly failures: Generated<number>
  readonly failing_since: Date | null
  readonly rest_until: Date | null
  readonly delivered_at: Date | null
  /** reason if the service disabled it */
  readonly notice: string | null
  readonly created_at: Fixed<Date>
}

type DeliveryState = 'waiting' | 'delivered' | 'failed'

interface DeliveriesTable {
  readonly destination_id: Fixed<string>
  /** number within the destination, from 1 */
  readonly number: Fixed<number>
  readonly alert_id: Fixed<string>
  /** JSON of the alert */
  readonly alert: Fixed<string>
  readonly state: DeliveryState
  /** attempts started */
  readonly attempts: number
  /** time of the next attempt */
  readonly due_at: Date
  /** time of the last attempt */
  readonly give_up_at: Date
  readonly attempted_at: Date | null
  /** status of the last answer */
  readonly status: number | null
  /** error of the last attempt */
  readonly error: string | null
  readonly created_at: Fixed<Date>
}

/** One-time codes that link a Telegram chat. */
interface LinkCodesTable {
  /** SHA-256 of the code */
  readonly digest: Fixed<Uint8Array>
  readonly destination_id: Fixed<string>
  readonly expires_at: Fixed<Date>
}

/** Work that one node at a time does. */
interface LeasesTable {
  readonly name: Fixed<string>
  readonly owner: string
  readonly lease_until: Date
  /** counts up with every change of owner */
  readonly term: number
}

export type DestinationRow = Selectable<DestinationsTable>
export type DeliveryRow = Selectable<DeliveriesTable>
export type WatchRow = Selectable<WatchesTable>
export type AccountRow = Selectable<AccountsTable>
export type ApiKeyRow = Selectable<ApiKeysTable>
export type PaymentRow = Selectable<PaymentsTable>
export type PayerRow = Selectable<PayersTable>
