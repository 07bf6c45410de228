import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client'

/** Payments per call with x402, by the official packages `@x402/fetch` and `@x402/svm`, which have to be installed too. */

type Signer = ConstructorParameters<typeof ExactSvmScheme>[0]

export interface PaymentOptions {
  /** A signer of `@solana/kit` whose wallet holds USDC. */
  readonly wallet: Signer
  /** The default is the main network. */
  readonly network?: `${string}:${string}`
  /** The address of an RPC node. The default is the public one. */
  readonly rpcUrl?: string
  /** The default is $0.05. */
  readonly maxPerCall?: `$${string}`
  /** The version of x402. The default is 2. */
  readonly version?: 1 | 2
  readonly fetch?: typeof fetch
}

const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
/** Version 1 had short names; the type has only the new ones. */
const V1_NETWORK = 'solana' as typeof MAINNET

/** A `fetch` that pays the price asked, up to the limit. */
export function payingFetch({
  wallet,
  network = MAINNET,
  rpcUrl,
  maxPerCall = '$0.05',
  version = 2,
  fetch: plain = fetch,
}: PaymentOptions): typeof fetch {
  const config = rpcUrl === undefined ? {} : { rpcUrl }
  const scheme =
    version === 2
      ? { network, client: new ExactSvmScheme(wallet, config) }
      : { network: V1_NETWORK, client: new ExactSvmSchemeV1(wallet, config), x402Version: 1 }
  const client = x402Client.fromConfig({ schemes: [scheme], spendControls: { maxAmountPerPayment: maxPerCall } })
  return wrapFetchWithPayment(version === 2 ? plain : withoutV2Offer(plain), client) as typeof fetch
}

/** The official client prefers the offer of version 2, so its header is removed. */
const withoutV2Offer =
  (plain: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await plain(input, init)
    if (response.status !== 402) return response
    const headers = new Headers(response.headers)
    headers.delete('payment-required')
    return new Response(response.body, { status: 402, headers })
  }

/** The receipt of a payment, or null if the call was not paid. */
export function receiptIn({
  headers,
}: Pick<Response, 'headers'>): ReturnType<typeof decodePaymentResponseHeader> | null {
  const receipt = headers.get('payment-response') ?? headers.get('x-payment-response')
  return receipt === null ? null : decodePaymentResponseHeader(receipt)
}
