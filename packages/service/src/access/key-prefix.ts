import type { PaymentMode } from '../config/options.ts'

/** A key is its prefix and 32 random bytes in base64url. Both prefixes have the same length. */
export const KEY_PREFIX = 'sk_live_'
/** The prefix of keys made where money is play money: no other service takes them. */
export const PLAY_PREFIX = 'sk_test_'

export const keyPrefix = (mode: PaymentMode): string => (mode === 'sandbox' ? PLAY_PREFIX : KEY_PREFIX)
