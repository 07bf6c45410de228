import { PAYMENT } from '@ti/core/contract/resources.ts'

/** A network on which payments are taken, and their asset there. */
export interface Network {
  /** CAIP-2 name, for V2 envelopes */
  readonly v2: `${string}:${string}`
  /** the name in V1 envelopes; V1 clients refuse the CAIP-2 name */
  readonly v1: string
  /** mint of USDC, 6 decimals, owned by the SPL Token program */
  readonly asset: string
}

/** Solana mainnet, from the contract. */
export const MAINNET: Network = { ...PAYMENT.network, asset: PAYMENT.asset }
/**
 * The network of play money bears the names of Solana devnet, which official clients know and where nothing has value: a wallet
 * with real money never signs for it.
 */
export const PLAY: Network = {
  v2: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  v1: 'solana-devnet',
  asset: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
}
export const NETWORKS = [MAINNET, PLAY] as const

/** program that sets limit and price of compute units */
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const SCHEME = PAYMENT.scheme
/** seconds for the client; the real limit is the life of the blockhash */
export const MAX_TIMEOUT_S = PAYMENT.maxTimeoutSeconds

/** The V2 offer's entry that a payment must have accepted; a facilitator verifies and settles against it. */
export interface Requirements {
  readonly scheme: typeof SCHEME
  readonly network: Network['v2']
  /** smallest units, digits only */
  readonly amount: string
  readonly asset: string
  /** the seller's wallet, not its token account */
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra: { readonly feePayer: string }
}

/** `amount` in smallest units. */
export const requirements = (
  payTo: string,
  feePayer: string,
  amount: number,
  network: Network = MAINNET,
): Requirements => ({
  scheme: SCHEME,
  network: network.v2,
  amount: String(amount),
  asset: network.asset,
  payTo,
  maxTimeoutSeconds: MAX_TIMEOUT_S,
  extra: { feePayer },
})
