import { z } from 'zod'

/**
 * The scalar types the resources are made of. Units and bounds live here, so that a field says only what it means.
 * Schemas describe answers; they never refuse additional fields, because within /v1 fields are only ever added.
 */

/** RFC 3339 UTC with `Z` and microseconds */
export const dateTime = () => z.iso.datetime({ precision: 6 })

/** base58 of 32 bytes */
export const address = () => z.string().min(32).max(44)

/** percent, 0 to 100 */
export const pct = () => z.number().min(0).max(100)

/** share, 0 to 1 */
export const rate = () => z.number().min(0).max(1)

/** whole USD */
export const usd = () => z.int().min(0)

/** how many of something */
export const tally = () => z.int().min(0)

/** chain slot */
export const slot = () => z.int().min(0)

/** a condition counter of the signals: 24 paired conditions */
export const conditions = () => z.int().min(0).max(24)

export const text = () => z.string()
