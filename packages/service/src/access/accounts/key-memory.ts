import type { KeyRow } from './key-reader.ts'

/** pro: paid for or granted, at this moment. */
export type Plan = 'pro' | 'free'

export type KeyCheck =
  | { readonly ok: true; readonly id: string; readonly account: string; readonly plan: Plan }
  | { readonly ok: false; readonly reason: 'absent' | 'malformed' | 'unknown' | 'revoked' | 'expired' }
  /** the database does not answer, so the key cannot be checked */
  | { readonly ok: false; readonly reason: 'unreadable' }

/** bytes of a SHA-256 digest */
export const DIGEST_BYTES = 32

/** A key in memory, with everything that decides about it except the time. */
interface StoredKey {
  readonly digest: Buffer
  readonly revoked: boolean
  /** Unix milliseconds; Infinity: never */
  readonly expiresMs: number
  /** end of Pro in Unix milliseconds; Infinity if granted */
  readonly proUntilMs: number
  readonly pro: KeyCheck
  readonly free: KeyCheck
}

export interface Verdict {
  readonly found: KeyCheck
  /** time at which the verdict may change, Unix milliseconds */
  readonly untilMs: number
}

const refused = (reason: 'unknown' | 'revoked' | 'expired'): Verdict => ({
  found: { ok: false, reason },
  untilMs: Number.POSITIVE_INFINITY,
})
const REVOKED = refused('revoked')
const EXPIRED = refused('expired')
const UNKNOWN = refused('unknown')

/** Judges a key at a moment. */
export function verdict(key: StoredKey, nowMs: number): Verdict {
  if (key.revoked) return REVOKED
  if (nowMs >= key.expiresMs) return EXPIRED
  const onPro = nowMs < key.proUntilMs
  return onPro
    ? { found: key.pro, untilMs: Math.min(key.expiresMs, key.proUntilMs) }
    : { found: key.free, untilMs: key.expiresMs }
}

/** Keys by digest (latin-1), at most `bound`. */
export type KeyMemory = ReturnType<typeof createKeyMemory>

/** milliseconds between two searches for dead keys */
const SEARCH_EVERY_MS = 10_000

/**
 * A full memory evicts revoked and expired keys, which are then refused as unknown. Further keys are refused as unknown until a
 * later read finds room for them.
 */
export function createKeyMemory(bound: number) {
  const byDigest = new Map<string, StoredKey>()
  const leftOut = new Set<string>()
  let searchedMs = Number.NEGATIVE_INFINITY

  const dead = (key: StoredKey, nowMs: number): boolean => key.revoked || nowMs >= key.expiresMs

  function hasRoom(nowMs: number): boolean {
    if (byDigest.size >= bound && nowMs - searchedMs >= SEARCH_EVERY_MS) {
      searchedMs = nowMs
      for (const [digest, key] of byDigest) if (dead(key, nowMs)) byDigest.delete(digest)
    }
    return byDigest.size < bound
  }

  return {
    /** stores a row; true if it changed something */
    learn(row: KeyRow, nowMs: number): boolean {
      const key = storedKey(row)
      const digest = key.digest.toString('latin1')
      const known = byDigest.get(digest)
      if (known !== undefined && same(known, key)) return false
      leftOut.delete(digest)
      if (known === undefined && !hasRoom(nowMs)) {
        if (!dead(key, nowMs) && leftOut.size < bound) leftOut.add(digest)
        return false
      }
      byDigest.set(digest, key)
      return true
    },
    /** returns the placeholder for an unknown key */
    find: (digest: string): StoredKey => byDigest.get(digest) ?? NOBODY,
    /** placeholder for every unknown key */
    nobody: NOBODY,
    get size(): number {
      return byDigest.size
    },
    /** live keys that did not fit */
    get leftOut(): number {
      return leftOut.size
    },
  }
}

const NOBODY: StoredKey = {
  digest: Buffer.alloc(DIGEST_BYTES),
  revoked: false,
  expiresMs: Number.POSITIVE_INFINITY,
  proUntilMs: 0,
  pro: UNKNOWN.found,
  free: UNKNOWN.found,
}

function storedKey(row: KeyRow): StoredKey {
  const { id, account_id: account } = row
  return {
    digest: Buffer.from(row.digest),
    revoked: row.revoked_at !== null,
    expiresMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    proUntilMs: row.granted_pro ? Number.POSITIVE_INFINITY : (row.paid_until?.getTime() ?? 0),
    pro: { ok: true, id, account, plan: 'pro' },
    free: { ok: true, id, account, plan: 'free' },
  }
}

const same = (a: StoredKey, b: StoredKey): boolean =>
  a.revoked === b.revoked && a.expiresMs === b.expiresMs && a.proUntilMs === b.proUntilMs
