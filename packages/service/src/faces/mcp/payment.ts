import type { Supplied, SuppliedRead } from '../../access/call.ts'
import { readPaymentHeader, readPaymentObject } from '../../access/x402/payment.ts'
import type { PaymentRead } from '../../access/x402/types.ts'

/** The fields for payments and receipts in `_meta`, from the x402 transport for MCP. */
const PAYMENT_META = 'x402/payment'
export const RECEIPT_META = 'x402/payment-response'

export type Json = Record<string, unknown>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Takes the payment out of a message, so that no code that handles, reports or logs the message can repeat it. */
export function takePayment(params: Json): Supplied | null {
  const argument = isObject(params.arguments) ? take(params.arguments, 'x_payment') : null
  const meta = isObject(params._meta) ? take(params._meta, PAYMENT_META) : null
  return argument === null && meta === null ? null : { read: () => readSupplied(argument, meta) }
}

/** Null if it is missing; models tend to send an empty text for an optional argument. */
function take(holder: Json, name: string): unknown {
  if (!Object.hasOwn(holder, name)) return null
  const value = holder[name]
  delete holder[name]
  return value === undefined || value === '' ? null : value
}

/** `argument`: our own `x_payment`; `meta`: the standard's field. At least one of them is present. */
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
