import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client'

/** Payments per call with x402, by the official packages `@x402/fetch` and `@x402/svm`, which have to be installed too. */

type Signer = ConstructorParameters<typeof ExactSvmScheme>[0]

/** The header of a payment, with its name. */
export type Payment = readonly [name: string, value: string]

export interface PaymentOptions {
  /** A signer of `@solana/kit` whose wallet holds USDC. */
  readonly wallet: Signer
  /** The default is the main network; a sandbox names its own in `/.well-known/x402`. */
  readonly network?: `${string}:${string}`
  /** The address of an RPC node. The default is the public one. */
  readonly rpcUrl?: string
  /** The default is $0.05. */
  readonly maxPerCall?: `$${string}`
  /** The most that is ever paid in all. There is no limit without it. */
  readonly maxTotal?: `$${string}`
  /**
   * Where payments are kept by request, from before they are sent until they are answered. With one on disk, a program that was
   * killed and starts again does not pay twice. The default is in memory.
   */
  readonly payments?: Pick<Map<string, Payment>, 'get' | 'set' | 'delete'>
  /** The version of x402. The default is 2. */
  readonly version?: 1 | 2
  readonly fetch?: typeof fetch
}

const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
/** Version 1 had short names; the type has only the new ones. */
const nameInV1 = (network: string) => (network === MAINNET ? 'solana' : 'solana-devnet') as typeof MAINNET

const UNITS_PER_USD = 1_000_000

/**
 * A `fetch` that pays the price asked, up to the limits. A call with a key is never paid for: a key that is refused is an
 * error. If a request with a payment or its answer is lost, the next call for the same goes out with the same payment,
 * which is charged at most once and brings the same answer within an hour.
 */
export function payingFetch({
  wallet,
  network = MAINNET,
  rpcUrl,
  maxPerCall = '$0.05',
  maxTotal,
  payments = new Map(),
  version = 2,
  fetch: plain = fetch,
}: PaymentOptions): typeof fetch {
  const config = rpcUrl === undefined ? {} : { rpcUrl }
  const scheme =
    version === 2
      ? { network, client: new ExactSvmScheme(wallet, config) }
      : { network: nameInV1(network), client: new ExactSvmSchemeV1(wallet, config), x402Version: 1 }
  const client = x402Client.fromConfig({ schemes: [scheme], spendControls: { maxAmountPerPayment: maxPerCall } })
  if (maxTotal !== undefined) limitTotal(client, Number(maxTotal.slice(1)) * UNITS_PER_USD)
  const repeating = repeatingLost(plain, payments)
  const paying = wrapFetchWithPayment(version === 2 ? repeating : withoutV2Offer(repeating), client)
  return (async (input, init) => {
    const request = new Request(input, init)
    return request.headers.has('authorization') ? plain(request) : paying(request)
  }) as typeof fetch
}

/** Counts payments when they are signed: one that is not settled counts too, because it still could be. */
function limitTotal(client: x402Client, most: number): void {
  let spent = 0
  client.onBeforePaymentCreation(async ({ selectedRequirements }) => {
    // version 1 has another name for it, which the type leaves out
    const { amount, maxAmountRequired } = selectedRequirements as { amount?: string; maxAmountRequired?: string }
    const price = Number(amount ?? maxAmountRequired)
    if (!(spent + price <= most)) return { abort: true, reason: `$${spent / UNITS_PER_USD} of the total is spent` }
    spent += price
  })
}

const PAYMENT = ['payment-signature', 'x-payment'] as const
/** Payments kept in a Map. Their signatures are too old for the chain after some two minutes. */
const MOST = 100

/** Sends a payment whose answer was lost again, with the next request for the same, until it is answered. */
function repeatingLost(plain: typeof fetch, kept: NonNullable<PaymentOptions['payments']>): typeof fetch {
  /** on their way: another call for the same pays for itself */
  const flying = new Set<string>()
  return async (input, init) => {
    const request = new Request(input, init)
    const asked = `${request.method} ${request.url} ${await request.clone().text()}`
    const own = PAYMENT.flatMap((name): Payment[] => {
      const value = request.headers.get(name)
      return value === null ? [] : [[name, value]]
    })[0]
    const lost = kept.get(asked)
    const payment = own ?? (lost !== undefined && !flying.has(lost[1]) ? lost : undefined)
    if (payment === undefined) return plain(request)
    request.headers.set(...payment)
    kept.set(asked, payment)
    flying.add(payment[1])
    let isOver = false
    try {
      const response = await plain(request)
      // the body may be lost as well
      const body = await response.arrayBuffer()
      const { status, headers } = response
      isOver = status < 500 && status !== 429
      return new Response(body, { status, headers })
    } finally {
      flying.delete(payment[1])
      if (!isOver) kept.set(asked, payment)
      else if (kept.get(asked)?.[1] === payment[1]) kept.delete(asked)
      if (kept instanceof Map && kept.size > MOST) kept.delete(kept.keys().next().value!)
    }
  }
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
