import { randomBytes } from 'node:crypto'
import { sql as statement, type Transaction } from 'kysely'
import type { Database } from '../../access/sql/database.ts'
import type { DeliveryRow, DestinationRow, Schema } from '../../access/sql/schema.ts'
import type { Alert } from '../alert.ts'

/** deliveries that wait for a destination, beyond which alerts stay where they are, and finished ones that are kept */
export const DELIVERIES_WAITING = 100
const DELIVERIES_KEPT = 100
/** milliseconds in which a delivery is tried, and in which a receiver is asked: seven requests, which a stranger can bear */
export const WINDOW_MS = 48 * 3_600_000
export const CHALLENGE_WINDOW_MS = 3_600_000
/** The id of a challenge: this, and the text that the receiver repeats. */
export const CHALLENGE = 'challenge_'
const CHALLENGE_BYTES = 24

/** deliveries of one page of the log */
export const PAGE_ROWS = 50

/** The reason a delivery was not requested. */
type Refused = { readonly ok: false; readonly message: string }
type Asked = { readonly ok: true; readonly delivery: DeliveryRow } | Refused

/**
 * The deliveries of an account's destinations. Null means the account has no such destination, or the destination no such
 * delivery.
 */
export type DeliveryLog = ReturnType<typeof createDeliveryLog>

const NOT_OPEN = 'the destination is disabled, or no chat is linked to it'
const UNVERIFIED = 'the receiver has not answered its challenge: send a test, which asks again'
const NO_REPLAY = 'a challenge is not sent again: send a test'
const FULL = `${DELIVERIES_WAITING} deliveries wait for this destination: wait for them first`

export function createDeliveryLog({ sql }: Pick<Database, 'sql'>, { now }: { readonly now: () => number }) {
  const ownerOf = (inside: Transaction<Schema>, account: string, id: string) =>
    inside
      .selectFrom('destinations')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', account)
      .forUpdate()
      .executeTakeFirst()

  /** Null means one more delivery is allowed. */
  async function refusal(
    inside: Transaction<Schema>,
    row: { readonly id: string; readonly enabled: boolean; readonly address: string | null },
  ) {
    if (!row.enabled || row.address === null) return { ok: false, message: NOT_OPEN } as const
    const waiting = await waitingOf(inside, row.id)
    return waiting < DELIVERIES_WAITING ? null : ({ ok: false, message: FULL } as const)
  }

  return {
    /** Lists deliveries, the newest first, before a given number if there is one. A page has at most PAGE_ROWS. */
    async list(account: string, id: string, before: number | null): Promise<readonly DeliveryRow[] | null> {
      const owner = sql.selectFrom('destinations').select('id').where('id', '=', id).where('account_id', '=', account)
      if ((await owner.executeTakeFirst()) === undefined) return null
      return sql
        .selectFrom('deliveries')
        .selectAll()
        .where('destination_id', '=', id)
        .$if(before !== null, (query) => query.where('number', '<', before!))
        .orderBy('number', 'desc')
        .limit(PAGE_ROWS)
        .execute()
    },
    /**
     * Sends a message that says it is a test, through the same queue as every other message. A receiver that has not answered its
     * challenge is asked again instead.
     */
    test: (account: string, id: string): Promise<Asked | null> =>
      sql.transaction().execute(async (inside): Promise<Asked | null> => {
        const row = await ownerOf(inside, account, id)
        if (row === undefined) return null
        const refused = await refusal(inside, row)
        if (refused !== null) return refused
        if (!isVerified(row)) return { ok: true, delivery: await askReceiver(inside, row, now()) }
        const alert = serviceAlert({ account, event: 'test', key: randomBytes(12).toString('base64url'), atMs: now() })
        const [delivery] = await addDeliveries(inside, { destination: id, alerts: [alert], nowMs: now() })
        return { ok: true, delivery: delivery! }
      }),
    /** Sends a finished delivery again, with its first id. */
    replay: (account: string, id: string, number: number): Promise<Asked | null> =>
      sql.transaction().execute(async (inside): Promise<Asked | null> => {
        const row = await ownerOf(inside, account, id)
        if (row === undefined) return null
        const found = inside.selectFrom('deliveries').select(['state', 'alert_id']).where('destination_id', '=', id)
        const old = await found.where('number', '=', number).executeTakeFirst()
        if (old === undefined) return null
        if (old.state === 'waiting') return { ok: false, message: 'this delivery is still on its way' }
        if (old.alert_id.startsWith(CHALLENGE)) return { ok: false, message: NO_REPLAY }
        if (!isVerified(row)) return { ok: false, message: UNVERIFIED }
        const refused = await refusal(inside, row)
        if (refused !== null) return refused
        const atMs = now()
        const delivery = await inside
          .updateTable('deliveries')
          .set({
            state: 'waiting',
            attempts: 0,
            due_at: new Date(atMs),
            give_up_at: new Date(atMs + WINDOW_MS),
          })
          .where('destination_id', '=', id)
          .where('number', '=', number)
          .returningAll()
          .executeTakeFirstOrThrow()
        return { ok: true, delivery }
      }),
  }
}

async function waitingOf(inside: Transaction<Schema>, destination: string): Promise<number> {
  const { n } = await inside
    .selectFrom('deliveries')
    .select((query) => query.fn.countAll<number | string>().as('n'))
    .where('destination_id', '=', destination)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return Number(n)
}

interface NewDeliveries {
  readonly destination: string
  readonly alerts: readonly Alert[]
  readonly nowMs: number
  readonly windowMs?: number
}

/** Adds deliveries that are due at once, with their numbers, and removes the finished ones beyond the limit. */
export async function addDeliveries(
  inside: Transaction<Schema>,
  { destination, alerts, nowMs, windowMs = WINDOW_MS }: NewDeliveries,
): Promise<readonly DeliveryRow[]> {
  if (alerts.length === 0) return []
  const { next_number } = await inside
    .updateTable('destinations')
    .set({ next_number: statement`next_number + ${alerts.length}` })
    .where('id', '=', destination)
    .returning('next_number')
    .executeTakeFirstOrThrow()
  const next = Number(next_number)
  const [at, giveUp] = [new Date(nowMs), new Date(nowMs + windowMs)]
  const rows = alerts.map((alert, i) => ({
    destination_id: destination,
    number: next - alerts.length + i,
    alert_id: alert.id,
    alert: JSON.stringify(alert),
    state: 'waiting' as const,
    attempts: 0,
    status: null,
    error: null,
    due_at: at,
    give_up_at: giveUp,
    attempted_at: null,
    created_at: at,
  }))
  // An alert that is already there was handed over before.
  const added = await inside
    .insertInto('deliveries')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['destination_id', 'alert_id']).doNothing())
    .returningAll()
    .execute()
  const old = inside.deleteFrom('deliveries').where('destination_id', '=', destination).where('state', '<>', 'waiting')
  await old.where('number', '<', next - DELIVERIES_KEPT).execute()
  return added
}

interface ServiceAlert {
  readonly account: string
  readonly event: keyof typeof WORDS
  /** The key makes the message unique among those of its event. */
  readonly key: string
  readonly atMs: number
  readonly text?: string
}

const WORDS = {
  challenge: { title: 'Challenge', text: 'The receiver repeats it to get alerts.' },
  test: { title: 'Test message', text: 'This destination works. Alerts of your watches arrive here.' },
  destination_disabled: { title: 'A destination was disabled', text: '' },
} as const

/** A message of the service itself in the form of an alert. Its number is 0 and it has no watch. */
export const serviceAlert = ({ account, event, key, atMs, text }: ServiceAlert): Alert => ({
  account,
  seq: 0,
  place: 0,
  id: `${event}_${key}`,
  watch: { id: '', name: 'Token Intelligence' },
  event,
  title: WORDS[event].title,
  text: text ?? WORDS[event].text,
  why: {},
  mint: null,
  wallet: null,
  slot: 0,
  at: atMs,
  links: [],
})

export const isChallenge = ({ id }: Pick<Alert, 'id'>): boolean => id.startsWith(CHALLENGE)

/** The text that a receiver repeats to get messages. */
export const challengeOf = ({ id }: Pick<Alert, 'id'>): string => id.slice(CHALLENGE.length)

/** A receiver of signed messages has to answer a challenge before it gets any. */
export const isVerified = ({ secret, delivered_at }: Pick<DestinationRow, 'secret' | 'delivered_at'>): boolean =>
  secret === null || delivered_at !== null

/** Asks the receiver of a destination whether it wants messages, with a challenge in place of the one that waits. */
export async function askReceiver(
  inside: Transaction<Schema>,
  { id, account_id: account }: Pick<DestinationRow, 'id' | 'account_id'>,
  nowMs: number,
): Promise<DeliveryRow> {
  await inside
    .updateTable('deliveries')
    .set({ state: 'failed', error: statement`coalesce(error, ${REPLACED})` })
    .where('destination_id', '=', id)
    .where('state', '=', 'waiting')
    .where('alert_id', 'like', `${CHALLENGE}%`)
    .execute()
  const key = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const alerts = [serviceAlert({ account, event: 'challenge', key, atMs: nowMs })]
  const added = await addDeliveries(inside, { destination: id, alerts, nowMs, windowMs: CHALLENGE_WINDOW_MS })
  return added[0]!
}

const REPLACED = 'another challenge took its place'
const DISABLED = 'the destination was disabled'

/** Marks the waiting deliveries of a destination that ends as failed. Each of them can be replayed. */
export async function dropWaiting(inside: Transaction<Schema>, destination: string): Promise<void> {
  await inside
    .updateTable('deliveries')
    .set({ state: 'failed', error: statement`coalesce(error, ${DISABLED})` })
    .where('destination_id', '=', destination)
    .where('state', '=', 'waiting')
    .execute()
}
