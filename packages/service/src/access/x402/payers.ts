import { LIMITS } from '../../config/limits.ts'
import type { PayerRow } from '../sql/schema.ts'
import type { Ledger } from './ledger.ts'

/** What a payer's record says about its next payment. */
interface Standing {
  /** it has paid before */
  readonly known: boolean
  /** failures that what it has paid makes up for, those it had taken off; below 0: it has cost more than it paid */
  readonly credit: number
  /** milliseconds until a payment of it is taken again */
  readonly waitMs: number
}

type Heard = Pick<PayerRow, 'paid' | 'failed' | 'failed_at'>

const NOTHING_HEARD: Heard = { paid: 0, failed: 0, failed_at: null }

export function standingOf({ paid, failed, failed_at }: Heard, nowMs: number): Standing {
  const credit = Math.floor(paid / LIMITS.unitsPerFailure) - failed
  return { known: paid > 0, credit, waitMs: failed_at === null ? 0 : waitOf(credit, nowMs - failed_at.getTime()) }
}

/** What a payer has not made up for doubles its wait. */
function waitOf(credit: number, sinceMs: number): number {
  const doubled = LIMITS.failureWaitMs * 2 ** Math.max(0, -credit - 1)
  return Math.max(0, Math.min(LIMITS.failureWaitMsMax, doubled) - sinceMs)
}

/** Records of payers, kept in memory for a moment. */
export interface Payers {
  /** throws where the ledger does not answer */
  standing(wallet: string): Promise<Standing>
  /** the ledger has heard of a payment of it */
  changed(wallet: string): void
  /** this many units were paid, and the ledger has them */
  paid(wallet: string, units: number): void
  /** whether memory has it as an earlier payer; asks no database, so that refusing a stranger is cheap */
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
    if (kept.size > LIMITS.payersKnown) kept.delete(kept.keys().next().value!)
  }

  return {
    async standing(wallet) {
      const known = kept.get(wallet)
      const fresh = known !== undefined && now() - known.atMs < LIMITS.payerKnownMs
      const heard = fresh ? known.heard : ((await ledger.payer(wallet)) ?? NOTHING_HEARD)
      if (!fresh) keep(wallet, heard, now())
      return standingOf(heard, now())
    },
    changed(wallet) {
      const known = kept.get(wallet)
      // remembered as it was, asked for when it matters
      if (known !== undefined) kept.set(wallet, { ...known, atMs: Number.NEGATIVE_INFINITY })
    },
    paid(wallet, units) {
      const { heard = NOTHING_HEARD, atMs = Number.NEGATIVE_INFINITY } = kept.get(wallet) ?? {}
      keep(wallet, { ...heard, paid: heard.paid + units }, atMs)
    },
    remembers: (wallet) => (kept.get(wallet)?.heard.paid ?? 0) > 0,
    async load() {
      const rows = await ledger.payers(LIMITS.payersKnown)
      for (const row of rows.reverse()) keep(row.wallet, row, Number.NEGATIVE_INFINITY)
    },
  }
}
