import type { ApiKeyRow } from '../sql/schema.ts'
import type { Use } from './key-use.ts'

/** characters of a key's name, and days until a key expires at most */
export const KEY_NAME_LENGTH = 100
export const KEY_DAYS = 3_650

/** A key as its owner sees it, without the key itself. */
export interface KeyInfo {
  readonly id: string
  readonly name: string
  readonly state: 'live' | 'revoked' | 'expired'
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** number of calls, and time of the last */
  readonly calls: number
  readonly lastUsedAt: Date | null
}

/** `pending`: use that is not written to the row yet. */
export function keyInfo(row: ApiKeyRow, nowMs: number, pending: Use | null = null): KeyInfo {
  const { id, name, created_at: createdAt, expires_at: expiresAt, revoked_at: revokedAt } = row
  const expired = expiresAt !== null && expiresAt.getTime() <= nowMs
  return {
    id,
    name,
    state: revokedAt !== null ? 'revoked' : expired ? 'expired' : 'live',
    createdAt,
    expiresAt,
    revokedAt,
    calls: row.calls + (pending?.calls ?? 0),
    lastUsedAt: pending === null ? row.last_used_at : new Date(pending.lastMs),
  }
}

/** control characters, lone surrogates, line separators, and marks that change the direction of text */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** 1 to KEY_NAME_LENGTH characters that print on one line. */
export const isKeyName = (name: string): boolean =>
  name.trim() !== '' && name.length <= KEY_NAME_LENGTH && !UNPRINTABLE.test(name)

export const KEY_NAME_RULE = `a name has 1 to ${KEY_NAME_LENGTH} characters and no control characters`

/** Matches the form of our ids. */
export const isKeyId = (id: string): boolean => /^key_[A-Za-z0-9_-]{12}$/.test(id)
