import type { Delivery, DestinationKind } from '@ti/core/contract/account.ts'
import { type Refusal, refusalInWords } from '../../api/refusal.ts'

export type {
  Delivery,
  Destination,
  DestinationKind,
  Link as ChatLink,
  MadeDestination as NewDestination,
  Secret as NewSecret,
} from '@ti/core/contract/account.ts'

/** `example`: of its address; null: a chat is linked to it by a code. */
interface Kind {
  readonly label: string
  readonly example: string | null
  readonly hasSecret: boolean
}

export const KINDS = {
  webhook: { label: 'Webhook', example: 'https://example.com/alerts', hasSecret: true },
  discord: { label: 'Discord', example: 'https://discord.com/api/webhooks/…', hasSecret: false },
  telegram: { label: 'Telegram', example: null, hasSecret: false },
} as const satisfies Readonly<Record<DestinationKind, Kind>>

export const DESTINATIONS = '/account/destinations'
/** deliveries in one answer of the service */
export const DELIVERIES_PAGE = 50
export const URL_LENGTH = 500
/** watches that a destination may list */
export const WATCHES_LISTED = 40

type Ids = readonly string[] | null
type Watches = readonly { readonly id: string }[] | null

/** Filters listed watches to those that still exist; `all` is null before it is loaded. */
export const liveOf = (listed: Ids, all: Watches): Ids =>
  listed === null || all === null ? listed : listed.filter((id) => all.some((watch) => watch.id === id))

export function watchesInWords(listed: Ids, all: Watches): string {
  const live = liveOf(listed, all)
  if (live === null) return 'alerts of all watches'
  return `alerts of ${live.length} ${live.length === 1 ? 'watch' : 'watches'}`
}

export function deliveryInWords({ state, attempts, status, error }: Delivery): string {
  const tries = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  const why = error ?? (status === null ? null : `answer ${status}`)
  if (state === 'delivered') return status === null ? tries : `answer ${status}, ${tries}`
  if (state === 'failed') return [why, tries].filter((one) => one !== null).join(', ')
  return attempts === 0 ? 'on its way' : [why, tries, 'will be retried'].filter((one) => one !== null).join(', ')
}

/** A problem and its field; null: the form as a whole. */
export interface FieldProblem {
  readonly field: 'kind' | 'name' | 'url' | 'watches' | null
  readonly text: string
}

/** Checks the form before it is sent. */
export function destinationProblem(name: string, watches: Ids): FieldProblem | null {
  if (name.trim() === '') return { field: 'name', text: 'Name it first: what receives the alerts?' }
  return watches?.length === 0 ? { field: 'watches', text: 'Choose at least one watch.' } : null
}

/** Maps a refusal to the field that it concerns. */
export function placeOf(refusal: Refusal): FieldProblem {
  const text = refusalInWords(refusal)
  const found = refusal.status === 400 ? /^(kind|name|url|watches): (.+)$/is.exec(text) : null
  if (found === null) return { field: null, text }
  const said = found[2]!
  return {
    field: found[1]!.toLowerCase() as FieldProblem['field'],
    text: said.charAt(0).toUpperCase() + said.slice(1),
  }
}
