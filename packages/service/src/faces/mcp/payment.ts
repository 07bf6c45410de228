import type { Supplied, SuppliedRead } from '../../access/call.ts'
import { readPaymentHeader, readPaymentObject } from '../../access/x402/payment.ts'
import type { PaymentRead } from '../../access/x402/types.ts'

/** The places of payments and receipts in `_meta`, by the x402 transport for MCP. */
const PAYMENT_META = 'x402/payment'
export const RECEIPT_META = 'x402/payment-response'

export type Json = Record<string, unknown>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Takes the payment out of a message, so that nothing that handles, reports or logs the message can repeat it. */
export function takePayment(params: Json): Supplied | null {
  const argument = isObject(params.arguments) ? take(params.arguments, 'x_payment') : null
  const meta = isObject(params._meta) ? take(params._meta, PAYMENT_META) : null
  return argument === null && meta === null ? null : { read: () => readSupplied(argument, meta) }
}

/** Null where there is nothing; models like to send an empty text for what is optional. */
function take(holder: Json, name: string): unknown {
  if (!Object.hasOwn(holder, name)) return null
  const value = holder[name]
  delete holder[name]
  return value === undefined || value === '' ? null : value
}

/** `argument`: `x_payment`, which is ours; `meta`: the standard's. One of them is there at least. */
function readSupplied(argument: unknown, meta: unknown): SuppliedRead {
  const read = argument === null ? readPaymentObject(meta) : readArgument(argument)
  if (argument === null || meta === null) return { read, conflict: null }
  const other = readPaymentObject(meta)
  const same = read.ok && other.ok && read.payment.hash === other.payment.hash
  return same ? { read, conflict: null } : { read: null, conflict: CONFLICT }
}

const CONFLICT = 'x_payment and _meta["x402/payment"] carry different payments: send one of them'

function readArgument(argument: unknown): PaymentRead {
  if (typeof argument === 'string') return readPaymentHeader(argument)
  return { ok: false, reason: 'x_payment must be a string: the payment in base64' }
}
