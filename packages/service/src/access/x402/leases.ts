import type { Claim } from './ledger.ts'
import { LEASE_MS } from './ledger.ts'

/** Payments that this process works on or is answering, however slowly the client reads. */
export interface Leases {
  /** holds the payment until the returned function is called */
  hold(claim: Claim): () => void
  has(hash: string): boolean
  /** leases due for renewal; each becomes due again after the same time */
  due(): readonly Claim[]
}

/** Renews four times per lease, so that one failure or a late run loses nothing. */
const RENEW_MS = LEASE_MS / 4

/** `now`: milliseconds */
export function createLeases(now: () => number): Leases {
  /** with the time of the last renewal */
  const held = new Map<Claim, number>()
  return {
    hold(claim) {
      // the request and its answer may hold the same claim at once
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
