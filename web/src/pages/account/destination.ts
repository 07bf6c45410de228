import { type Refusal, refusalInWords } from '../../api/refusal.ts'

/** What `/account/destinations` answers, as far as the page shows it. */
export interface Destination {
  readonly id: string
  readonly kind: 'webhook' | 'telegram' | 'discord'
  readonly name: string
  readonly enabled: boolean
  readonly state: 'working' | 'failing' | 'disabled' | 'unlinked'
  /** without what opens something; null: no chat is linked yet */
  readonly address: string | null
  readonly failing_since: string | null
  readonly delivered_at: string | null
  /** why it was disabled, or what its owner should know */
  readonly notice: string | null
  /** alerts that did not find a place in its queue */
  readonly missed: number
}

export interface ChatLink {
  readonly code: string
  readonly expires_at: string
  readonly send: string
  readonly bot: string | null
  readonly url: string | null
}

/** The one answer that has the secret of a webhook, or the code of a chat. */
export interface NewDestination extends Destination {
  readonly secret?: string
  readonly link?: ChatLink
}

export interface NewSecret {
  readonly secret: string
  readonly previous_until: string
}

export interface Delivery {
  readonly number: number
  readonly event: string
  readonly title: string
  readonly state: 'waiting' | 'delivered' | 'failed'
  readonly attempts: number
  readonly status: number | null
  readonly error: string | null
  readonly attempted_at: string | null
  readonly next_at: string | null
  readonly created_at: string
}

export const DESTINATIONS = '/account/destinations'
/** what the service gives of the log in one answer, and takes as an address */
export const DELIVERIES_PAGE = 50
export const URL_LENGTH = 500

/** What became of a delivery, in words. */
export function deliveryInWords({ state, attempts, status, error }: Delivery): string {
  const tries = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  const why = error ?? (status === null ? null : `answer ${status}`)
  if (state === 'delivered') return status === null ? tries : `answer ${status}, ${tries}`
  if (state === 'failed') return [why, tries].filter((one) => one !== null).join(', ')
  return attempts === 0 ? 'on its way' : [why, tries, 'is tried again'].filter((one) => one !== null).join(', ')
}

/** Where a refusal belongs; null: to the whole of it. */
export function placeOf(refusal: Refusal): { readonly field: 'kind' | 'name' | 'url' | null; readonly text: string } {
  const text = refusalInWords(refusal)
  const found = refusal.status === 400 ? /^(kind|name|url): (.+)$/is.exec(text) : null
  if (found === null) return { field: null, text }
  const said = found[2]!
  return {
    field: found[1]!.toLowerCase() as 'kind' | 'name' | 'url',
    text: said.charAt(0).toUpperCase() + said.slice(1),
  }
}
