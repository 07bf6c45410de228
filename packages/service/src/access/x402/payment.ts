import { base64Decode } from '@ti/core/base/base64.ts'
import { NETWORKS, SCHEME } from './network.ts'
import { readTransaction } from './transaction.ts'
import type { PaymentRead } from './types.ts'

/** bytes of a payment header before it is decoded; official ones have 1 to 1.5 kB, proxies pass about 8 kB */
export const PAYMENT_BYTES = 8_192

/** Parses hostile input; writes and queries nothing. */

const refuse = (reason: string): PaymentRead => ({ ok: false, reason })

type Fields = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const TOO_LARGE = `the payment is larger than ${PAYMENT_BYTES} bytes`

/** Parses the value of `PAYMENT-SIGNATURE`, `X-PAYMENT` or an `x_payment` argument: base64 of a V1 or V2 payload. */
export function readPaymentHeader(text: string): PaymentRead {
  if (text.length > PAYMENT_BYTES) return refuse(TOO_LARGE)
  const bytes = base64Decode(text)
  if (bytes === null || text === '') return refuse('the payment is not base64 (standard alphabet, padded)')
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return refuse('the payment is not base64 of JSON')
  }
  return readEnvelope(value)
}

/** Parses the same payload as a value (MCP's `_meta`), with the same size limit. */
export function readPaymentObject(value: unknown): PaymentRead {
  try {
    if (Buffer.byteLength(JSON.stringify(value) ?? '') > PAYMENT_BYTES) return refuse(TOO_LARGE)
  } catch {
    return refuse('the payment is not JSON')
  }
  return readEnvelope(value)
}

function readEnvelope(value: unknown): PaymentRead {
  if (!isObject(value)) return refuse('the payment is not a JSON object')
  const version = value.x402Version
  if (version !== 1 && version !== 2) return refuse('x402Version of the payment has to be 1 or 2')
  const { accepted, resource } = value
  if (version === 2 && !isObject(accepted)) return refuse('the payment has no `accepted`')
  const choice = version === 1 ? value : (accepted as Fields)
  const names = NETWORKS.map(({ v1, v2 }) => (version === 1 ? v1 : v2))
  if (choice.scheme !== SCHEME) return refuse(`the scheme of the payment has to be ${SCHEME}`)
  if (!names.some((name) => name === choice.network)) {
    return refuse(`the network of a V${version} payment has to be that of the offer, as ${names[0]} or ${names[1]}`)
  }
  const { payload } = value
  if (!isObject(payload) || typeof payload.transaction !== 'string') {
    return refuse('the payment has no `payload.transaction`')
  }
  const read = readTransaction(payload.transaction)
  if (!read.ok) return read
  const { network } = choice
  return {
    ok: true,
    payment: { version, network, hash: read.facts.hash, transaction: payload.transaction, accepted, resource },
  }
}
