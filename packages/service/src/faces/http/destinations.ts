import { isoMicros } from '@ti/core/base/time.ts'
import type { Delivery, Destination, Link } from '@ti/core/contract/account.ts'
import type { DeliveryRow, DestinationRow } from '../../access/sql/schema.ts'
import { type DeliveryLog, isVerified } from '../../alerts/delivery/deliveries.ts'
import type { DestinationBook, LinkCode } from '../../alerts/delivery/destinations.ts'
import { KINDS } from '../../alerts/delivery/kinds.ts'
import { type AddOperation, accepted, DELETED, found, idOf } from './account-request.ts'

export interface DestinationServices {
  readonly book: DestinationBook
  readonly log: DeliveryLog
  /** name of the Telegram bot, without `@`; null: there is no bot, or its name is not known yet */
  readonly botName: () => string | null
  /** wakes the sender: a delivery is due */
  readonly wake: () => void
}

const NUMBER = /^[1-9]\d{0,14}$/
const NO_DESTINATION = 'this account has no such destination'

const time = (date: Date): string => isoMicros(date.getTime() / 1_000)
const timeOrNull = (date: Date | null): string | null => date && time(date)

/** Secrets, and the secret part of an address, are left out. */
const destinationJson = (row: DestinationRow): Destination => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  enabled: row.enabled,
  state: !row.enabled
    ? 'disabled'
    : row.address === null
      ? 'unlinked'
      : !isVerified(row)
        ? 'unverified'
        : row.failing_since === null
          ? 'working'
          : 'failing',
  address: row.address === null ? null : KINDS[row.kind].show(row.address),
  watches: row.watches === null ? null : (JSON.parse(row.watches) as string[]),
  failing_since: timeOrNull(row.failing_since),
  delivered_at: timeOrNull(row.delivered_at),
  notice: row.notice,
  missed: Number(row.missed),
  created_at: time(row.created_at),
})

function deliveryJson(row: DeliveryRow): Delivery {
  const { event, title, seq } = JSON.parse(row.alert) as { event: string; title: string; seq: number }
  return {
    number: Number(row.number),
    id: row.alert_id,
    seq,
    event,
    title,
    state: row.state,
    attempts: row.attempts,
    status: row.status,
    error: row.error,
    attempted_at: timeOrNull(row.attempted_at),
    next_at: row.state === 'waiting' ? time(row.due_at) : null,
    created_at: time(row.created_at),
  }
}

/** Adds the operations on the destinations of an account's alerts, and on what is delivered there. */
export function addDestinations(on: AddOperation, { book, log, botName, wake }: DestinationServices): void {
  const linkJson = ({ code, expiresAt }: LinkCode): Link => {
    const bot = botName()
    return {
      code,
      expires_at: time(expiresAt),
      send: `/start ${code}`,
      bot,
      url: bot === null ? null : `https://t.me/${bot}?start=${code}`,
    }
  }

  on('destinations', async (_, { id }) => (await book.list(id)).map(destinationJson))
  on('add_destination', async ({ body }, { id, plan }) => {
    const { destination, secret, link } = accepted(await book.add(id, plan, body))
    return {
      ...destinationJson(destination),
      ...(secret !== null && { secret }),
      ...(link !== null && { link: linkJson(link) }),
    }
  })
  on('change_destination', async (asked, { id }) =>
    destinationJson(accepted(found(await book.change(id, idOf(asked), asked.body), NO_DESTINATION)).destination),
  )
  on('remove_destination', async (asked, { id }) => {
    found((await book.remove(id, idOf(asked))) || null, NO_DESTINATION)
    return DELETED
  })
  on('rotate_secret', async (asked, { id }) => {
    const rotated = found(await book.rotate(id, idOf(asked)), 'this account has no such webhook')
    return { secret: rotated.secret, previous_until: time(rotated.previousUntil) }
  })
  on('link_chat', async (asked, { id }) =>
    linkJson(found(await book.link(id, idOf(asked)), 'this account has no such Telegram destination')),
  )
  on('test_destination', async (asked, { id }) => {
    const { delivery } = accepted(found(await log.test(id, idOf(asked)), NO_DESTINATION))
    wake()
    return deliveryJson(delivery)
  })
  on('deliveries', async (asked, { id }) => {
    const rows = await log.list(id, idOf(asked), asked.query.before ?? null)
    return found(rows, NO_DESTINATION).map(deliveryJson)
  })
  on('replay_delivery', async (asked, { id }) => {
    const number = asked.args[1]!
    const outcome = NUMBER.test(number) ? await log.replay(id, idOf(asked), Number(number)) : null
    const { delivery } = accepted(found(outcome, 'this account has no such delivery'))
    wake()
    return deliveryJson(delivery)
  })
}
