import { NETWORKS, type Network } from './network.ts'
import type { Receipt } from './types.ts'

/** The receipt of a payment that landed. */
export const paidReceipt = ({ v2 }: Network, payer: string, signature: string): Receipt => ({
  success: true,
  transaction: signature,
  network: v2,
  payer,
})

/** The receipt of a payment that failed or is unknown. */
export const failedReceipt = ({ v2 }: Network, payer: string, errorReason: string, signature = ''): Receipt => ({
  success: false,
  transaction: signature,
  network: v2,
  payer,
  errorReason,
})

/** Names the network as the payment's version does. */
export const receiptIn = (receipt: Receipt, version: 1 | 2): Receipt =>
  version === 1 ? { ...receipt, network: NETWORKS.find(({ v2 }) => v2 === receipt.network)!.v1 } : receipt

/** Header of a receipt in the version of its payment. */
export function receiptHeader(receipt: Receipt, version: 1 | 2): readonly [name: string, value: string] {
  const name = version === 1 ? 'X-PAYMENT-RESPONSE' : 'PAYMENT-RESPONSE'
  return [name, Buffer.from(JSON.stringify(receiptIn(receipt, version))).toString('base64')]
}
