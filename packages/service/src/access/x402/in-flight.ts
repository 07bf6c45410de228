import type { InFlightBound } from '../../base/in-flight.ts'

export const PAYMENTS_IN_FLIGHT = {
  /** payments worked on at once: by all, by one payer, from one address; an agent in a hurry sends some twenty */
  all: 256,
  payer: 32,
  address: 64,
  /** payments of wallets that never paid: a quarter of all, and fewer than the 100 accounts that a node gives in one answer */
  strangers: 64,
}

/** Payments in flight are bounded in all, by payer, by address, and for payers who have not paid before. */
export function paymentBounds(payer: string, address: string, isStranger: boolean): InFlightBound[] {
  const bounds = [
    { subject: 'all', most: PAYMENTS_IN_FLIGHT.all },
    { subject: `payer ${payer}`, most: PAYMENTS_IN_FLIGHT.payer },
    { subject: `address ${address}`, most: PAYMENTS_IN_FLIGHT.address },
  ]
  if (isStranger) bounds.push({ subject: 'strangers', most: PAYMENTS_IN_FLIGHT.strangers })
  return bounds
}
