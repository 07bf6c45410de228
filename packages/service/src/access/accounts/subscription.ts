import type { AccountRow } from '../sql/schema.ts'

/** 1 SOL for 30 days. */
export const SUBSCRIPTION = { lamports: 1_000_000_000, days: 30 } as const
const PERIOD_MS = SUBSCRIPTION.days * 86_400_000

/** What money does to an account. */
type Funds = Pick<AccountRow, 'balance_lamports' | 'paid_until'>

/**
 * The balance and `lamports` more, turned into whole periods from the end of what is paid, or from now; what is less than
 * a period waits in the balance. At most `periodsMax` ahead of now: what is above stays in the balance, too.
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

/** What a wallet needs to pay for an account. */
export interface SubscriptionOffer {
  /** base58 */
  readonly pay_to: string
  readonly lamports: number
  readonly days: number
  /** account key that a transaction has to name to be found */
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
