import { z } from 'zod'
import { dateTime, slot, text } from './scalars.ts'

export const Meta = z
  .object({
    cached_at: dateTime().describe('time of the block that this response was read after'),
    request_id: text().describe('equals the X-Request-Id response header'),
  })
  .meta({ id: 'Meta' })
export type Meta = z.infer<typeof Meta>

/** Meta of operations beyond the nine, which also set the header `X-Slot`. */
export const SlotMeta = z
  .object({ ...Meta.shape, slot: slot().describe('newest block in this response') })
  .meta({ id: 'SlotMeta' })

export const Page = z
  .object({
    limit: z.int().min(1).describe('page size applied after clamping to the maximum'),
    offset: z.int().min(0).describe('rows skipped'),
    returned: z.int().min(0).describe('rows in this page'),
  })
  .meta({ id: 'Page' })
export type Page = z.infer<typeof Page>

export const ERROR_CODES = ['bad_request', 'not_found', 'payment_required', 'rate_limited', 'internal_error'] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** The possible statuses, and the error code of each. */
export const STATUS_CODE = {
  400: 'bad_request',
  402: 'payment_required',
  404: 'not_found',
  405: 'bad_request',
  413: 'bad_request',
  414: 'bad_request',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'internal_error',
} as const satisfies Record<number, ErrorCode>
export type ErrorStatus = keyof typeof STATUS_CODE

const ApiError = z
  .object({
    code: z.enum(ERROR_CODES).describe('stable'),
    message: text().describe('human-readable; may change'),
    request_id: text().describe('equals the X-Request-Id response header'),
    retry_after: z.int().min(0).optional().describe('seconds until the window resets; present on `rate_limited`'),
    upgrade_url: text().optional().describe('where to subscribe; present on `payment_required`'),
  })
  .meta({ id: 'Error' })

export const ErrorEnvelope = z.object({ error: ApiError }).meta({ id: 'ErrorEnvelope' })
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>

/** The currency of offers: USDC on Solana mainnet, with x402's scheme `exact`. */
export const PAYMENT = {
  scheme: 'exact',
  /** The chain's names in x402 V1, and in V2 as CAIP-2. */
  network: { v1: 'solana', v2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
  /** Mint. */
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  symbol: 'USDC',
  decimals: 6,
  /** Seconds for which an offer is valid. */
  maxTimeoutSeconds: 60,
} as const

const units = () => z.string().regex(/^\d+$/).describe('smallest units of the asset, as digits')
const asset = () => text().describe('mint of the stablecoin')
const payTo = () => text().describe('wallet of the seller, not its token account')
const maxTimeoutSeconds = () => z.int().describe('seconds the offer stands')
const feePayer = () => text().describe('who pays the network fee; the payer needs no SOL')

const Accepts = z
  .object({
    scheme: z.literal(PAYMENT.scheme),
    network: text().describe(`V1 name of the chain: \`${PAYMENT.network.v1}\``),
    maxAmountRequired: units(),
    asset: asset(),
    payTo: payTo(),
    resource: text().describe('the requested URL'),
    description: text(),
    mimeType: text(),
    maxTimeoutSeconds: maxTimeoutSeconds(),
    extra: z.object({ feePayer: feePayer() }),
  })
  .meta({ id: 'PaymentOffer', description: 'One x402 (V1) offer.' })

/** The body of a 402: the x402 V1 offer together with our error object. */
export const PaymentRequired = z
  .object({ error: ApiError, x402Version: z.literal(1), accepts: z.array(Accepts) })
  .meta({ id: 'PaymentRequired' })
export type PaymentRequired = z.infer<typeof PaymentRequired>

// V2 shapes are loose, because they belong to another protocol, which may add fields.
export const PaymentOfferV2 = z
  .looseObject({
    scheme: z.literal(PAYMENT.scheme),
    network: text().describe(`CAIP-2 name of the chain: \`${PAYMENT.network.v2}\``),
    amount: units(),
    asset: asset(),
    payTo: payTo(),
    maxTimeoutSeconds: maxTimeoutSeconds(),
    extra: z.looseObject({ feePayer: feePayer() }),
  })
  .meta({ id: 'PaymentOfferV2', description: 'One x402 (V2) offer.' })
export type PaymentOfferV2 = z.infer<typeof PaymentOfferV2>

/** The x402 V2 offer: base64 JSON in the `PAYMENT-REQUIRED` header of a 402, and the answer of an unpaid tool call. */
export const PaymentRequiredV2 = z
  .looseObject({
    x402Version: z.literal(2),
    error: text().describe('why a payment is asked for, in words'),
    resource: z.looseObject({
      url: text().describe('what is paid for: the requested URL, or `mcp://tool/…`'),
      description: text(),
      mimeType: text(),
    }),
    accepts: z.array(PaymentOfferV2),
  })
  .meta({ id: 'PaymentRequiredV2' })
export type PaymentRequiredV2 = z.infer<typeof PaymentRequiredV2>

/** The result of a payment: base64 JSON in `PAYMENT-RESPONSE` (V2) or `X-PAYMENT-RESPONSE` (V1). */
export const PaymentReceipt = z
  .looseObject({
    success: z.boolean(),
    transaction: text().describe('signature of the transfer; empty where none is known'),
    network: text().describe('name of the chain in the version of the payment'),
    payer: text().describe('wallet that paid'),
    errorReason: text().optional().describe('stable name of the reason, where `success` is false'),
  })
  .meta({ id: 'PaymentReceipt' })
export type PaymentReceipt = z.infer<typeof PaymentReceipt>
