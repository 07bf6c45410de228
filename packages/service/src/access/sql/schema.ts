import type { ColumnType, Generated, Selectable } from 'kysely'

/** The tables of accounts and money. `migrations.ts` makes them; a change here needs a migration there. */
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
  /** base58 public key that marks this account's deposits on chain; its private key does not exist */
  readonly reference: Fixed<string>
  /** end of the paid subscription */
  readonly paid_until: Date | null
  /** deposited and not yet spent on a subscription */
  readonly balance_lamports: number
  /** Pro without a subscription, by the operator */
  readonly granted_pro: boolean
  readonly created_at: Fixed<Date>
  /** whenever something changes that a key's holder may feel */
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
  /** calls written so far, of all nodes, and the last of them */
  readonly calls: Generated<number>
  readonly last_used_at: Generated<Date | null>
}

/** A nonce that was used, of a sign-in message that was signed or of the work for a key: remembered until it would have expired. */
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

/** A transfer of SOL that carried an account's reference: credited once, because its signature is the key. */
interface DepositsTable {
  readonly signature: Fixed<string>
  readonly account_id: Fixed<string>
  readonly lamports: Fixed<number>
  readonly slot: Fixed<number>
  readonly credited_at: Fixed<Date>
}

/** How far something that is read from outside has been read. */
interface CursorsTable {
  readonly name: Fixed<string>
  readonly value: string
}

/**
 * reserved: held for one request, nothing sent. settling: a settlement was asked for, its end is not known. settled: paid,
 * the answer not handed over. delivering: paid, one request is writing the answer. delivered: paid and answered.
 * released: not paid; the same payment may be used again.
 */
const PAYMENT_STATES = ['reserved', 'settling', 'settled', 'delivering', 'delivered', 'released'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

interface PaymentsTable {
  /** hex SHA-256 of the transaction's message bytes: signatures can be altered, the message cannot */
  readonly hash: Fixed<string>
  readonly operation: string
  /** operation and canonical arguments: what was paid for */
  readonly request: string
  /** smallest units of the asset */
  readonly amount: number
  readonly payer: string
  readonly blockhash: string
  readonly state: PaymentState
  /** of the transaction, known before it is sent where we send it ourselves */
  readonly signature: string | null
  /** signed transaction in base64, while a settlement may have to be repeated */
  readonly signed_transaction: string | null
  readonly reason: string | null
  /** what its transaction costs our fee payer if it gets into a block; 0 where it is not ours, or was not signed */
  readonly fee_lamports: Generated<number>
  /** times its answer left, whole or not */
  readonly deliveries: Generated<number>
  /** the process that works on it, and until when it holds the lease */
  readonly owner: string
  readonly lease_until: Date
  readonly created_at: Date
  readonly updated_at: Date
}

/** The books: one row for every change of state; rows never change. */
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
  /** fee of a transaction that was signed; less than 0 where it turned out that none was taken */
  readonly fee_lamports: Fixed<number>
}

/** An answer that was paid for and did not arrive whole: what is sent again are the same bytes. */
interface PaymentAnswersTable {
  readonly hash: Fixed<string>
  readonly answer: Fixed<string>
  readonly kept_at: Fixed<Date>
}

/** The outcomes of a wallet's payments so far; a row for each wallet with a payment that landed or failed on chain. */
interface PayersTable {
  readonly wallet: Fixed<string>
  /** smallest units paid */
  readonly paid: number
  /** payments that failed on chain, and the last of them */
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

/** Stream time that accounts on the free plan used, all nodes together. */
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

export const WATCH_KINDS = ['token', 'wallet', 'deployer', 'actor', 'condition'] as const
export type WatchKind = (typeof WATCH_KINDS)[number]

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
  /** the first trade row, token event and slot that count; null until the worker has taken it on */
  readonly from_trade: number | null
  readonly from_event: number | null
  readonly from_slot: number | null
  /** of the chain's time: the minute in which it reported last, how often, and what is folded into its summary */
  readonly minute: Generated<number>
  readonly sent: Generated<number>
  readonly folded: Generated<number>
  /** of a watched token: the colour of its score that was seen first or reported last, that score, at which slot it was reported (-1:
   * it was not), and how many were */
  readonly colour: string | null
  readonly colour_score: number | null
  readonly colour_slot: number | null
  readonly colours: Generated<number>
  readonly created_at: Fixed<Date>
}

interface AlertsTable {
  readonly account_id: Fixed<string>
  readonly seq: Fixed<number>
  readonly id: Fixed<string>
  /** JSON of the alert */
  readonly body: Fixed<string>
  readonly created_at: Fixed<Date>
}

/** Alerts of each account so far. */
interface AlertCountersTable {
  readonly account_id: Fixed<string>
  readonly seq: number
}

/** One row. */
interface AlertWorkerTable {
  readonly name: Fixed<string>
  /** next trade row and token event to look at, and the last slot that was; -1: nothing was */
  readonly trade_no: number
  readonly event_seq: number
  readonly slot: number
  /** counts up with every change of a watch */
  readonly version: number
}

export const DESTINATION_KINDS = ['webhook', 'telegram', 'discord'] as const
export type DestinationKind = (typeof DESTINATION_KINDS)[number]

/** Where alerts of an account go. */
interface DestinationsTable {
  readonly id: Fixed<string>
  readonly account_id: Fixed<string>
  readonly kind: Fixed<DestinationKind>
  readonly name: string
  readonly enabled: boolean
  /** JSON list of the watches whose alerts go there; null: all */
  readonly watches: string | null
  /** a URL, `id/token` of a Discord webhook, a Telegram chat; null until a chat is linked */
  readonly address: string | null
  /** the Telegram user whose commands count */
  readonly linked_by: string | null
  /** of a webhook: it signs, so it cannot be a hash */
  readonly secret: Uint8Array | null
  readonly previous_secret: Uint8Array | null
  readonly previous_until: Date | null
  /** the newest alert of the account that was handed over or passed by */
  readonly alert_seq: number
  readonly next_number: Generated<number>
  /** alerts that were forgotten before there was room for them */
  readonly missed: Generated<number>
  /** failures in a row, since when, and until when nothing is tried */
  readonly failures: Generated<number>
  readonly failing_since: Date | null
  readonly rest_until: Date | null
  readonly delivered_at: Date | null
  /** why it was disabled without its owner */
  readonly notice: string | null
  readonly created_at: Fixed<Date>
}

type DeliveryState = 'waiting' | 'delivered' | 'failed'

interface DeliveriesTable {
  readonly destination_id: Fixed<string>
  /** place among the destination's deliveries, from 1 */
  readonly number: Fixed<number>
  readonly alert_id: Fixed<string>
  /** JSON of the alert */
  readonly alert: Fixed<string>
  readonly state: DeliveryState
  /** attempts that began */
  readonly attempts: number
  /** of the next attempt */
  readonly due_at: Date
  /** the last attempt is made then */
  readonly give_up_at: Date
  readonly attempted_at: Date | null
  /** of the last answer */
  readonly status: number | null
  /** how the last attempt failed, in words */
  readonly error: string | null
  readonly created_at: Fixed<Date>
}

/** Codes that link a Telegram chat: each works once. */
interface LinkCodesTable {
  /** SHA-256 of the code */
  readonly digest: Fixed<Uint8Array>
  readonly destination_id: Fixed<string>
  readonly expires_at: Fixed<Date>
}

/** What one node at a time does. */
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
export type PaymentEventRow = Selectable<PaymentEventsTable>
