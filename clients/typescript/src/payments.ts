import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client'

/** Payments per call with x402, by the official packages: `@x402/fetch` and `@x402/svm`, which are installed besides. */

type Signer = ConstructorParameters<typeof ExactSvmScheme>[0]

export interface PaymentOptions {
  /** a signer of `@solana/kit`, whose wallet holds USDC */
  readonly wallet: Signer
  /** left out: the main network */
  readonly network?: `${string}:${string}`
  /** of a node; left out: the public one */
  readonly rpcUrl?: string
  /** left out: $0.05 */
  readonly maxPerCall?: `$${string}`
  /** version of x402; left out: 2 */
  readonly version?: 1 | 2
  readonly fetch?: typeof fetch
}

const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
/** version 1 had short names; the type knows only the new ones */
const V1_NETWORK = 'solana' as typeof MAINNET

/** A `fetch` that pays what it is asked for, up to the limit. */
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

/** The official client prefers the offer of version 2, which stands in a header. */
const withoutV2Offer =
  (plain: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await plain(input, init)
    if (response.status !== 402) return response
    const headers = new Headers(response.headers)
    headers.delete('payment-required')
    return new Response(response.body, { status: 402, headers })
  }

/** The receipt of a payment; null where nothing was paid. */
export function receiptIn({
  headers,
}: Pick<Response, 'headers'>): ReturnType<typeof decodePaymentResponseHeader> | null {
  const receipt = headers.get('payment-response') ?? headers.get('x-payment-response')
  return receipt === null ? null : decodePaymentResponseHeader(receipt)
}
