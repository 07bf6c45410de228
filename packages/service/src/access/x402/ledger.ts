import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../sql/database.ts'
import type { PayerRow, PaymentRow, PaymentState } from '../sql/schema.ts'
import { values } from '../sql/values.ts'
import { EXPIRED, FAILED_ON_CHAIN } from './facilitator.ts'

/** milliseconds one process may keep a payment without a sign of life: longer than any single step */
export const LEASE_MS = 120_000
/** open payments of one round */
const SWEEP_ROWS = 32
/** milliseconds a payment that was not paid is remembered (its blockhash lives 90 s), and rows deleted a round */
export const RELEASED_MS = 86_400_000
const PRUNE_ROWS = 500
/** paid answers kept for clients that lose theirs: the newest ones (most have less than 10 kB, none more than some 100), and
 * milliseconds of retention */
const ANSWERS_KEPT = 10_000
export const ANSWERS_KEPT_MS = 3_600_000

/** Identifies a lease on a payment: a process whose lease has been replaced can no longer change the row. */
export interface Claim {
  readonly hash: string
  readonly owner: string
}

export interface Reservation {
  readonly hash: string
  readonly operation: string
  readonly request: string
  readonly amount: number
  readonly payer: string
  readonly blockhash: string
}

/** One of our transactions as sent. */
export interface Signed {
  /** base64 */
  readonly transaction: string
  readonly feeLamports: number
}

interface Turnover {
  readonly units: number
  readonly feeLamports: number
}

type Reserved =
  | { readonly claim: Claim; readonly row: PaymentRow }
  /** another call's, or an earlier use */
  | { readonly claim: null; readonly row: PaymentRow }

/**
 * The payment ledger. A change of state is one statement that also writes its row of the books; it is on disk when the promise
 * resolves. It succeeds only from the allowed states and, if the payment is leased, only for the leaseholder. Otherwise the
 * result is null and nothing has changed. States: see `payments` in `sql/tables.ts`.
 */
export interface Ledger {
  readonly embedded: boolean
  find(hash: string): Promise<PaymentRow | null>
  /** finds many with one statement, in their order */
  findEach(hashes: readonly string[]): Promise<readonly (PaymentRow | null)[]>
  /** absent or released → reserved */
  reserve(reservation: Reservation): Promise<Reserved>
  /** reserved → settling: it may be paid from now on */
  settling(claim: Claim, transaction: string): Promise<PaymentRow | null>
  /**
   * Writes the signature of a settling payment; sending must wait for it. `signed`: our fee payer's transaction with its fee.
   */
  sign(claim: Claim, signature: string, signed?: Signed): Promise<PaymentRow | null>
  /** settling → settled; with an `answer` at once → answered */
  settled(claim: Claim, signature: string | null, answer: string | null): Promise<PaymentRow | null>
  /** settled → answered: of several answers the first is stored */
  answered(claim: Claim, answer: string): Promise<PaymentRow | null>
  /** the stored answer of a payment; null if it is no longer kept */
  answer(hash: string): Promise<string | null>
  /**
   * reserved or settling → released. A settling payment with a signature requires `proven`: the chain has shown that it neither
   * landed nor can.
   */
  release(claim: Claim, reason: string, proven?: boolean): Promise<PaymentRow | null>
  /** another process may still work on it */
  isHeldElsewhere(row: PaymentRow): boolean
  /** takes over the payment of a lost holder; null if it is not lost */
  takeOver(row: PaymentRow): Promise<Claim | null>
  /** renews the leases that this process still holds */
  renew(claims: readonly Claim[]): Promise<void>
  /** lets any process take an open payment after `pauseMs` */
  pause(claim: Claim, pauseMs: number): Promise<void>
  /** payments with an expired lease; with `others`, also those of other processes */
  orphans(others: boolean, states?: readonly PaymentState[]): Promise<PaymentRow[]>
  /** number of payments with an unknown outcome */
  open(): Promise<number>
  /** income and fees since then; open payments count as spent */
  since(time: Date): Promise<Turnover>
  /** null without an outcome yet */
  payer(wallet: string): Promise<PayerRow | null>
  /** the most recently changed ones */
  payers(most: number): Promise<PayerRow[]>
  /** deletes old released payments, at most PRUNE_ROWS; the books of money stay */
  prune(): Promise<number>
}

const OPEN: readonly PaymentState[] = ['reserved', 'settling']

interface Change {
  readonly from: readonly PaymentState[]
  /** each state gets a row in the books; the last one becomes the payment's */
  readonly to: readonly [PaymentState, ...PaymentState[]]
  readonly set?: RawBuilder<unknown>
  readonly where?: RawBuilder<unknown>
  /** a new holder; absent: unchanged */
  readonly owner?: string
  readonly reason?: string
  /** lamports booked with the first state */
  readonly fee?: RawBuilder<unknown>
  /** effect on the payer's record */
  readonly payer?: 'paid' | 'failed'
  /** additional statement that reads the row of `changed` */
  readonly besides?: RawBuilder<unknown>
}

const NO_FEE = sql`0`

export function createLedger({ database, now }: { database: Database; now: () => number }): Ledger {
  const { sql: db, dialect } = database
  const process = randomBytes(8).toString('hex')
  let claims = 0
  const newOwner = (): string => `${process}/${++claims}`
  const time = (ms = now()): Date => new Date(ms)
  const lease = (): Date => time(now() + LEASE_MS)
  const rowsOf = async (query: RawBuilder<PaymentRow>): Promise<PaymentRow[]> =>
    (await query.execute(db)).rows as PaymentRow[]
  const first = async (query: RawBuilder<PaymentRow>): Promise<PaymentRow | null> => (await rowsOf(query))[0] ?? null

  /** Writes a row in the books per state; `place` keeps their order. */
  const booked = ({ to, fee = NO_FEE }: Pick<Change, 'to' | 'fee'>) => {
    const went = to.map((state, i) => sql`select ${sql.lit(i)} as place, ${sql.lit(state)} as went`)
    return sql`insert into payment_events (hash, at, state, operation, amount, payer, signature, reason, fee_lamports)
      select hash, updated_at, went, operation, amount, payer, signature, reason,
        case when place = 0 then ${fee} else 0 end
      from changed, (${sql.join(went, sql` union all `)}) as went order by place`
  }

  /** Changes one row that no other statement about this payment touches, so that it cannot deadlock. */
  const heard = (what: 'paid' | 'failed') => sql`
    insert into payers (wallet, paid, failed, failed_at, updated_at)
    select payer, ${what === 'paid' ? sql`amount, 0, cast(null as timestamptz)` : sql`0, 1, updated_at`}, updated_at from changed where true
    on conflict (wallet) do update set paid = payers.paid + excluded.paid, failed = payers.failed + excluded.failed,
      failed_at = coalesce(excluded.failed_at, payers.failed_at), updated_at = excluded.updated_at`

  function change(
    { hash, owner }: Claim,
    { from, set, where, owner: next, reason, payer, besides, ...books }: Change,
  ): Promise<PaymentRow | null> {
    const changed = sql`update payments set state = ${books.to.at(-1)!}, owner = ${next ?? owner}, lease_until = ${lease()},
      updated_at = ${time()}, reason = ${reason ?? null}${set === undefined ? sql`` : sql`, ${set}`}
      where hash = ${hash} and owner = ${owner} and state in (${sql.join(from)})
      ${where === undefined ? sql`` : sql`and ${where}`}`
    const all = [
      booked(books),
      ...(payer === undefined ? [] : [heard(payer)]),
      ...(besides === undefined ? [] : [besides]),
    ]
    return dialect.changePayment(changed, hash, all)
  }

  const keeping = (answer: string) => sql`insert into payment_answers (hash, answer, kept_at)
    select hash, cast(${answer} as text), updated_at from changed`

  const find = (hash: string): Promise<PaymentRow | null> =>
    first(sql<PaymentRow>`select * from payments where hash = ${hash}`)

  return {
    embedded: database.embedded,
    find,
    async findEach(hashes) {
      if (hashes.length === 0) return []
      const rows = await db.selectFrom('payments').selectAll().where('hash', 'in', hashes).execute()
      const found = new Map(rows.map((row) => [row.hash, row]))
      return hashes.map((hash) => found.get(hash) ?? null)
    },
    async reserve(reservation) {
      const { hash, operation, request, amount, payer, blockhash } = reservation
      const owner = newOwner()
      // retries a row released between the two statements; more attempts mean a fault
      for (let attempt = 0; attempt < 3; attempt++) {
        const at = time()
        const changed = sql`insert into payments (hash, operation, request, amount, payer, blockhash, state, signature,
            signed_transaction, reason, owner, lease_until, created_at, updated_at)
          values (${hash}, ${operation}, ${request}, ${amount}, ${payer}, ${blockhash}, 'reserved', null, null, null,
            ${owner}, ${lease()}, ${at}, ${at})
          on conflict (hash) do update set operation = excluded.operation, request = excluded.request,
            amount = excluded.amount, state = 'reserved', signed_transaction = null, reason = null, fee_lamports = 0,
            owner = excluded.owner, lease_until = excluded.lease_until, updated_at = excluded.updated_at
          where payments.state = 'released'`
        const row = await dialect.changePayment(changed, hash, [booked({ to: ['reserved'] })])
        if (row !== null) return { claim: { hash, owner }, row }
        const holder = await find(hash)
        if (holder !== null && holder.state !== 'released') return { claim: null, row: holder }
      }
      throw new Error('a payment changes faster than it can be reserved')
    },
    settling: (claim, transaction) =>
      change(claim, { from: ['reserved'], to: ['settling'], set: sql`signed_transaction = ${transaction}` }),
    sign(claim, signature, signed) {
      const { transaction = null, feeLamports = null } = signed ?? {}
      const set = sql`signature = ${signature}, signed_transaction = coalesce(cast(${transaction} as text), signed_transaction),
        fee_lamports = coalesce(cast(${feeLamports} as bigint), fee_lamports)`
      const fee = sql`cast(${feeLamports ?? 0} as bigint)`
      return change(claim, { from: ['settling'], to: ['settling'], set, fee })
    },
    settled(claim, signature, answer) {
      const set = sql`signature = coalesce(cast(${signature} as text), signature), signed_transaction = null`
      const paid = { from: ['settling'], set, payer: 'paid' } as const
      if (answer === null) return change(claim, { ...paid, to: ['settled'] })
      return change(claim, { ...paid, to: ['settled', 'answered'], besides: keeping(answer) })
    },
    answered: (claim, answer) => change(claim, { from: ['settled'], to: ['answered'], besides: keeping(answer) }),
    async answer(hash) {
      const kept = db.selectFrom('payment_answers').select('answer').where('hash', '=', hash)
      return (await kept.executeTakeFirst())?.answer ?? null
    },
    release(claim, reason, proven = false) {
      const set = sql`signed_transaction = null`
      // a reserved payment was not sent since its last release
      const unsigned = proven ? {} : { where: sql`(state = 'reserved' or signature is null)` }
      const failed = proven && reason === FAILED_ON_CHAIN ? ({ payer: 'failed' } as const) : {}
      // only the chain can show that the transaction was in no block
      const fee = proven && reason === EXPIRED ? { fee: sql`-fee_lamports` } : {}
      return change(claim, {
        from: ['reserved', 'settling'],
        to: ['released'],
        set,
        reason: reason.slice(0, REASON_LENGTH),
        ...unsigned,
        ...failed,
        ...fee,
      })
    },
    isHeldElsewhere: ({ owner, lease_until }) =>
      !database.embedded && !owner.startsWith(`${process}/`) && lease_until.getTime() > now(),
    async takeOver(row) {
      const owner = newOwner()
      const taken = await first(sql<PaymentRow>`update payments set owner = ${owner}, lease_until = ${lease()}
        where hash = ${row.hash} and owner = ${row.owner} and state = ${row.state} returning *`)
      return taken === null ? null : { hash: row.hash, owner }
    },
    async renew(claims) {
      if (claims.length === 0) return
      const held = values(
        { hash: 'text', owner: 'text' },
        claims.map(({ hash, owner }) => [hash, owner]),
      )
      await sql`update payments set lease_until = ${lease()} where (hash, owner) in (${held})
        and state in ('reserved', 'settling')`.execute(db)
    },
    async pause({ hash, owner }, pauseMs) {
      const until = time(now() + pauseMs)
      await sql`update payments set lease_until = ${until} where hash = ${hash} and owner = ${owner}`.execute(db)
    },
    orphans(others, states = OPEN) {
      const foreign = others ? sql`or owner not like ${`${process}/%`}` : sql``
      return rowsOf(sql<PaymentRow>`select * from payments where state in ('reserved', 'settling')
        and state in (${sql.join(states)}) and (lease_until < ${time()} ${foreign})
        order by lease_until limit ${SWEEP_ROWS}`)
    },
    async open() {
      const { rows } = await sql<{
        n: number
      }>`select count(*) as n from payments where state = 'settling'`.execute(db)
      return rows[0]?.n ?? 0
    },
    async since(time) {
      const { rows } = await sql<Turnover>`select
          (select cast(coalesce(sum(amount), 0) as bigint) from payment_events where state = 'settled' and at >= ${time}) as "units",
          (select cast(coalesce(sum(fee_lamports), 0) as bigint) from payment_events where fee_lamports <> 0 and at >= ${time})
            as "feeLamports"`.execute(db)
      return rows[0]!
    },
    async payer(wallet) {
      return (await db.selectFrom('payers').selectAll().where('wallet', '=', wallet).executeTakeFirst()) ?? null
    },
    payers: (most) => db.selectFrom('payers').selectAll().orderBy('updated_at', 'desc').limit(most).execute(),
    async prune() {
      const newest = db.selectFrom('payment_answers').select('hash').orderBy('kept_at', 'desc').orderBy('hash')
      await db
        .deleteFrom('payment_answers')
        .where((where) =>
          where.or([
            where('kept_at', '<', time(now() - ANSWERS_KEPT_MS)),
            where('hash', 'in', newest.offset(ANSWERS_KEPT)),
          ]),
        )
        .execute()
      const before = time(now() - RELEASED_MS)
      return db.transaction().execute(async (inside) => {
        const old = inside.selectFrom('payments').select('hash').where('state', '=', 'released')
        const oldest = old.where('updated_at', '<', before).orderBy('updated_at').limit(PRUNE_ROWS)
        const gone = await inside
          .deleteFrom('payments')
          .where('hash', 'in', oldest)
          .where('state', '=', 'released')
          .where('updated_at', '<', before)
          .returning(['hash', 'signature'])
          .execute()
        const unsigned = gone.flatMap(({ hash, signature }) => (signature === null ? [hash] : []))
        if (unsigned.length > 0) await inside.deleteFrom('payment_events').where('hash', 'in', unsigned).execute()
        return gone.length
      })
    },
  }
}

/** stored characters of a reason */
const REASON_LENGTH = 300
