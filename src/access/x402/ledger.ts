import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { LIMITS } from '../../config/limits.ts'
import type { Database } from '../sql/database.ts'
import type { PaymentRow, PaymentState } from '../sql/schema.ts'

/** What holds a payment: whoever has been given another one since can change nothing any more. */
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

export type Reserved =
  | { readonly claim: Claim; readonly row: PaymentRow }
  /** somebody else's, or an earlier use */
  | { readonly claim: null; readonly row: PaymentRow }

/**
 * The payment ledger. A change of state is one statement that also writes the row of the books, and it is on disk when
 * its promise resolves. It happens only from the states it may happen from and, where somebody holds the payment, only
 * for its holder; otherwise the answer is null and nothing has changed. States: see `PAYMENT_STATES`.
 */
export interface Ledger {
  readonly embedded: boolean
  find(hash: string): Promise<PaymentRow | null>
  /** absent or released → reserved */
  reserve(reservation: Reservation): Promise<Reserved>
  /** reserved → settling: from here on it may become paid */
  settling(claim: Claim, transaction: string): Promise<PaymentRow | null>
  /** writes the signature of a payment that settles; what sends must wait for it. `transaction` is the signed one */
  sign(claim: Claim, signature: string, transaction?: string): Promise<PaymentRow | null>
  /** settling → settled; with `deliver` at once → delivering */
  settled(claim: Claim, signature: string | null, deliver: boolean): Promise<PaymentRow | null>
  /** settled → delivering, for a new holder: the answer goes out once */
  deliver(row: PaymentRow): Promise<Claim | null>
  /** delivering → delivered; also when it was given back meanwhile and nobody took it */
  delivered(claim: Claim): Promise<PaymentRow | null>
  /** delivering → settled: the client did not get it; in the books an entry of amount 0, it was paid before */
  undelivered(claim: Claim): Promise<PaymentRow | null>
  /**
   * reserved or settling → released. A settling payment with a signature is released only if the chain has told that it neither
   * landed nor can: `proven`.
   */
  release(claim: Claim, reason: string, proven?: boolean): Promise<PaymentRow | null>
  /** whether another process may still be working on it */
  isHeldElsewhere(row: PaymentRow): boolean
  /** takes a payment over from a holder that is gone; null when it was not */
  takeOver(row: PaymentRow): Promise<Claim | null>
  /** the holders still work on them; what somebody else has taken over stays theirs */
  renew(claims: readonly Claim[]): Promise<void>
  /** leaves an open payment to whoever looks at it after `pauseMs` */
  pause(claim: Claim, pauseMs: number): Promise<void>
  /** payments whose holder has been silent for too long; with `others`, also those of other processes */
  orphans(others: boolean, states?: readonly PaymentState[]): Promise<PaymentRow[]>
  /** payments whose end is not known */
  open(): Promise<number>
  /** signatures written since then: each may have cost a fee */
  signedSince(time: Date): Promise<number>
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
}

export function createLedger({ database, now }: { database: Database; now: () => number }): Ledger {
  const db = database.sql
  const process = randomBytes(8).toString('hex')
  let claims = 0
  const newOwner = (): string => `${process}/${++claims}`
  const time = (ms = now()): Date => new Date(ms)
  const lease = (): Date => time(now() + LIMITS.paymentLeaseMs)
  const rowsOf = async (query: RawBuilder<PaymentRow>): Promise<PaymentRow[]> =>
    (await query.execute(db)).rows as PaymentRow[]
  const first = async (query: RawBuilder<PaymentRow>): Promise<PaymentRow | null> => (await rowsOf(query))[0] ?? null

  /** `changed` becomes a row in the books for each state it went through */
  const logged = (changed: RawBuilder<unknown>, states: readonly PaymentState[], booked?: number) => sql<PaymentRow>`
    with changed as (${changed} returning payments.*), logged as (
      insert into payment_events (hash, at, state, operation, amount, payer, signature, reason)
      select hash, updated_at, went.state, operation, coalesce(${booked ?? null}::bigint, amount), payer, signature, reason
      from changed,
        unnest(array[${sql.join(states)}]::text[]) with ordinality as went (state, place) order by went.place
    ) select * from changed`

  function change(
    { hash, owner }: Claim,
    { from, to, set, where, owner: next, booked, reason }: Change,
  ): Promise<PaymentRow | null> {
    const changed = sql`update payments set state = ${to.at(-1)!}, owner = ${next ?? owner}, lease_until = ${lease()},
      updated_at = ${time()}, reason = ${reason ?? null}${set === undefined ? sql`` : sql`, ${set}`}
      where hash = ${hash} and owner = ${owner} and state in (${sql.join(from)})
      ${where === undefined ? sql`` : sql`and ${where}`}`
    return first(logged(changed, to, booked))
  }

  const find = (hash: string): Promise<PaymentRow | null> =>
    first(sql<PaymentRow>`select * from payments where hash = ${hash}`)

  return {
    embedded: database.embedded,
    find,
    async reserve(reservation) {
      const { hash, operation, request, amount, payer, blockhash } = reservation
      const owner = newOwner()
      // a row that is released between the two statements is tried again; more often than that is a fault
      for (let attempt = 0; attempt < 3; attempt++) {
        const at = time()
        const changed = sql`insert into payments (hash, operation, request, amount, payer, blockhash, state, signature,
            transaction, reason, owner, lease_until, created_at, updated_at)
          values (${hash}, ${operation}, ${request}, ${amount}, ${payer}, ${blockhash}, 'reserved', null, null, null,
            ${owner}, ${lease()}, ${at}, ${at})
          on conflict (hash) do update set operation = excluded.operation, request = excluded.request,
            amount = excluded.amount, state = 'reserved', transaction = null, reason = null, owner = excluded.owner,
            lease_until = excluded.lease_until, updated_at = excluded.updated_at
          where payments.state = 'released'`
        const row = await first(logged(changed, ['reserved']))
        if (row !== null) return { claim: { hash, owner }, row }
        const holder = await find(hash)
        if (holder !== null && holder.state !== 'released') return { claim: null, row: holder }
      }
      throw new Error('a payment changes faster than it can be reserved')
    },
    settling: (claim, transaction) =>
      change(claim, { from: ['reserved'], to: ['settling'], set: sql`transaction = ${transaction}` }),
    sign(claim, signature, transaction) {
      const set = sql`signature = ${signature}, transaction = coalesce(${transaction ?? null}::text, transaction)`
      return change(claim, { from: ['settling'], to: ['settling'], set })
    },
    settled(claim, signature, deliver) {
      const set = sql`signature = coalesce(${signature}::text, signature), transaction = null`
      return change(claim, { from: ['settling'], to: deliver ? ['settled', 'delivering'] : ['settled'], set })
    },
    async deliver({ hash, owner }) {
      const next = newOwner()
      const row = await change({ hash, owner }, { from: ['settled'], to: ['delivering'], owner: next })
      return row === null ? null : { hash, owner: next }
    },
    delivered: (claim) => change(claim, { from: ['delivering', 'settled'], to: ['delivered'] }),
    undelivered: (claim) => change(claim, { from: ['delivering'], to: ['settled'], booked: 0 }),
    release(claim, reason, proven = false) {
      const set = sql`transaction = null`
      // what is only reserved has not been sent since it was released the last time
      const unsigned = proven ? {} : { where: sql`(state = 'reserved' or signature is null)` }
      return change(claim, {
        from: ['reserved', 'settling'],
        to: ['released'],
        set,
        reason: reason.slice(0, REASON_LENGTH),
        ...unsigned,
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
      const [hashes, owners] = [claims.map(({ hash }) => hash), claims.map(({ owner }) => owner)]
      await sql`update payments set lease_until = ${lease()}
        from unnest(array[${sql.join(hashes)}]::text[], array[${sql.join(owners)}]::text[]) as held (hash, owner)
        where payments.hash = held.hash and payments.owner = held.owner
          and payments.state in ('reserved', 'settling', 'delivering')`.execute(db)
    },
    async pause({ hash, owner }, pauseMs) {
      const until = time(now() + pauseMs)
      await sql`update payments set lease_until = ${until} where hash = ${hash} and owner = ${owner}`.execute(db)
    },
    orphans(others, states = OPEN) {
      const foreign = others ? sql`or split_part(owner, '/', 1) <> ${process}` : sql``
      return rowsOf(sql<PaymentRow>`select * from payments where state in ('reserved', 'settling', 'delivering')
        and state in (${sql.join(states)}) and (lease_until < ${time()} ${foreign})
        order by lease_until limit ${LIMITS.paymentSweepRows}`)
    },
    async open() {
      const { rows } = await sql<{
        n: number
      }>`select count(*)::int as n from payments where state = 'settling'`.execute(db)
      return rows[0]?.n ?? 0
    },
    async signedSince(since) {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from payment_events
        where state = 'settling' and signature is not null and at >= ${since}`.execute(db)
      return rows[0]?.n ?? 0
    },
    async prune() {
      const before = time(now() - LIMITS.paymentReleasedMs)
      const { rows } = await sql<{ n: number }>`with old as (
          select hash from payments where state = 'released' and updated_at < ${before}
          order by updated_at limit ${LIMITS.paymentPruneRows}
        ), gone as (
          delete from payments using old where payments.hash = old.hash and payments.state = 'released'
            and payments.updated_at < ${before} returning payments.hash, payments.signature
        ), told as (
          delete from payment_events using gone where payment_events.hash = gone.hash and gone.signature is null
        ) select count(*)::int as n from gone`.execute(db)
      return rows[0]?.n ?? 0
    },
  }
}

/** characters of a reason that are kept */
const REASON_LENGTH = 300
