import { z } from 'zod'
import { dateTime, text } from './scalars.ts'

export const Meta = z
  .object({
    cached_at: dateTime().describe('when this response was rendered'),
    request_id: text().describe('equals the X-Request-Id response header'),
  })
  .meta({ id: 'Meta' })
export type Meta = z.infer<typeof Meta>

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

/** The statuses an answer can have, and the code its error carries. */
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

const Accepts = z
  .object({
    scheme: z.literal('exact'),
    network: text().describe('V1 name of the chain: `solana`'),
    maxAmountRequired: text().describe('smallest units of the asset, as digits'),
    asset: text().describe('mint of the stablecoin'),
    payTo: text().describe('wallet of the seller'),
    resource: text().describe('the requested URL'),
    description: text(),
    mimeType: text(),
    maxTimeoutSeconds: z.int(),
    extra: z.object({ feePayer: text() }),
  })
  .meta({ id: 'PaymentOffer', description: 'One x402 (V1) offer.' })

/** The body of a 402: the x402 V1 offer with our error object beside it. */
export const PaymentRequired = z
  .object({ error: ApiError, x402Version: z.literal(1), accepts: z.array(Accepts) })
  .meta({ id: 'PaymentRequired' })
export type PaymentRequired = z.infer<typeof PaymentRequired>
