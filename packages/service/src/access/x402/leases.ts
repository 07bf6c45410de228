import { LIMITS } from '../../config/limits.ts'
import type { Claim } from './ledger.ts'

/** Payments that this process works on, or whose answer is on its way to a client, however slowly that one reads. */
export interface Leases {
  /** until what is answered is called */
  hold(claim: Claim): () => void
  has(hash: string): boolean
  /** leases due for renewal in the ledger; each again after the same time */
  due(): readonly Claim[]
}

/** Four tries within a lease: one that fails, or a round that comes late, loses nothing. */
const RENEW_MS = LIMITS.paymentLeaseMs / 4

/** `now`: milliseconds */
export function createLeases(now: () => number): Leases {
  /** with the time at which the ledger knew of it last */
  const held = new Map<Claim, number>()
  return {
    hold(claim) {
      // the same claim may be held twice: by the request, and by the answer that it ends with
      const own = { ...claim }
      held.set(own, now())
      return () => void held.delete(own)
    },
    has(hash) {
      for (const claim of held.keys()) if (claim.hash === hash) return true
      return false
    },
    due() {
      const at = now()
      const claims = [...held].flatMap(([claim, since]) => (at - since >= RENEW_MS ? [claim] : []))
      for (const claim of claims) held.set(claim, at)
      return claims
    },
  }
}
