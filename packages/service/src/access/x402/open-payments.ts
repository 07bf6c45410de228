import { count } from '@ti/core/base/counts.ts'
import { within } from '@ti/core/base/within.ts'
import type { Logger } from '../../base/log.ts'
import type { PaymentRow, PaymentState } from '../sql/schema.ts'
import type { Facilitator, Settlement } from './facilitator.ts'
import { EXPIRY_MS } from './facilitator.ts'
import { PAYMENTS_IN_FLIGHT } from './in-flight.ts'
import type { Leases } from './leases.ts'
import type { Claim, Ledger } from './ledger.ts'
import type { PaymentMeters } from './metrics.ts'

/** milliseconds between two rounds over open payments, and the longest pause for one of them */
export const SWEEP_MS = 5_000
export const PAUSE_MS = 3_600_000

/** Resolves payments of lost holders. */
interface OpenPayments {
  /** recovers everything that needs no chain query, before this process takes its first payment */
  recover(): Promise<void>
  /** one check of all payments without a lease; never fails; one at a time */
  round(): Promise<void>
  /** payments with an unknown outcome at the last run */
  readonly open: number
}

interface OpenPaymentsOptions {
  readonly ledger: Ledger
  readonly facilitator: Facilitator
  readonly meters: PaymentMeters
  readonly logger: Logger
  readonly now: () => number
  readonly settleMs: number
  readonly leases: Leases
}

/** Returns the outcome of a started settlement; open if it cannot be determined within `ms`. */
export async function lookup(facilitator: Facilitator, row: PaymentRow, ms: number): Promise<Settlement> {
  const { hash, signed_transaction: transaction, amount, signature, blockhash, updated_at: since } = row
  try {
    return await within(ms, facilitator.lookup({ hash, transaction, amount, signature, blockhash, since }))
  } catch {
    return { kind: 'open', reason: 'settlement_pending', signature }
  }
}

/** Records the outcome of a settlement; null if it is open or another process holds the payment. */
export function writeEnd(
  ledger: Ledger,
  claim: Claim,
  end: Settlement,
  answer: string | null,
): Promise<PaymentRow | null> | null {
  if (end.kind === 'landed') return ledger.settled(claim, end.signature, answer)
  if (end.kind === 'refused') return ledger.release(claim, end.reason, end.proof === 'proven')
  return null
}

export function createOpenPayments(options: OpenPaymentsOptions): OpenPayments {
  const { ledger, facilitator, meters, logger, now, settleMs, leases } = options
  let open = 0

  const log = (row: PaymentRow, what: PaymentState): void => {
    count(meters.outcomes, `recovered ${what}`)
    const { hash, payer, amount, signature } = row
    logger.info({ hash, payer, amount, signature }, `payment without a holder: ${what}`)
  }

  /** Decides with the ledger alone; false if the chain or the facilitator must be queried. */
  async function decide(row: PaymentRow): Promise<boolean> {
    if (row.state === 'settling' && (!facilitator.signsFirst || row.signature !== null)) return false
    // another process may hold the row by now; then nothing changes
    const done = await ledger.release(row, 'interrupted')
    if (done !== null) log(row, done.state)
    return true
  }

  /** Pause before the next check of an open payment, longer for older ones. */
  const pauseOf = (row: PaymentRow): number => {
    const age = now() - row.updated_at.getTime()
    return Math.min(PAUSE_MS, Math.max(SWEEP_MS, age / 4))
  }

  async function resolve(row: PaymentRow): Promise<void> {
    if (leases.has(row.hash) || (await decide(row))) return
    const claim = await ledger.takeOver(row)
    if (claim === null) return
    const end = await lookup(facilitator, row, settleMs)
    if (end.kind === 'open' && end.signature !== null && row.signature === null) await ledger.sign(claim, end.signature)
    const written = await writeEnd(ledger, claim, end, null)
    if (written !== null) return log(written, written.state)
    await ledger.pause(claim, pauseOf(row))
    const { hash, payer, amount, signature } = row
    if (now() - row.updated_at.getTime() > EXPIRY_MS) {
      logger.warn({ hash, payer, amount, signature }, 'it is still not known whether a payment landed')
    }
  }

  const safely = async (row: PaymentRow): Promise<void> => {
    try {
      await resolve(row)
    } catch (error) {
      logger.error({ hash: row.hash, err: error }, 'an open payment could not be resolved')
    }
  }

  async function round(): Promise<void> {
    try {
      await ledger.renew(leases.due())
      await Promise.all((await ledger.orphans(ledger.embedded)).map(safely))
      await ledger.prune()
      open = await ledger.open()
    } catch (error) {
      logger.error({ err: error }, 'the check of open payments failed')
    }
  }

  return {
    async recover() {
      for (let turn = 0; turn < PAYMENTS_IN_FLIGHT.all; turn++) {
        const rows = (await ledger.orphans(ledger.embedded, ['reserved'])).filter(({ hash }) => !leases.has(hash))
        if (rows.length === 0) break
        for (const row of rows) await decide(row)
      }
      open = await ledger.open()
    },
    round,
    get open() {
      return open
    },
  }
}
