import { PAYMENT } from '@ti/core/contract/resources.ts'

/** Network, asset and scheme of payments, from the contract. */

/** CAIP-2 name of Solana mainnet, for V2 envelopes */
export const NETWORK = PAYMENT.network.v2
/** the same network for V1 envelopes; V1 clients refuse the CAIP-2 name */
export const NETWORK_V1 = PAYMENT.network.v1
/** mint of USDC, 6 decimals, owned by the SPL Token program */
export const ASSET = PAYMENT.asset
/** program that sets limit and price of compute units */
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const SCHEME = PAYMENT.scheme
/** seconds for the client; the real limit is the life of the blockhash */
export const MAX_TIMEOUT_S = PAYMENT.maxTimeoutSeconds

/** The V2 offer's entry that a payment must have accepted; a facilitator verifies and settles against it. */
export interface Requirements {
  readonly scheme: typeof SCHEME
  readonly network: typeof NETWORK
  /** smallest units, digits only */
  readonly amount: string
  readonly asset: string
  /** the seller's wallet, not its token account */
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra: { readonly feePayer: string }
}

/** `amount` in smallest units. */
export const requirements = (payTo: string, feePayer: string, amount: number): Requirements => ({
  scheme: SCHEME,
  network: NETWORK,
  amount: String(amount),
  asset: ASSET,
  payTo,
  maxTimeoutSeconds: MAX_TIMEOUT_S,
  extra: { feePayer },
})
