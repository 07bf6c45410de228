import type { InFlightBound } from '../../base/in-flight.ts'
import { LIMITS } from '../../config/limits.ts'

/** Payments in flight are bounded in all, by payer, by address, and for payers who have not paid before. */
export function paymentBounds(payer: string, address: string, isStranger: boolean): InFlightBound[] {
  const bounds = [
    { subject: 'all', most: LIMITS.paymentsInFlight },
    { subject: `payer ${payer}`, most: LIMITS.paymentsInFlightPayer },
    { subject: `address ${address}`, most: LIMITS.paymentsInFlightAddress },
  ]
  if (isStranger) bounds.push({ subject: 'strangers', most: LIMITS.strangersInFlight })
  return bounds
}
