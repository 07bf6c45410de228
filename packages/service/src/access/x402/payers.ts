import type { PayerRow } from '../sql/schema.ts'
import type { Ledger } from './ledger.ts'

/** units of USDC ($0.05) that a payer has paid for each failure of its own that needs none of that */
export const UNITS_PER_FAILURE = 50_000
/** milliseconds a payer waits after its first failure; twice as long after each further one, up to the longest */
export const FAILURE_WAIT_MS = 30_000
export const FAILURE_WAIT_MS_MAX = 86_400_000
/** milliseconds for which a payer's record from the ledger is cached, and payers cached, some 200 bytes each */
const PAYER_KNOWN_MS = 5_000
const PAYERS_KNOWN = 50_000

/** A payer's credit and wait for its next payment. */
interface Standing {
  /** it has paid before */
  readonly known: boolean
  /** failures covered by its payments, less those that happened; negative: it has cost more than it paid */
  readonly credit: number
  /** milliseconds until its next payment is accepted */
  readonly waitMs: number
}

type Heard = Pick<PayerRow, 'paid' | 'failed' | 'failed_at'>

const NOTHING_HEARD: Heard = { paid: 0, failed: 0, failed_at: null }

export function standingOf({ paid, failed, failed_at }: Heard, nowMs: number): Standing {
  const credit = Math.floor(paid / UNITS_PER_FAILURE) - failed
  return { known: paid > 0, credit, waitMs: failed_at === null ? 0 : waitOf(credit, nowMs - failed_at.getTime()) }
}

/** Each uncovered failure doubles the wait. */
function waitOf(credit: number, sinceMs: number): number {
  const doubled = FAILURE_WAIT_MS * 2 ** Math.max(0, -credit - 1)
  return Math.max(0, Math.min(FAILURE_WAIT_MS_MAX, doubled) - sinceMs)
}

/** Caches payers' records briefly. */
export interface Payers {
  /** throws if the ledger does not answer */
  standing(wallet: string): Promise<Standing>
  /** marks a payer's record as stale */
  changed(wallet: string): void
  /** adds units that are in the ledger */
  paid(wallet: string, units: number): void
  /** true for a cached earlier payer; needs no database, so that refusing strangers is cheap */
  remembers(wallet: string): boolean
  /** loads the most recent payers */
  load(): Promise<void>
}

interface Kept {
  readonly heard: Heard
  readonly atMs: number
}

export function createPayers({ ledger, now }: { ledger: Ledger; now: () => number }): Payers {
  const kept = new Map<string, Kept>()

  function keep(wallet: string, heard: Heard, atMs: number): void {
    kept.delete(wallet)
    if (heard.paid === 0 && heard.failed === 0) return
    kept.set(wallet, { heard, atMs })
    if (kept.size > PAYERS_KNOWN) kept.delete(kept.keys().next().value!)
  }

  return {
    async standing(wallet) {
      const known = kept.get(wallet)
      const fresh = known !== undefined && now() - known.atMs < PAYER_KNOWN_MS
      const heard = fresh ? known.heard : ((await ledger.payer(wallet)) ?? NOTHING_HEARD)
      if (!fresh) keep(wallet, heard, now())
      return standingOf(heard, now())
    },
    changed(wallet) {
      const known = kept.get(wallet)
      // keeps the old record, but reads it again when it matters
      if (known !== undefined) kept.set(wallet, { ...known, atMs: Number.NEGATIVE_INFINITY })
    },
    paid(wallet, units) {
      const { heard = NOTHING_HEARD, atMs = Number.NEGATIVE_INFINITY } = kept.get(wallet) ?? {}
      keep(wallet, { ...heard, paid: heard.paid + units }, atMs)
    },
    remembers: (wallet) => (kept.get(wallet)?.heard.paid ?? 0) > 0,
    async load() {
      const rows = await ledger.payers(PAYERS_KNOWN)
      for (const row of rows.reverse()) keep(row.wallet, row, Number.NEGATIVE_INFINITY)
    },
  }
}
