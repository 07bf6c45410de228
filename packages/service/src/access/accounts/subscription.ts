import type { AccountRow } from '../sql/schema.ts'

/** 1 SOL for 30 days. */
export const SUBSCRIPTION = { lamports: 1_000_000_000, days: 30 } as const
const PERIOD_MS = SUBSCRIPTION.days * 86_400_000

/** Columns of an account that money changes. */
type Funds = Pick<AccountRow, 'balance_lamports' | 'paid_until'>

/**
 * Adds `lamports` to the balance and converts it into whole periods, from the end of the paid time or from now. A remainder
 * stays in the balance, and so does money for more than `periodsMax` periods ahead.
 */
export function extend(funds: Funds, lamports: number, nowMs: number, periodsMax: number): Funds {
  const balance = funds.balance_lamports + lamports
  const fromMs = Math.max(funds.paid_until?.getTime() ?? 0, nowMs)
  const room = Math.max(0, periodsMax - Math.ceil((fromMs - nowMs) / PERIOD_MS))
  const periods = Math.min(Math.floor(balance / SUBSCRIPTION.lamports), room)
  if (periods === 0) return { balance_lamports: balance, paid_until: funds.paid_until }
  return {
    balance_lamports: balance - periods * SUBSCRIPTION.lamports,
    paid_until: new Date(fromMs + periods * PERIOD_MS),
  }
}

/** Payment request for an account's subscription. */
export interface SubscriptionOffer {
  /** base58 */
  readonly pay_to: string
  readonly lamports: number
  readonly days: number
  /** account key that identifies the account's transactions */
  readonly reference: string
  /** the same as a Solana Pay transfer request */
  readonly url: string
}

const LABEL = 'Token Intelligence'
const SOL = SUBSCRIPTION.lamports / 1_000_000_000

export function offerTo({ reference }: Pick<AccountRow, 'reference'>, payTo: string): SubscriptionOffer {
  const message = `${SUBSCRIPTION.days} days of Pro`
  const query = `amount=${SOL}&reference=${reference}&label=${encodeURIComponent(LABEL)}&message=${encodeURIComponent(message)}`
  return { pay_to: payTo, ...SUBSCRIPTION, reference, url: `solana:${payTo}?${query}` }
}
