import { readPaymentHeader, readPaymentObject } from '../../access/x402/payment.ts'
import type { PaymentRead } from '../../access/x402/types.ts'

/** What came as a payment with a tool call; at least one of the two is there. */
export interface Supplied {
  /** the `x_payment` argument: ours */
  readonly argument: unknown
  /** `_meta["x402/payment"]`: the standard's */
  readonly meta: unknown
}

/** The places of payments and receipts in `_meta`, by the x402 transport for MCP. */
export const PAYMENT_META = 'x402/payment'
export const RECEIPT_META = 'x402/payment-response'

export type Json = Record<string, unknown>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Takes the payment out of a message, so that nothing that handles, reports or logs the message can repeat it. */
export function takePayment(params: Json): Supplied | null {
  const argument = isObject(params.arguments) ? take(params.arguments, 'x_payment') : null
  const meta = isObject(params._meta) ? take(params._meta, PAYMENT_META) : null
  return argument === null && meta === null ? null : { argument, meta }
}

/** Null where there is nothing; models like to send an empty text for what is optional. */
function take(holder: Json, name: string): unknown {
  if (!Object.hasOwn(holder, name)) return null
  const value = holder[name]
  delete holder[name]
  return value === undefined || value === '' ? null : value
}

/** `conflict`: the two places hold different transactions. */
export function readSupplied({ argument, meta }: Supplied): PaymentRead | 'conflict' {
  if (argument === null) return readPaymentObject(meta)
  const read = readArgument(argument)
  if (meta === null) return read
  const other = readPaymentObject(meta)
  return read.ok && other.ok && read.payment.hash === other.payment.hash ? read : 'conflict'
}

function readArgument(argument: unknown): PaymentRead {
  if (typeof argument === 'string') return readPaymentHeader(argument)
  return { ok: false, reason: 'x_payment is not a text: it takes the base64 form of the payment' }
}
