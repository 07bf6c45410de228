import { isDeepStrictEqual } from 'node:util'
import { type Network, type Requirements, requirements } from './network.ts'
import type { PricedCall, Quote } from './types.ts'

/** Offers for a call, in both protocol versions. */
interface Offers {
  /** `problem`: why a payment was refused; absent: none was sent */
  quote(call: PricedCall, problem?: string): Quote
  /** null while the fee payer is not known */
  requirements(call: PricedCall): Requirements | null
}

const MIME_TYPE = 'application/json'

interface OffersOptions {
  readonly network: Network
  readonly payTo: string
  readonly feePayer: () => string | null
}

/** Offers nothing until `feePayer` is known from the facilitator. */
export function createOffers({ payTo, feePayer, network }: OffersOptions): Offers {
  function wanted(call: PricedCall): Requirements | null {
    const payer = feePayer()
    return payer === null ? null : requirements(payTo, payer, call.amount, network)
  }
  return {
    requirements: wanted,
    quote(call, problem) {
      const entry = wanted(call)
      return quoteOf(network, call, entry === null ? [] : [entry], problem)
    },
  }
}

function quoteOf(
  { v1 }: Network,
  call: PricedCall,
  entries: readonly Requirements[],
  problem = 'Payment required',
): Quote {
  const about = { description: call.description, mimeType: MIME_TYPE }
  const v2 = {
    x402Version: 2,
    error: problem,
    resource: { url: call.resource, ...about },
    accepts: entries,
    ...(call.extensions !== undefined && { extensions: call.extensions }),
  } as const
  return {
    accepts: entries.map(({ scheme, amount, asset, payTo, maxTimeoutSeconds, extra }) => ({
      scheme,
      network: v1,
      maxAmountRequired: amount,
      asset,
      payTo,
      resource: call.resource,
      ...about,
      maxTimeoutSeconds,
      extra,
    })),
    v2,
    header: Buffer.from(JSON.stringify(v2)).toString('base64'),
  }
}

/**
 * Compares a V2 client's accepted entry with ours. Every field of ours must be present and equal. Additional fields are
 * ignored, because only our own requirements are verified and settled.
 */
export function isOurOffer(accepted: unknown, ours: Requirements): boolean {
  const theirs = accepted as Readonly<Record<string, unknown>>
  const { extra, ...plain } = ours
  const theirExtra = (theirs.extra ?? {}) as Readonly<Record<string, unknown>>
  return (
    Object.entries(plain).every(([name, value]) => isDeepStrictEqual(theirs[name], value)) &&
    Object.entries(extra).every(([name, value]) => isDeepStrictEqual(theirExtra[name], value))
  )
}

/**
 * A V2 client may name what it pays for. Nothing on chain binds that, so a payment that names nothing is good for any call of its
 * price, but one that names another call was not meant for this one.
 */
export const isOurResource = (resource: unknown, { resource: ours }: PricedCall): boolean =>
  (resource ?? null) === null || (resource as { readonly url?: unknown }).url === ours
