import { isoMicros } from '@ti/core/base/time.ts'
import { z } from 'zod'
import type { Plan } from '../../access/keys.ts'
import { type AccountRow, DESTINATION_KINDS, type DeliveryRow, type DestinationRow } from '../../access/sql/schema.ts'
import { type DeliveryLog, isVerified } from '../../alerts/delivery/deliveries.ts'
import type { DestinationBook, LinkCode } from '../../alerts/delivery/destinations.ts'
import { KINDS } from '../../alerts/delivery/kinds.ts'
import { URL_LENGTH } from '../../alerts/delivery/lines.ts'
import { WatchName } from '../../alerts/watch-json.ts'
import { type AccountRequest, type AddPath, idOf, Refusal, read } from './account-request.ts'
import { queryOf } from './query.ts'

/** watches that a destination lists: with a name and a URL they fit in a body of the account */
const WATCHES_LISTED = 40

export interface DestinationServices {
  readonly book: DestinationBook
  readonly log: DeliveryLog
  /** name of the Telegram bot, without `@`; null: there is no bot, or its name is not known yet */
  readonly botName: () => string | null
  /** wakes the sender: a delivery is due */
  readonly wake: () => void
}

const Url = z.string().max(URL_LENGTH)
const Watches = z.array(z.string().max(32)).min(1).max(WATCHES_LISTED).nullable()
const NewBody = z.strictObject({
  kind: z.enum(DESTINATION_KINDS),
  name: WatchName,
  url: Url.optional(),
  watches: Watches.optional(),
})
const ChangeBody = z.strictObject({
  name: WatchName.optional(),
  enabled: z.boolean().optional(),
  url: Url.optional(),
  watches: Watches.optional(),
})
const NUMBER = /^[1-9]\d{0,14}$/
const NO_DESTINATION = 'this account has no such destination'

const time = (date: Date): string => isoMicros(date.getTime() / 1_000)
const timeOrNull = (date: Date | null): string | null => date && time(date)

/** Secrets, and the secret part of an address, are left out. */
const destinationJson = (row: DestinationRow) => ({
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

function deliveryJson(row: DeliveryRow) {
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

interface DestinationRoutes {
  readonly services: DestinationServices
  readonly holder: (asked: AccountRequest) => Promise<AccountRow>
  readonly planOf: (account: AccountRow) => Plan
}

function found<T>(value: T | null, message = NO_DESTINATION): T {
  if (value === null) throw new Refusal('not_found', message)
  return value
}

function accepted<T extends { readonly ok: true }>(outcome: T | { readonly ok: false; readonly message: string }): T {
  if (!outcome.ok) throw new Refusal('invalid_request', outcome.message)
  return outcome as T
}

/** Adds the routes for the destinations of the signed-in account's alerts. */
export function addDestinationRoutes(path: AddPath, routes: DestinationRoutes): void {
  const { services, holder, planOf } = routes
  const { book } = services
  const linkJson = ({ code, expiresAt }: LinkCode) => {
    const bot = services.botName()
    return {
      code,
      expires_at: time(expiresAt),
      send: `/start ${code}`,
      bot,
      url: bot === null ? null : `https://t.me/${bot}?start=${code}`,
    }
  }

  path('/account/destinations', {
    async GET(asked) {
      return (await book.list((await holder(asked)).id)).map(destinationJson)
    },
    async POST(asked) {
      const account = await holder(asked)
      const made = accepted(await book.add(account.id, planOf(account), read(NewBody, asked)))
      const { destination, secret, link } = made
      return {
        ...destinationJson(destination),
        ...(secret !== null && { secret }),
        ...(link !== null && { link: linkJson(link) }),
      }
    },
  })

  path('/account/destinations/{id}', {
    async PATCH(asked) {
      const { id } = await holder(asked)
      const to = read(ChangeBody, asked)
      if (Object.keys(to).length === 0)
        throw new Refusal('invalid_request', 'the body: name, enabled, url or watches is needed')
      return destinationJson(accepted(found(await book.change(id, idOf(asked), to))).destination)
    },
    async DELETE(asked) {
      const { id } = await holder(asked)
      if (!(await book.remove(id, idOf(asked)))) throw new Refusal('not_found', NO_DESTINATION)
      return { deleted: true }
    },
  })

  path('/account/destinations/{id}/secret', {
    async POST(asked) {
      const { id } = await holder(asked)
      const rotated = found(await book.rotate(id, idOf(asked)), 'this account has no such webhook')
      return { secret: rotated.secret, previous_until: time(rotated.previousUntil) }
    },
  })

  path('/account/destinations/{id}/link', {
    async POST(asked) {
      const { id } = await holder(asked)
      return linkJson(found(await book.link(id, idOf(asked)), 'this account has no such Telegram destination'))
    },
  })

  addDeliveryRoutes(path, routes)
}

function addDeliveryRoutes(path: AddPath, { services: { log, wake }, holder }: DestinationRoutes): void {
  path('/account/destinations/{id}/test', {
    async POST(asked) {
      const { id } = await holder(asked)
      const { delivery } = accepted(found(await log.test(id, idOf(asked))))
      wake()
      return deliveryJson(delivery)
    },
  })

  path('/account/destinations/{id}/deliveries', {
    async GET(asked) {
      const { id } = await holder(asked)
      const { before } = queryOf(asked.search)
      const isNumber = typeof before === 'string' && NUMBER.test(before)
      if (before !== undefined && !isNumber)
        throw new Refusal('invalid_request', 'before must be the number of a delivery')
      const rows = found(await log.list(id, idOf(asked), isNumber ? Number(before) : null))
      return rows.map(deliveryJson)
    },
  })

  path('/account/destinations/{id}/deliveries/{number}/replay', {
    async POST(asked) {
      const { id } = await holder(asked)
      const number = asked.args[1]!
      const outcome = NUMBER.test(number) ? await log.replay(id, idOf(asked), Number(number)) : null
      const { delivery } = accepted(found(outcome, 'this account has no such delivery'))
      wake()
      return deliveryJson(delivery)
    },
  })
}
