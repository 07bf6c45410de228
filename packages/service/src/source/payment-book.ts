import type { Key } from '@ti/core/base/ids.ts'
import type { FirstPayment } from './first-payments.ts'

/** A first payment that waits until its wallet trades. */
export interface SeenPayment extends FirstPayment {
  readonly slot: number
}

export interface PaymentBounds {
  /** payments that wait, and of those the payments of one sender */
  readonly most: number
  readonly mostOfOne: number
  /** payments kept of one block, the largest ones */
  readonly mostOfBlock: number
}

/** First payments to wallets that were not seen on a launchpad yet; what does not fit is counted, the oldest go first. */
export function createPaymentBook({ most, mostOfOne, mostOfBlock }: PaymentBounds) {
  const waiting = new Map<Key, SeenPayment>()
  const ofFunder = new Map<Key, number>()
  let forgotten = 0

  function remove(payment: SeenPayment): void {
    waiting.delete(payment.wallet)
    const left = ofFunder.get(payment.funder)! - 1
    if (left === 0) ofFunder.delete(payment.funder)
    else ofFunder.set(payment.funder, left)
  }

  function keep(payment: SeenPayment): boolean {
    const { wallet, funder } = payment
    const count = ofFunder.get(funder) ?? 0
    if (count >= mostOfOne) return false
    waiting.set(wallet, payment)
    ofFunder.set(funder, count + 1)
    if (waiting.size <= most) return true
    for (const oldest of waiting.values()) {
      remove(oldest)
      break
    }
    forgotten++
    return true
  }

  return {
    has: (wallet: Key): boolean => waiting.has(wallet),
    /** adds the payments of one block; returns how many were dropped because the block or a sender had too many */
    add(payments: readonly SeenPayment[]): number {
      // a wallet that is to trade receives more than dust
      const largest =
        payments.length <= mostOfBlock
          ? payments
          : [...payments].sort((a, b) => b.lamports - a.lamports).slice(0, mostOfBlock)
      let dropped = payments.length - largest.length
      for (const payment of largest) if (!keep(payment)) dropped++
      return dropped
    },
    /** undefined: none was seen; afterwards it is forgotten */
    take(wallet: Key): SeenPayment | undefined {
      const payment = waiting.get(wallet)
      if (payment !== undefined) remove(payment)
      return payment
    },
    get size(): number {
      return waiting.size
    },
    /** number of payments dropped for newer ones */
    get forgotten(): number {
      return forgotten
    },
  }
}
