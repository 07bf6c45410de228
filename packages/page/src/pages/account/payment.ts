import type { Account, Offer } from './account.ts'

/** State of a pending payment. */
export type Sight =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'part'; readonly received: number; readonly missing: number }
  | { readonly kind: 'paid'; readonly until: string; readonly over: number }
  /** the payment arrived, but the account is already paid as far ahead as allowed */
  | { readonly kind: 'kept'; readonly balance: number }

/** Account at the start of the wait. */
export type Before = Pick<Account, 'paid_until' | 'balance_lamports'>

/** Compares the account with `before`: payments add up until they buy a period. */
export function sightOf(before: Before, now: Account, offer: Offer): Sight {
  const { paid_until: until, balance_lamports: balance } = now
  const bought = until !== null && (before.paid_until === null || Date.parse(until) > Date.parse(before.paid_until))
  if (bought) return { kind: 'paid', until, over: balance }
  if (balance >= offer.lamports) return { kind: 'kept', balance }
  if (balance > 0) return { kind: 'part', received: balance, missing: offer.lamports - balance }
  return { kind: 'nothing' }
}

/** Lamports still due for one period. */
export const amountDue = (offer: Offer, balance: number): number =>
  balance > 0 && balance < offer.lamports ? offer.lamports - balance : offer.lamports

/** Puts another amount into the service's payment request. Returns null unless it is a Solana Pay URL. */
export function payLink(offer: Offer, amount: string): string | null {
  const [scheme, rest = ''] = [offer.url.slice(0, 7), offer.url.slice(7)]
  if (scheme !== 'solana:' || !rest.startsWith(`${offer.pay_to}?`)) return null
  const query = rest.slice(offer.pay_to.length + 1).split('&')
  const asked = query.map((part) => (part.startsWith('amount=') ? `amount=${amount}` : part))
  return `solana:${offer.pay_to}?${asked.join('&')}`
}

/** polling intervals, and the times after which polling slows down and stops, in milliseconds */
export const PACE = { briskMs: 5_000, slowMs: 20_000, slowAfterMs: 600_000, endAfterMs: 3_600_000 } as const

/** Polling interval; null: stopped. Well below the account's rate limit per address. */
export function paceAt(waitedMs: number): number | null {
  if (waitedMs >= PACE.endAfterMs) return null
  return waitedMs >= PACE.slowAfterMs ? PACE.slowMs : PACE.briskMs
}

const DEFAULT_URL = 'http://127.0.0.1:4000'

/** Command that pays with play money, in a checkout of the service. */
export function sandboxCommand({ reference }: Offer, amount: string, publicUrl: string): string {
  const part = amount === '1' ? '' : ` --sol ${amount}`
  const where = publicUrl === DEFAULT_URL ? '' : ` --url ${publicUrl}`
  return `npm run demo:pay -- --subscribe ${reference}${part}${where}`
}
