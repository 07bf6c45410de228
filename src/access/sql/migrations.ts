import { type Kysely, type Migration, sql } from 'kysely'

/** Statements in order; one migration for each release that changes a table. Plain SQL, so that every PostgreSQL takes it. */
const migration = (statements: readonly string[]): Migration => ({
  async up(db: Kysely<never>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})

const FIRST = [
  `create table accounts (
    id text primary key,
    wallet text unique,
    reference text not null unique,
    paid_until timestamptz,
    balance_lamports bigint not null check (balance_lamports >= 0),
    granted_pro boolean not null,
    created_at timestamptz not null,
    changed_at timestamptz not null
  )`,
  'create index accounts_changed on accounts (changed_at)',
  `create table api_keys (
    id text primary key,
    account_id text not null references accounts,
    name text not null,
    digest bytea not null unique check (length(digest) = 32),
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    changed_at timestamptz not null
  )`,
  'create index api_keys_account on api_keys (account_id)',
  'create index api_keys_changed on api_keys (changed_at)',
  `create table challenges (
    nonce text primary key,
    wallet text not null,
    message text not null,
    expires_at timestamptz not null
  )`,
  'create index challenges_expiry on challenges (expires_at)',
  `create table sessions (
    digest bytea primary key check (length(digest) = 32),
    account_id text not null references accounts,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index sessions_expiry on sessions (expires_at)',
  'create index sessions_account on sessions (account_id)',
  `create table deposits (
    signature text primary key,
    account_id text not null references accounts,
    lamports bigint not null check (lamports > 0),
    slot bigint not null,
    credited_at timestamptz not null
  )`,
  'create index deposits_account on deposits (account_id)',
  'create table cursors (name text primary key, value text not null)',
  `create table payments (
    hash text primary key check (length(hash) = 64),
    operation text not null,
    request text not null,
    amount bigint not null check (amount > 0),
    payer text not null,
    blockhash text not null,
    state text not null check (state in ('reserved', 'settling', 'settled', 'delivering', 'delivered', 'released')),
    signature text,
    transaction text,
    reason text,
    owner text not null,
    lease_until timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  // open payments are few and queried all the time
  `create index payments_open on payments (lease_until) where state in ('reserved', 'settling', 'delivering')`,
  `create index payments_released on payments (updated_at) where state = 'released'`,
  `create table payment_events (
    id bigint generated always as identity primary key,
    hash text not null,
    at timestamptz not null,
    state text not null,
    operation text not null,
    amount bigint not null,
    payer text not null,
    signature text,
    reason text
  )`,
  'create index payment_events_hash on payment_events (hash)',
  // each signature may have cost a fee: they are counted by the day
  `create index payment_events_signed on payment_events (at) where state = 'settling' and signature is not null`,
  `create table rate_windows (
    subject text primary key,
    started_at timestamptz not null,
    count integer not null
  )`,
  'create index rate_windows_start on rate_windows (started_at)',
]

const TRIALS = [
  `create table trials (
    account text not null,
    started_at timestamptz not null,
    used_ms bigint not null check (used_ms >= 0),
    primary key (account, started_at)
  )`,
  'create index trials_start on trials (started_at)',
]

const SECRETS = [
  `create table secrets (
    name text primary key,
    value bytea not null check (length(value) = 32),
    created_at timestamptz not null
  )`,
]

const PAYERS = [
  'alter table payments add column fee_lamports bigint not null default 0',
  'alter table payment_events add column fee_lamports bigint not null default 0',
  // what was signed until now is taken at the most it can have cost
  `update payment_events set fee_lamports = 16000 where state = 'settling' and signature is not null`,
  'drop index payment_events_signed',
  'create index payment_events_fees on payment_events (at) include (fee_lamports) where fee_lamports <> 0',
  `create index payment_events_income on payment_events (at) include (amount) where state = 'settled'`,
  `create table payers (
    wallet text primary key,
    paid bigint not null check (paid >= 0),
    failed integer not null check (failed >= 0),
    failed_at timestamptz,
    updated_at timestamptz not null
  )`,
  'create index payers_updated on payers (updated_at)',
  `insert into payers (wallet, paid, failed, failed_at, updated_at)
    select payer, coalesce(sum(amount) filter (where state = 'settled'), 0),
      count(*) filter (where reason = 'transaction_failed_on_chain'),
      max(at) filter (where reason = 'transaction_failed_on_chain'), max(at)
    from payment_events where state = 'settled' or reason = 'transaction_failed_on_chain' group by payer`,
]

const ANSWERS = [
  'alter table payments add column deliveries integer not null default 0',
  'create table payment_answers (hash text primary key, answer text not null, kept_at timestamptz not null)',
  'create index payment_answers_kept on payment_answers (kept_at)',
]

const WATCHES = [
  `create table watches (
    id text primary key,
    account_id text not null references accounts,
    name text not null,
    kind text not null check (kind in ('token', 'wallet', 'deployer', 'condition')),
    target text not null,
    min_lamports bigint not null check (min_lamports >= 0),
    paused boolean not null,
    from_trade bigint,
    from_event bigint,
    from_slot bigint,
    minute bigint not null default 0,
    sent integer not null default 0,
    folded integer not null default 0,
    created_at timestamptz not null
  )`,
  'create index watches_account on watches (account_id)',
  `create index watches_conditions on watches (kind) where kind = 'condition'`,
  `create table alerts (
    account_id text not null references accounts,
    seq bigint not null check (seq > 0),
    id text not null unique,
    body text not null,
    created_at timestamptz not null,
    primary key (account_id, seq)
  )`,
  'create table alert_counters (account_id text primary key references accounts, seq bigint not null)',
  // one row, made when first needed: who makes alerts, how far, and a number that every change of a watch raises
  `create table alert_worker (
    name text primary key,
    owner text not null,
    lease_until timestamptz not null,
    term bigint not null,
    trade_no bigint not null,
    event_seq bigint not null,
    slot bigint not null,
    version bigint not null
  )`,
]

const WAYS = [
  `create table destinations (
    id text primary key,
    account_id text not null references accounts,
    kind text not null check (kind in ('webhook', 'telegram', 'discord')),
    name text not null,
    enabled boolean not null,
    watches text,
    address text,
    linked_by text,
    secret bytea,
    previous_secret bytea,
    previous_until timestamptz,
    alert_seq bigint not null,
    next_number bigint not null default 1,
    missed bigint not null default 0,
    failures integer not null default 0,
    failing_since timestamptz,
    rest_until timestamptz,
    delivered_at timestamptz,
    notice text,
    created_at timestamptz not null
  )`,
  'create index destinations_account on destinations (account_id)',
  `create unique index destinations_chat on destinations (address) where kind = 'telegram'`,
  `create table deliveries (
    destination_id text not null references destinations on delete cascade,
    number bigint not null check (number > 0),
    alert_id text not null,
    alert text not null,
    state text not null check (state in ('waiting', 'delivered', 'failed')),
    attempts integer not null,
    due_at timestamptz not null,
    give_up_at timestamptz not null,
    attempted_at timestamptz,
    status integer,
    error text,
    created_at timestamptz not null,
    primary key (destination_id, number),
    unique (destination_id, alert_id)
  )`,
  `create index deliveries_waiting on deliveries (destination_id, number) where state = 'waiting'`,
  `create table link_codes (
    digest bytea primary key check (length(digest) = 32),
    destination_id text not null references destinations on delete cascade,
    expires_at timestamptz not null
  )`,
  'create table leases (name text primary key, owner text not null, lease_until timestamptz not null)',
]

const KEY_USE = [
  'alter table api_keys add column calls bigint not null default 0',
  'alter table api_keys add column last_used_at timestamptz',
]

const WATCHED_ACTORS = [
  'alter table watches drop constraint watches_kind_check',
  `alter table watches add constraint watches_kind_check
    check (kind in ('token', 'wallet', 'deployer', 'actor', 'condition'))`,
]

const WATCHED_COLOURS = [
  'alter table watches add column colour text',
  'alter table watches add column colour_score double precision',
  'alter table watches add column colour_slot bigint',
  'alter table watches add column colours integer not null default 0',
]

/** The next delivery of a destination is found by one look, however many wait. */
const DUE = [`create index deliveries_due on deliveries (destination_id, due_at) where state = 'waiting'`]

/** The oldest alerts of all accounts are found by one look. */
const OLDEST_ALERTS = ['create index alerts_created on alerts (created_at)']

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-accounts-and-payments': migration(FIRST),
  '0002-stream-trials': migration(TRIALS),
  '0003-shared-secrets': migration(SECRETS),
  '0004-payers': migration(PAYERS),
  '0005-payment-answers': migration(ANSWERS),
  '0006-watches': migration(WATCHES),
  '0007-ways': migration(WAYS),
  '0008-key-use': migration(KEY_USE),
  '0009-watched-actors': migration(WATCHED_ACTORS),
  '0010-watched-colours': migration(WATCHED_COLOURS),
  '0011-due-deliveries': migration(DUE),
  '0012-oldest-alerts': migration(OLDEST_ALERTS),
}
