import { PAYMENT } from '@ti/core/contract/resources.ts'

/** The one network, asset and scheme that payments are taken in, as the contract offers them. */

/** CAIP-2 name of Solana mainnet, as V2 envelopes say it */
export const NETWORK = PAYMENT.network.v2
/** the same network in V1 envelopes; V1 clients refuse the CAIP-2 name */
export const NETWORK_V1 = PAYMENT.network.v1
/** mint of USDC, 6 decimals, owned by the SPL Token program */
export const ASSET = PAYMENT.asset
/** the program whose instructions set limit and price of compute units */
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const SCHEME = PAYMENT.scheme
/** seconds; a clock for the client, the real limit is the life of the blockhash */
export const MAX_TIMEOUT_S = PAYMENT.maxTimeoutSeconds

/** The entry of a V2 offer that a payment must have accepted, and what a facilitator verifies and settles against. */
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
