import type { ApiKeyRow } from '../sql/schema.ts'
import type { Use } from './key-use.ts'

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

/** Matches the form of our ids. */
export const isKeyId = (id: string): boolean => /^key_[A-Za-z0-9_-]{12}$/.test(id)
