import { DESTINATION_KINDS } from '@ti/core/contract/account.ts'
import type { Schema } from './schema.ts'

/** An engine's names of column types. */
export type ColumnTypes = Readonly<
  Record<'text' | 'bigint' | 'integer' | 'real' | 'bytes' | 'time' | 'flag' | 'serial', string>
>

interface Table<T> {
  /** name → type (a word of `ColumnTypes`) and constraints */
  readonly columns: { readonly [C in keyof T]: string }
  readonly constraints?: readonly string[]
  readonly indexes?: readonly string[]
}

type Tables = { readonly [T in keyof Schema]: Table<Schema[T]> }

/** Format of the accounts. A database of another format is refused. */
export const ACCOUNTS_FORMAT = 4

/** Tables of accounts and money in order of creation. `schema.ts` has their types and meanings. */
export const TABLES: Tables = {
  accounts: {
    columns: {
      id: 'text primary key',
      wallet: 'text unique',
      reference: 'text not null unique',
      paid_until: 'time',
      balance_lamports: 'bigint not null check (balance_lamports >= 0)',
      granted_pro: 'flag not null',
      created_at: 'time not null',
      changed_at: 'time not null',
    },
    indexes: ['index accounts_changed on accounts (changed_at)'],
  },
  api_keys: {
    columns: {
      id: 'text primary key',
      account_id: 'text not null references accounts',
      name: 'text not null',
      digest: 'bytes not null unique check (length(digest) = 32)',
      created_at: 'time not null',
      expires_at: 'time',
      revoked_at: 'time',
      changed_at: 'time not null',
      calls: 'bigint not null default 0',
      last_used_at: 'time',
    },
    indexes: ['index api_keys_account on api_keys (account_id)', 'index api_keys_changed on api_keys (changed_at)'],
  },
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
      digest: 'bytes primary key check (length(digest) = 32)',
      account_id: 'text not null references accounts',
      created_at: 'time not null',
      expires_at: 'time not null',
    },
    indexes: ['index sessions_expiry on sessions (expires_at)', 'index sessions_account on sessions (account_id)'],
  },
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
  cursors: { columns: { name: 'text primary key', value: 'text not null' } },
  payments: {
    columns: {
      hash: 'text primary key check (length(hash) = 64)',
      operation: 'text not null',
      request: 'text not null',
      amount: 'bigint not null check (amount > 0)',
      payer: 'text not null',
      blockhash: 'text not null',
      state: "text not null check (state in ('reserved', 'settling', 'settled', 'answered', 'released'))",
      signature: 'text',
      signed_transaction: 'text',
      reason: 'text',
      fee_lamports: 'bigint not null default 0',
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
      fee_lamports: 'bigint not null',
    },
    indexes: [
      'index payment_events_hash on payment_events (hash)',
      'index payment_events_fees on payment_events (at, fee_lamports) where fee_lamports <> 0',
      "index payment_events_income on payment_events (at, amount) where state = 'settled'",
    ],
  },
  payers: {
    columns: {
      wallet: 'text primary key',
      paid: 'bigint not null check (paid >= 0)',
      failed: 'integer not null check (failed >= 0)',
      failed_at: 'time',
      updated_at: 'time not null',
    },
    indexes: ['index payers_updated on payers (updated_at)'],
  },
  payment_answers: {
    columns: { hash: 'text primary key', answer: 'text not null', kept_at: 'time not null' },
    indexes: ['index payment_answers_kept on payment_answers (kept_at)'],
  },
  rate_windows: {
    columns: { subject: 'text primary key', started_at: 'time not null', count: 'integer not null' },
    indexes: ['index rate_windows_start on rate_windows (started_at)'],
  },
  trials: {
    columns: {
      account: 'text not null',
      started_at: 'time not null',
      used_ms: 'bigint not null check (used_ms >= 0)',
    },
    constraints: ['primary key (account, started_at)'],
    indexes: ['index trials_start on trials (started_at)'],
  },
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
      kind: "text not null check (kind in ('token', 'wallet', 'deployer', 'actor', 'condition'))",
      target: 'text not null',
      min_lamports: 'bigint not null check (min_lamports >= 0)',
      paused: 'flag not null',
      from_trade: 'bigint',
      from_event: 'bigint',
      from_slot: 'bigint',
      minute: 'bigint not null default 0',
      sent: 'integer not null default 0',
      folded: 'integer not null default 0',
      created_at: 'time not null',
      changed: 'bigint not null',
    },
    indexes: [
      'index watches_account on watches (account_id)',
      'index watches_changed on watches (changed)',
      "index watches_conditions on watches (kind) where kind = 'condition'",
    ],
  },
  removed_watches: { columns: { id: 'text primary key' } },
  alerts: {
    columns: {
      account_id: 'text not null references accounts',
      seq: 'bigint not null check (seq > 0)',
      number: 'bigint not null',
      id: 'text not null unique',
      body: 'text not null',
    },
    constraints: ['primary key (account_id, seq)', 'unique (account_id, number)'],
  },
  alert_counters: {
    columns: {
      account_id: 'text primary key references accounts',
      seq: 'bigint not null',
      number: 'bigint not null',
      oldest: 'bigint not null default 1',
    },
  },
  // one row, created on first use
  alert_worker: {
    columns: {
      name: 'text primary key',
      trade_no: 'bigint not null',
      event_seq: 'bigint not null',
      slot: 'bigint not null',
      condition_no: 'bigint not null',
      version: 'bigint not null',
    },
  },
  destinations: {
    columns: {
      id: 'text primary key',
      account_id: 'text not null references accounts',
      kind: `text not null check (kind in (${DESTINATION_KINDS.map((kind) => `'${kind}'`).join(', ')}))`,
      name: 'text not null',
      enabled: 'flag not null',
      watches: 'text',
      address: 'text',
      linked_by: 'text',
      secret: 'bytes',
      previous_secret: 'bytes',
      previous_until: 'time',
      alert_seq: 'bigint not null',
      next_number: 'bigint not null default 1',
      missed: 'bigint not null default 0',
      failures: 'integer not null default 0',
      failing_since: 'time',
      rest_until: 'time',
      delivered_at: 'time',
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
      number: 'bigint not null check (number > 0)',
      alert_id: 'text not null',
      alert: 'text not null',
      state: "text not null check (state in ('waiting', 'delivered', 'failed'))",
      attempts: 'integer not null',
      due_at: 'time not null',
      give_up_at: 'time not null',
      attempted_at: 'time',
      status: 'integer',
      error: 'text',
      created_at: 'time not null',
    },
    constraints: ['primary key (destination_id, number)', 'unique (destination_id, alert_id)'],
    indexes: [
      "index deliveries_waiting on deliveries (destination_id, number) where state = 'waiting'",
      "index deliveries_due on deliveries (destination_id, due_at) where state = 'waiting'",
    ],
  },
  link_codes: {
    columns: {
      digest: 'bytes primary key check (length(digest) = 32)',
      destination_id: 'text not null references destinations on delete cascade',
      expires_at: 'time not null',
    },
  },
  leases: {
    columns: {
      name: 'text primary key',
      owner: 'text not null',
      lease_until: 'time not null',
      term: 'bigint not null',
    },
  },
}

export const tableNames = Object.keys(TABLES) as (keyof Schema)[]

const typeOf = (declaration: string): keyof ColumnTypes => declaration.split(' ', 1)[0] as keyof ColumnTypes

/** Names of all columns of a type; a column name has the same type in every table. */
export const columnsOf = (type: keyof ColumnTypes): ReadonlySet<string> =>
  new Set(
    Object.values(TABLES).flatMap(({ columns }) =>
      Object.entries<string>(columns).flatMap(([name, declaration]) => (typeOf(declaration) === type ? [name] : [])),
    ),
  )

/** Returns the statements that create a table and its indexes. `more`: engine-specific definitions after the columns. */
export function createTable(name: keyof Schema, types: ColumnTypes, more: readonly string[] = []): string[] {
  const { columns, constraints = [], indexes = [] } = TABLES[name] as Table<Readonly<Record<string, unknown>>>
  const declared = Object.entries<string>(columns).map(([column, declaration]) => {
    const type = typeOf(declaration)
    return `${column} ${types[type]}${declaration.slice(type.length)}`
  })
  const definitions = [...declared, ...more, ...constraints]
  return [`create table ${name} (\n  ${definitions.join(',\n  ')}\n)`, ...indexes.map((index) => `create ${index}`)]
}
