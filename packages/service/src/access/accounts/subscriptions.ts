import { count, createCounts } from '@ti/core/base/counts.ts'
import type { Logger } from '../../base/log.ts'
import { createPoller } from '../../base/poller.ts'
import type { Database } from '../sql/database.ts'
import type { AccountRow } from '../sql/schema.ts'
import type { DepositSource, Position, SeenTransaction, Waiting } from './deposit-source.ts'
import { extend, offerTo, type SubscriptionOffer } from './subscription.ts'

/** milliseconds between two looks for deposits */
const DEPOSIT_POLL_MS = 10_000

export const SUBSCRIPTIONS = {
  /** transactions read in one look, and failures after which it ends */
  depositReads: 500,
  depositFailures: 5,
  /** seconds of chain time that are looked at again: nodes behind one address do not see everything at the same moment */
  depositOverlapS: 60,
  /** months a subscription may reach ahead: more is a mistake, and stays in the balance */
  months: 1_200,
}

/** Finds deposits on chain and turns them into subscriptions. */
export type Subscriptions = ReturnType<typeof createSubscriptions>

interface SubscriptionsOptions {
  readonly source: DepositSource
  /** base58 */
  readonly payTo: string
  /** milliseconds */
  readonly now: () => number
  readonly logger: Logger
  readonly bounds?: Readonly<typeof SUBSCRIPTIONS>
}

/** seconds by which the clock of the first account may have been ahead of the chain's */
const CLOCK_SLACK_S = 86_400
/** seconds after which a quiet chain is assumed to have advanced with our clock */
const QUIET_S = 900

export function createSubscriptions(
  { sql: db, dialect }: Pick<Database, 'sql' | 'dialect'>,
  { source, payTo, now, logger, bounds = SUBSCRIPTIONS }: SubscriptionsOptions,
) {
  const counts = createCounts(['credited', 'known', 'passed over', 'look failed', 'read failed'])
  const cursor = `deposits:${payTo}`
  /** signatures after the cursor that were handled, and those that failed; both from the last listing only */
  const handled = new Set<string>()
  const troubled = new Set<string>()
  let firstAccountTime: number | null = null
  let failing = false
  let closed = false

  async function readPosition(): Promise<Position | null> {
    const row = await db.selectFrom('cursors').select('value').where('name', '=', cursor).executeTakeFirst()
    if (row === undefined) return null
    const [time, signature] = row.value.split(' ')
    return { time: Number(time), signature: signature! }
  }

  /** Moves the cursor unless another node has moved it. */
  async function advance(from: Position | null, to: Position): Promise<void> {
    const text = ({ time, signature }: Position): string => `${time} ${signature}`
    const value = text(to)
    if (from === null) {
      await db
        .insertInto('cursors')
        .values({ name: cursor, value })
        .onConflict((c) => c.doNothing())
        .execute()
    } else {
      const update = db.updateTable('cursors').set({ value }).where('name', '=', cursor)
      await update.where('value', '=', text(from)).execute()
    }
  }

  /** Creation of the first account in Unix seconds, before which no reference existed; null without accounts. */
  async function firstAccount(): Promise<number | null> {
    if (firstAccountTime !== null) return firstAccountTime
    const first = await db.selectFrom('accounts').select('created_at').orderBy('created_at').limit(1).executeTakeFirst()
    firstAccountTime = first === undefined ? null : first.created_at.getTime() / 1000
    return firstAccountTime
  }

  /** Returns the account that a transaction names; of several, the first in key order. */
  async function payee(keys: readonly string[]): Promise<string | null> {
    const named = await db.selectFrom('accounts').selectAll().where('reference', 'in', keys).execute()
    named.sort((a, b) => keys.indexOf(a.reference) - keys.indexOf(b.reference))
    if (named.length > 1) logger.warn({ accounts: named.map(({ id }) => id) }, 'a deposit names several accounts')
    return named[0]?.id ?? null
  }

  /** Stores the deposit and credits its account in one transaction; false if it was already stored. */
  async function credit(accountId: string, lamports: number, { signature, slot }: SeenTransaction): Promise<boolean> {
    return db.transaction().execute(async (inside) => {
      const at = now()
      const added = await inside
        .insertInto('deposits')
        .values({ signature, account_id: accountId, lamports, slot, credited_at: new Date(at) })
        .onConflict((conflict) => conflict.column('signature').doNothing())
        .returning('signature')
        .executeTakeFirst()
      if (added === undefined) return false
      const account = inside.selectFrom('accounts').selectAll()
      const funds = await account.where('id', '=', accountId).forUpdate().executeTakeFirstOrThrow()
      await inside
        .updateTable('accounts')
        .set({ ...extend(funds, lamports, at, bounds.months), changed_at: dialect.now })
        .where('id', '=', accountId)
        .execute()
      return true
    })
  }

  async function handle(seen: SeenTransaction): Promise<void> {
    const { keys, rise } = await source.read(seen.signature)
    const account = rise > 0 ? await payee(keys) : null
    if (account === null) return count(counts, 'passed over')
    const isNew = await credit(account, rise, seen)
    count(counts, isNew ? 'credited' : 'known')
    if (isNew) logger.info({ account, lamports: rise, signature: seen.signature }, 'deposit credited')
  }

  function fail(error: unknown, name: 'look failed' | 'read failed', signature?: string): void {
    count(counts, name)
    const fields = { err: error, ...(signature === undefined ? {} : { signature }) }
    if (!failing) logger.error(fields, `deposits: ${name}; it is retried, and later ones wait for it`)
    failing = true
  }

  /** Handles the oldest first and earlier failures last, so that an unreadable transaction blocks nothing. */
  async function handleAll(waiting: readonly SeenTransaction[]): Promise<void> {
    const todo = waiting.filter((seen) => !isDone(seen))
    const fresh = todo.filter(({ signature }) => !troubled.has(signature))
    const again = todo.filter(({ signature }) => troubled.has(signature))
    let failures = 0
    for (const seen of [...fresh, ...again].slice(0, bounds.depositReads)) {
      if (closed || failures >= bounds.depositFailures) break
      try {
        await handle(seen)
        handled.add(seen.signature)
        troubled.delete(seen.signature)
      } catch (error) {
        failures++
        troubled.add(seen.signature)
        fail(error, 'read failed', seen.signature)
      }
    }
    if (failures === 0) failing = false
  }

  const isDone = ({ failed, signature }: SeenTransaction): boolean => failed || handled.has(signature)

  /** Returns the last position before which everything is handled and no transaction can still appear. */
  function settled({ transactions, newestTime }: Waiting): Position | null {
    const chainTime = Math.max(newestTime, now() / 1000 - QUIET_S)
    const open = transactions.findIndex((seen) => !isDone(seen) || seen.time > chainTime - bounds.depositOverlapS)
    return transactions[(open < 0 ? transactions.length : open) - 1] ?? null
  }

  async function look(): Promise<void> {
    try {
      const first = await firstAccount()
      if (first === null) return
      const position = await readPosition()
      const waiting = await source.after(position, first - CLOCK_SLACK_S)
      await handleAll(waiting.transactions)
      const reached = settled(waiting)
      if (reached !== null) await advance(position, reached)
      const listed = new Set(waiting.transactions.map(({ signature }) => signature))
      for (const known of [handled, troubled]) for (const one of known) if (!listed.has(one)) known.delete(one)
    } catch (error) {
      fail(error, 'look failed')
    }
  }

  const polls = createPoller({ what: 'deposits', everyMs: DEPOSIT_POLL_MS, run: look })
  return {
    offerTo: (account: Pick<AccountRow, 'reference'>): SubscriptionOffer => offerTo(account, payTo),
    /**
     * Looks for deposits once, which also happens every DEPOSIT_POLL_MS; a call during a run looks again after it. Never rejects: what could not be read is retried, and
     * nothing after it counts as read before.
     */
    poll: polls.run,
    /** transactions that were credited, already known, without a reference, or unreadable; runs that failed */
    counts,
    /** ends the current run after its current transaction */
    async close(): Promise<void> {
      closed = true
      await polls.stop()
    },
  }
}
