import type { DestinationKind } from '../../access/sql/schema.ts'
import { LIMITS } from '../../config/limits.ts'
import type { Poster } from '../../observe/outbound/outbound.ts'
import { refusalWords } from './outcome.ts'

/** What is stored of a URL, or why it is refused. */
export type Checked = { readonly ok: true; readonly address: string } | { readonly ok: false; readonly message: string }

const refuse = (message: string): Checked => ({ ok: false, message: `url: ${message}` })

/** A name without an address may get one: only what is certain to be refused is refused now. */
const PASSING = new Set(['dns', 'busy', 'closed', 'timeout'])

/** Where a webhook goes: over https, to an address on the public internet. */
export async function checkWebhook(url: string, outbound: Pick<Poster, 'refusalOf'>): Promise<Checked> {
  if (url.length > LIMITS.delivery.urlLength || !URL.canParse(url) || new URL(url).protocol !== 'https:') {
    return refuse(`an https address of at most ${LIMITS.delivery.urlLength} characters is needed`)
  }
  const reason = await outbound.refusalOf(url)
  return reason === null || PASSING.has(reason)
    ? { ok: true, address: new URL(url).href }
    : refuse(refusalWords(reason))
}

const DISCORD =
  /^https:\/\/(?:(?:canary|ptb)\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{15,22})\/([\w-]{50,120})(?:\?thread_id=(\d{15,22}))?$/

/** `id/token`, and the thread where there is one: a Discord webhook goes to Discord and nowhere else. */
export function checkDiscord(url: string): Checked {
  const [, id, token, thread] = DISCORD.exec(url) ?? []
  if (id === undefined) return refuse('a webhook of Discord is needed: https://discord.com/api/webhooks/ID/TOKEN')
  return { ok: true, address: `${id}/${token}${thread === undefined ? '' : `?thread_id=${thread}`}` }
}

/** What may be shown of an address again: tokens in it open something. */
export function shownAddress(kind: DestinationKind, address: string): string {
  if (kind === 'discord') return `https://discord.com/api/webhooks/${address.split('/', 1)[0]}/…`
  if (kind === 'telegram') return address
  const { origin, pathname, search } = new URL(address)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}
