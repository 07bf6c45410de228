import { NETWORK, NETWORK_V1 } from './network.ts'
import type { Receipt } from './types.ts'

/** The receipt of a payment that landed. */
export const paidReceipt = (payer: string, signature: string): Receipt => ({
  success: true,
  transaction: signature,
  network: NETWORK,
  payer,
})

/** The receipt of one that did not, or of which it is not known. */
export const failedReceipt = (payer: string, errorReason: string, signature = ''): Receipt => ({
  success: false,
  transaction: signature,
  network: NETWORK,
  payer,
  errorReason,
})

/** A receipt as the version of its payment names the network. */
export const receiptIn = (receipt: Receipt, version: 1 | 2): Receipt =>
  version === 1 ? { ...receipt, network: NETWORK_V1 } : receipt

/** Name and value of the header that carries a receipt back in the version of its payment. */
export function receiptHeader(receipt: Receipt, version: 1 | 2): readonly [name: string, value: string] {
  const name = version === 1 ? 'X-PAYMENT-RESPONSE' : 'PAYMENT-RESPONSE'
  return [name, Buffer.from(JSON.stringify(receiptIn(receipt, version))).toString('base64')]
}
