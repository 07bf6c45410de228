import { NETWORK } from '@ti/service/access/x402/network.ts'
import { encode, envelopeV1, envelopeV2, read } from '../support/payments-fixtures.ts'

/** One signed transaction in every form it can be sent in. */
export interface SignedPayment {
  /** base64 of the partially signed transaction */
  readonly transaction: string
  /** hex SHA-256 of the message */
  readonly hash: string
  readonly v1: object
  readonly v2: object
  readonly v1Text: string
  readonly v2Text: string
}

/** Who is paid, and who pays the network's fee. */
export interface Parties {
  readonly payTo: string
  readonly feePayer: string
}

export function formsOf(transaction: string, price: number, { payTo, feePayer }: Parties): SignedPayment {
  const v1 = envelopeV1(transaction)
  const v2 = envelopeV2(transaction, price, payTo, feePayer)
  let hash = ''
  try {
    hash = read(v1).hash
  } catch {
    // a transaction nobody should send has no hash of ours
  }
  return { transaction, hash, v1, v2, v1Text: encode(v1), v2Text: encode(v2) }
}

/** Headers of a payment in one version. */
export const inV2 = ({ v2Text }: SignedPayment): Record<string, string> => ({ 'PAYMENT-SIGNATURE': v2Text })
export const inV1 = ({ v1Text }: SignedPayment): Record<string, string> => ({ 'X-PAYMENT': v1Text })

/** A receipt as it is decoded. */
export interface Receipt {
  readonly success: boolean
  readonly transaction: string
  readonly network: string
  readonly payer: string
  readonly errorReason?: string
}

export const decode = <T>(base64: string): T => JSON.parse(Buffer.from(base64, 'base64').toString()) as T

/** The receipt of an answer, whichever header it came in; its network must be written as that version writes it. */
export function receiptIn(headers: ReadonlyMap<string, string>): Receipt | null {
  const [v2, v1] = [headers.get('payment-response'), headers.get('x-payment-response')]
  if (v1 !== undefined && v2 !== undefined) throw new Error('two receipts in one answer')
  const text = v2 ?? v1
  if (text === undefined) return null
  const receipt = decode<Receipt>(text)
  const network = v2 === undefined ? 'solana' : NETWORK
  if (receipt.network !== network) throw new Error(`a receipt for ${receipt.network}, not ${network}`)
  return receipt
}

/** Every copy of a value in which one leaf, or one branch, is another value. */
export function* mutants(value: unknown, other: unknown): Generator<unknown> {
  yield other
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    for (const changed of mutants(inner, other)) yield { ...value, [name]: changed }
  }
}

/** Asks a node. */
export async function rpc<T>(url: string, method: string, params: readonly unknown[] = []): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await answer.json()) as { result: T; error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
  return result
}
