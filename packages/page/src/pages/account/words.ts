import type { Refusal } from '../../api/refusal.ts'

/** The session has ended, so the page shows the sign-in again. */
export const isSignedOut = ({ error }: Refusal): boolean => error.reason === 'not_signed_in'

/**
 * The address at which the page has to be opened instead, where it is not the service's own: sign-in is refused from
 * any other, and wallets compare the two. The service names its own in `publicUrl`, or with its refusal.
 */
export function rightAddress(here: string, publicUrl: string | null, named: string | null): string | null {
  const own = publicUrl ?? named ?? ''
  if (!URL.canParse(own)) return null
  const { origin, protocol, href } = new URL(own)
  return origin === here || !/^https?:$/.test(protocol) ? null : `${href.replace(/\/$/, '')}/account`
}
