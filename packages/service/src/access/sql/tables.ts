import { DESTINATION_KINDS, WATCH_KINDS } from '@ti/core/contract/account.ts'
import type { Schema } from './schema.ts'

/** An engine's names of column types. */
export type ColumnTypes = Readonly<
  Record<'text' | 'bigint' | 'integer' | 'real' | 'bytes' | 'time' | 'flag' | 'serial', string>
>

interface Table {
  /** name → type (a word of `ColumnTypes`) and constraints */
  readonly columns: Readonly<Record<string, string>>
  readonly constraints?: readonly string[]
  readonly indexes?: readonly string[]
}

/** A column that holds one of the words. */
const oneOf = <const Word extends string>(column: string, words: readonly Word[]) =>
  `text not null check (${column} in (${words.map((word) => `'${word}'`).join(', ')}))` as `text not null in ${Word}`

/** Format of the accounts. A database of another format is refused. */
export const ACCOUNTS_FORMAT = 4

/** Tables of accounts and money in order of creation. `schema.ts` derives the types of their rows. */
export const TABLES = {
  accounts: {
    columns: {
      id: 'text primary key',
      /** base58; null for the operator's own account, which has no sign-in */
      wallet: 'text unique',
      /** base58 public key that marks this account's deposits on chain; it has no private key */
      reference: 'text not null unique',
      /** end of the paid subscription */
      paid_until: 'time',
      /** deposited and not spent yet */
      balance_lamports: 'bigint not null check (balance_lamports >= 0)',
      /** Pro granted by the operator */
      granted_pro: 'flag not null',
      created_at: 'time not null',
      /** time of the last change of permissions */
      changed_at: 'time not null',
    },
    indexes: ['index accounts_changed on accounts (changed_at)'],
  },
  api_keys: {
    columns: {
      id: 'text primary key',
      account_id: 'text not null references accounts',
      name: 'text not null',
      /** SHA-256 of the key */
      digest: 'bytes not null unique check (length(digest) = 32)',
      created_at: 'time not null',
      expires_at: 'time',
      revoked_at: 'time',
      changed_at: 'time not null',
      /** calls written by all nodes, and time of the last */
      calls: 'bigint not null default 0',
      last_used_at: 'time',
    },
    indexes: ['index api_keys_account on api_keys (account_id)', 'index api_keys_changed on api_keys (changed_at)'],
  },
  /** A used nonce of a sign-in or a proof of work, kept until it would expire. */
  challenges: {
    columns: {
      nonce: 'text primary key',
      wallet: 'text not null',
      message: 'text not null',
      expires_at: 'time not null',
    },
    indexes: ['index challenges_expiry on challenges (expires_at)'],
  },
  sessions: {
    columns: {
      /** SHA-256 of the cookie */
      digest: 'bytes primary key check (length(digest) = 32)',
      account_id: 'text not null references accounts',
      created_at: 'time not null',
      expires_at: 'time not null',
    },
    indexes: ['index sessions_expiry on sessions (expires_at)', 'index sessions_account on sessions (account_id)'],
  },
  /** A SOL transfer with an account's reference; its signature is the key, so it is credited once. */
  deposits: {
    columns: {
      signature: 'text primary key',
      account_id: 'text not null references accounts',
      lamports: 'bigint not null check (lamports > 0)',
      slot: 'bigint not null',
      credited_at: 'time not null',
    },
    indexes: ['index deposits_account on deposits (account_id)'],
  },
  /** Progress of a reader of external data. */
  cursors: { columns: { name: 'text primary key', value: 'text not null' } },
  /**
   * reserved: held for one request, nothing sent. settling: a settlement was asked for, its end is not known. settled: paid,
   * the answer not made yet. answered: paid, and its one answer was stored.
   * released: not paid; the same payment may be used again.
   */
  payments: {
    columns: {
      /** hex SHA-256 of the transaction's message bytes: signatures can be altered, the message cannot */
      hash: 'text primary key check (length(hash) = 64)',
      operation: 'text not null',
      /** operation and canonical arguments that were paid for */
      request: 'text not null',
      /** smallest units of the asset */
      amount: 'bigint not null check (amount > 0)',
      payer: 'text not null',
      blockhash: 'text not null',
      state: oneOf('state', ['reserved', 'settling', 'settled', 'answered', 'released']),
      /** transaction signature, known before sending if we send it */
      signature: 'text',
      /** signed transaction in base64, while a settlement may have to be repeated */
      signed_transaction: 'text',
      reason: 'text',
      /** fee that our fee payer loses if the transaction gets into a block; 0 if the fee payer is not ours or has not signed */
      fee_lamports: 'bigint not null default 0',
      /** process that holds the lease, and its end */
      owner: 'text not null',
      lease_until: 'time not null',
      created_at: 'time not null',
      updated_at: 'time not null',
    },
    indexes: [
      // open payments are few and queried often
      "index payments_open on payments (lease_until) where state in ('reserved', 'settling')",
      "index payments_released on payments (updated_at) where state = 'released'",
    ],
  },
  /** The books: an immutable row per change of state. */
  payment_events: {
    columns: {
      id: 'serial',
      hash: 'text not null',
      at: 'time not null',
      state: 'text not null',
      operation: 'text not null',
      amount: 'bigint not null',
      payer: 'text not null',
      signature: 'text',
      reason: 'text',
      /** fee of a signed transaction; negative if it turned out not to be taken */
      fee_lamports: 'bigint not null',
    },
    indexes: [
      'index payment_events_hash on payment_events (hash)',
      'index payment_events_fees on payment_events (at, fee_lamports) where fee_lamports <> 0',
      "index payment_events_income on payment_events (at, amount) where state = 'settled'",
    ],
  },
  /** Payment outcomes per wallet, for wallets with a payment that landed or failed on chain. */
  payers: {
    columns: {
      wallet: 'text primary key',
      /** smallest units paid */
      paid: 'bigint not null check (paid >= 0)',
      /** payments that failed on chain, and time of the last */
      failed: 'integer not null check (failed >= 0)',
      failed_at: 'time',
      updated_at: 'time not null',
    },
    indexes: ['index payers_updated on payers (updated_at)'],
  },
  /** A paid answer that did not arrive whole, kept to repeat the same bytes. */
  payment_answers: {
    columns: { hash: 'text primary key', answer: 'text not null', kept_at: 'time not null' },
    indexes: ['index payment_answers_kept on payment_answers (kept_at)'],
  },
  /** Rate-limit windows that several nodes share. */
  rate_windows: {
    columns: { subject: 'text primary key', started_at: 'time not null', count: 'integer not null' },
    indexes: ['index rate_windows_start on rate_windows (started_at)'],
  },
  /** Stream time used on the free plan, across nodes. */
  trials: {
    columns: {
      account: 'text not null',
      /** start of the clock hour (UTC) */
      started_at: 'time not null',
      used_ms: 'bigint not null check (used_ms >= 0)',
    },
    constraints: ['primary key (account, started_at)'],
    indexes: ['index trials_start on trials (started_at)'],
  },
  /** Secrets shared by all nodes, created by the first that asks. */
  secrets: {
    columns: {
      name: 'text primary key',
      value: 'bytes not null check (length(value) = 32)',
      created_at: 'time not null',
    },
  },
  watches: {
    columns: {
      id: 'text primary key',
      account_id: 'text not null references accounts',
      name: 'text not null',
      kind: oneOf('kind', WATCH_KINDS),
      /** an address in base58, the number of an actor, or a filter; only filters change */
      target: 'text not null',
      /** trades of a watched wallet below it are not reported */
      min_lamports: 'bigint not null check (min_lamports >= 0)',
      paused: 'flag not null',
      /** first trade row, token event and slot that count; null until the worker adopts the watch */
      from_trade: 'bigint',
      from_event: 'bigint',
      from_slot: 'bigint',
      /** in chain time: minute of the last report, reports in it, and events folded into its summary */
      minute: 'bigint not null default 0',
      sent: 'integer not null default 0',
      folded: 'integer not null default 0',
      created_at: 'time not null',
      /** version of all watches that this one was last changed with */
      changed: 'bigint not null',
    },
    indexes: [
      'index watches_account on watches (account_id)',
      'index watches_changed on watches (changed)',
      "index watches_conditions on watches (kind) where kind = 'condition'",
    ],
  },
  /** Watches that the worker has to forget. */
  removed_watches: { columns: { id: 'text primary key' } },
  alerts: {
    columns: {
      account_id: 'text not null references accounts',
      /** place among the alerts of the account, from 1 without a gap */
      seq: 'bigint not null check (seq > 0)',
      /** `seq` of the answers: it grows, and is never given twice, not even by a database that has lost its newest commits */
      number: 'bigint not null',
      id: 'text not null unique',
      /** JSON of the alert */
      body: 'text not null',
    },
    constraints: ['primary key (account_id, seq)', 'unique (account_id, number)'],
  },
  /** Newest place and number of an account's alerts, and the oldest place that is kept. */
  alert_counters: {
    columns: {
      account_id: 'text primary key references accounts',
      seq: 'bigint not null',
      number: 'bigint not null',
      oldest: 'bigint not null default 1',
    },
  },
  // one row, created on first use
  /** One row. */
  alert_worker: {
    columns: {
      name: 'text primary key',
      /** next trade row and token event to look at, and the last slot that was; -1: nothing was */
      trade_no: 'bigint not null',
      event_seq: 'bigint not null',
      slot: 'bigint not null',
      /** first trade row that no evaluation of conditions has followed */
      condition_no: 'bigint not null',
      /** incremented by every change of a watch */
      version: 'bigint not null',
    },
  },
  /** Destinations of an account's alerts. */
  destinations: {
    columns: {
      id: 'text primary key',
      account_id: 'text not null references accounts',
      kind: oneOf('kind', DESTINATION_KINDS),
      name: 'text not null',
      enabled: 'flag not null',
      /** JSON list of watches; null: all */
      watches: 'text',
      /** a URL, `id/token` of a Discord webhook, a Telegram chat; null until a chat is linked */
      address: 'text',
      /** Telegram user who may give commands */
      linked_by: 'text',
      /** signing secret of a webhook; signing needs it in clear */
      secret: 'bytes',
      previous_secret: 'bytes',
      previous_until: 'time',
      /** place of the account's newest alert that was queued or skipped */
      alert_seq: 'bigint not null',
      next_number: 'bigint not null default 1',
      /** alerts deleted before they fit into the queue */
      missed: 'bigint not null default 0',
      /** consecutive failures, their start, and the end of the pause */
      failures: 'integer not null default 0',
      failing_since: 'time',
      rest_until: 'time',
      delivered_at: 'time',
      /** reason if the service disabled it */
      notice: 'text',
      created_at: 'time not null',
    },
    indexes: [
      'index destinations_account on destinations (account_id)',
      "unique index destinations_chat on destinations (address) where kind = 'telegram'",
    ],
  },
  deliveries: {
    columns: {
      destination_id: 'text not null references destinations on delete cascade',
      /** number within the destination, from 1 */
      number: 'bigint not null check (number > 0)',
      alert_id: 'text not null',
      /** JSON of the alert */
      alert: 'text not null',
      state: oneOf('state', ['waiting', 'delivered', 'failed']),
      /** attempts started */
      attempts: 'integer not null',
      /** time of the next attempt */
      due_at: 'time not null',
      /** time of the last attempt */
      give_up_at: 'time not null',
      attempted_at: 'time',
      /** status of the last answer */
      status: 'integer',
      /** error of the last attempt */
      error: 'text',
      created_at: 'time not null',
    },
    constraints: ['primary key (destination_id, number)', 'unique (destination_id, alert_id)'],
    indexes: [
      "index deliveries_waiting on deliveries (destination_id, number) where state = 'waiting'",
      "index deliveries_due on deliveries (destination_id, due_at) where state = 'waiting'",
    ],
  },
  /** One-time codes that link a Telegram chat. */
  link_codes: {
    columns: {
      /** SHA-256 of the code */
      digest: 'bytes primary key check (length(digest) = 32)',
      destination_id: 'text not null references destinations on delete cascade',
      expires_at: 'time not null',
    },
  },
  /** Work that one node at a time does. */
  leases: {
    columns: {
      name: 'text primary key',
      owner: 'text not null',
      lease_until: 'time not null',
      /** counts up with every change of owner */
      term: 'bigint not null',
    },
  },
} as const satisfies Readonly<Record<string, Table>>

export const tableNames = Object.keys(TABLES) as (keyof Schema)[]

const typeOf = (declaration: string): keyof ColumnTypes => declaration.split(' ', 1)[0] as keyof ColumnTypes

/** Names of all columns of a type; a column name has the same type in every table. */
export const columnsOf = (type: keyof ColumnTypes): ReadonlySet<string> =>
  new Set(
    Object.values<Table>(TABLES).flatMap(({ columns }) =>
      Object.entries(columns).flatMap(([name, declaration]) => (typeOf(declaration) === type ? [name] : [])),
    ),
  )

/** Returns the statements that create a table and its indexes. `more`: engine-specific definitions after the columns. */
export function createTable(name: keyof Schema, types: ColumnTypes, more: readonly string[] = []): string[] {
  const { columns, constraints = [], indexes = [] } = TABLES[name] as Table
  const declared = Object.entries(columns).map(([column, declaration]) => {
    const type = typeOf(declaration)
    return `${column} ${types[type]}${declaration.slice(type.length)}`
  })
  const definitions = [...declared, ...more, ...constraints]
  return [`create table ${name} (\n  ${definitions.join(',\n  ')}\n)`, ...indexes.map((index) => `create ${index}`)]
}
