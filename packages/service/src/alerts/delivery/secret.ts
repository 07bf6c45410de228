import { createHmac, randomBytes } from 'node:crypto'

/** bytes of a webhook's secret: the specification allows 24 to 64 */
const SECRET_BYTES = 32

/** Secrets and signatures follow the Standard Webhooks specification. */

export const makeSecret = (): Uint8Array => randomBytes(SECRET_BYTES)

/** The form that the owner keeps, `whsec_…`. */
export const secretText = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`

/** The bytes of a secret in its form; null: it is none. */
export function readSecret(text: string): Uint8Array | null {
  const bytes = Buffer.from(text.replace(/^whsec_/, ''), 'base64')
  return text.startsWith('whsec_') && bytes.length >= 24 && bytes.length <= 64 ? bytes : null
}

interface Signed {
  readonly id: string
  /** The time of the attempt, in Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

/** One signature for each secret, separated by blanks. */
export const signatures = ({ id, timestamp, body }: Signed, secrets: readonly Uint8Array[]): string =>
  secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ')
