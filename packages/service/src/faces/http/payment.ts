import type { IncomingHttpHeaders } from 'node:http'
import type { Supplied, SuppliedRead } from '../../access/call.ts'
import { readPaymentHeader } from '../../access/x402/payment.ts'

/** Finds the payment in a request's headers: x402 V2, V1, or both. Null: there is none. */
export function suppliedIn(headers: IncomingHttpHeaders): Supplied | null {
  const v2 = one(headers['payment-signature'])
  const v1 = one(headers['x-payment'])
  return v1 === undefined && v2 === undefined ? null : { read: () => readHeaders(v2, v1) }
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value

function readHeaders(v2: string | undefined, v1: string | undefined): SuppliedRead {
  const read = readPaymentHeader(v2 ?? v1!)
  if (!read.ok || v2 === undefined || v1 === undefined) return { read, conflict: null }
  const other = readPaymentHeader(v1)
  return { read, conflict: other.ok && other.payment.hash !== read.payment.hash ? CONFLICT : null }
}

const CONFLICT = 'PAYMENT-SIGNATURE and X-PAYMENT carry different transactions: send one of them'
