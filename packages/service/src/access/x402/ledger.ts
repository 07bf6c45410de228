import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { LIMITS } from '../../config/limits.ts'
import type { Database } from '../sql/database.ts'
import type { PayerRow, PaymentRow, PaymentState } from '../sql/schema.ts'
import { values } from '../sql/values.ts'
import { EXPIRED, FAILED_ON_CHAIN } from './facilitator.ts'

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

/** A transaction of ours as it is sent. */
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
 * The payment ledger. A change of state is one statement that also writes the row of the books; it is on disk when its
 * promise resolves. It succeeds only from the allowed states and, if the payment is leased, only for the leaseholder.
 * Otherwise the answer is null and nothing has changed. States: see `PAYMENT_STATES`.
 */
export interface Ledger {
  readonly embedded: boolean
  find(hash: string): Promise<PaymentRow | null>
  /** the same for many, in their order, with one statement */
  findEach(hashes: readonly string[]): Promise<readonly (PaymentRow | null)[]>
  /** absent or released → reserved */
  reserve(reservation: Reservation): Promise<Reserved>
  /** reserved → settling: from here on it may become paid */
  settling(claim: Claim, transaction: string): Promise<PaymentRow | null>
  /**
   * writes the signature of a payment that settles; what sends must wait for it. `signed`: by our fee payer, with what
   * that costs it
   */
  sign(claim: Claim, signature: string, signed?: Signed): Promise<PaymentRow | null>
  /** settling → settled; with `deliver` at once → delivering */
  settled(claim: Claim, signature: string | null, deliver: boolean): Promise<PaymentRow | null>
  /** settled → delivering, for a new holder: the answer goes out once */
  deliver(row: PaymentRow): Promise<Claim | null>
  /** delivering → delivered; also if it was released meanwhile and nobody has taken it */
  delivered(claim: Claim): Promise<PaymentRow | null>
  /**
   * delivering → settled: the client did not get it; in the books an entry of amount 0, it was paid before. `answer` is kept
   * to be sent again, an empty one is not. What was not `begun` does not count as a delivery
   */
  undelivered(claim: Claim, answer: string, begun: boolean): Promise<PaymentRow | null>
  /** what was kept of a payment's answer */
  answer(hash: string): Promise<string | null>
  /**
   * reserved or settling → released. A settling payment with a signature is released only if the chain has shown that it
   * neither landed nor can: `proven`.
   */
  release(claim: Claim, reason: string, proven?: boolean): Promise<PaymentRow | null>
  /** whether another process may still be working on it */
  isHeldElsewhere(row: PaymentRow): boolean
  /** takes a payment over from a holder that is gone; null when it was not */
  takeOver(row: PaymentRow): Promise<Claim | null>
  /** renews the leases that are still ours */
  renew(claims: readonly Claim[]): Promise<void>
  /** leaves an open payment to any process after `pauseMs` */
  pause(claim: Claim, pauseMs: number): Promise<void>
  /** payments whose holder has been silent for too long; with `others`, also those of other processes */
  orphans(others: boolean, states?: readonly PaymentState[]): Promise<PaymentRow[]>
  /** payments whose end is not known */
  open(): Promise<number>
  /** what came in and went out since then; what is still open counts as spent */
  since(time: Date): Promise<Turnover>
  /** null: neither paid nor failed yet */
  payer(wallet: string): Promise<PayerRow | null>
  /** those of whom something was heard last */
  payers(most: number): Promise<PayerRow[]>
  /** forgets old released payments, at most LIMITS.paymentPruneRows; what the books say of money stays */
  prune(): Promise<number>
}

const OPEN: readonly PaymentState[] = ['reserved', 'settling', 'delivering']

interface Change {
  readonly from: readonly PaymentState[]
  /** each gets a row in the books; the last one is the state */
  readonly to: readonly [PaymentState, ...PaymentState[]]
  readonly set?: RawBuilder<unknown>
  readonly where?: RawBuilder<unknown>
  /** a new holder; without one the present one stays */
  readonly owner?: string
  /** what is booked, when it is not the payment's amount */
  readonly booked?: number
  readonly reason?: string
  /** lamports booked with the first state */
  readonly fee?: RawBuilder<unknown>
  /** what it says of the payer */
  readonly payer?: 'paid' | 'failed'
  /** statement that runs besides, with the row of `changed` */
  readonly besides?: RawBuilder<unknown>
}

const NO_FEE = sql`0`

export function createLedger({ database, now }: { database: Database; now: () => number }): Ledger {
  const { sql: db, dialect } = database
  const process = randomBytes(8).toString('hex')
  let claims = 0
  const newOwner = (): string => `${process}/${++claims}`
  const time = (ms = now()): Date => new Date(ms)
  const lease = (): Date => time(now() + LIMITS.paymentLeaseMs)
  const rowsOf = async (query: RawBuilder<PaymentRow>): Promise<PaymentRow[]> =>
    (await query.execute(db)).rows as PaymentRow[]
  const first = async (query: RawBuilder<PaymentRow>): Promise<PaymentRow | null> => (await rowsOf(query))[0] ?? null

  /** A row in the books for each state that a payment went through; `place` keeps their order. */
  const booked = ({ to, booked: amount, fee = NO_FEE }: Pick<Change, 'to' | 'booked' | 'fee'>) => {
    const went = to.map((state, i) => sql`select ${sql.lit(i)} as place, ${sql.lit(state)} as went`)
    return sql`insert into payment_events (hash, at, state, operation, amount, payer, signature, reason, fee_lamports)
      select hash, updated_at, went, operation, ${amount === undefined ? sql`amount` : sql`cast(${amount} as bigint)`}, payer, signature, reason,
        case when place = 0 then ${fee} else 0 end
      from changed, (${sql.join(went, sql` union all `)}) as went order by place`
  }

  /** One row that no other statement about this payment touches, so that nothing waits in a circle. */
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
      // a row that is released between the two statements is tried again; more often than that is a fault
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
    settled(claim, signature, deliver) {
      const set = sql`signature = coalesce(cast(${signature} as text), signature), signed_transaction = null,
        deliveries = deliveries + ${sql.lit(deliver ? 1 : 0)}`
      const to = deliver ? (['settled', 'delivering'] as const) : (['settled'] as const)
      return change(claim, { from: ['settling'], to, set, payer: 'paid' })
    },
    async deliver({ hash, owner }) {
      const next = newOwner()
      const row = await change(
        { hash, owner },
        {
          from: ['settled'],
          to: ['delivering'],
          owner: next,
          set: sql`deliveries = deliveries + 1`,
        },
      )
      return row === null ? null : { hash, owner: next }
    },
    delivered(claim) {
      const besides = sql`delete from payment_answers where hash in (select hash from changed)`
      return change(claim, { from: ['delivering', 'settled'], to: ['delivered'], besides })
    },
    undelivered(claim, answer, begun) {
      const set = begun
        ? sql`deliveries = deliveries`
        : sql`deliveries = case when deliveries > 0 then deliveries - 1 else 0 end`
      const back = { from: ['delivering'], to: ['settled'], booked: 0, set } as const
      if (answer === '' || answer.length > LIMITS.answerKeptLength) return change(claim, back)
      const besides = sql`insert into payment_answers (hash, answer, kept_at)
        select hash, cast(${answer} as text), updated_at from changed where true on conflict (hash) do nothing`
      return change(claim, { ...back, besides })
    },
    async answer(hash) {
      const kept = db.selectFrom('payment_answers').select('answer').where('hash', '=', hash)
      return (await kept.executeTakeFirst())?.answer ?? null
    },
    release(claim, reason, proven = false) {
      const set = sql`signed_transaction = null`
      // what is only reserved has not been sent since it was released the last time
      const unsigned = proven ? {} : { where: sql`(state = 'reserved' or signature is null)` }
      const failed = proven && reason === FAILED_ON_CHAIN ? ({ payer: 'failed' } as const) : {}
      // whether it was in a block is only known of what the chain was asked about
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
        and state in ('reserved', 'settling', 'delivering')`.execute(db)
    },
    async pause({ hash, owner }, pauseMs) {
      const until = time(now() + pauseMs)
      await sql`update payments set lease_until = ${until} where hash = ${hash} and owner = ${owner}`.execute(db)
    },
    orphans(others, states = OPEN) {
      const foreign = others ? sql`or owner not like ${`${process}/%`}` : sql``
      return rowsOf(sql<PaymentRow>`select * from payments where state in ('reserved', 'settling', 'delivering')
        and state in (${sql.join(states)}) and (lease_until < ${time()} ${foreign})
        order by lease_until limit ${LIMITS.paymentSweepRows}`)
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
            where('kept_at', '<', time(now() - LIMITS.answersKeptMs)),
            where('hash', 'in', newest.offset(LIMITS.answersKept)),
          ]),
        )
        .execute()
      const before = time(now() - LIMITS.paymentReleasedMs)
      return db.transaction().execute(async (inside) => {
        const old = inside.selectFrom('payments').select('hash').where('state', '=', 'released')
        const oldest = old.where('updated_at', '<', before).orderBy('updated_at').limit(LIMITS.paymentPruneRows)
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

/** characters of a reason that are kept */
const REASON_LENGTH = 300
