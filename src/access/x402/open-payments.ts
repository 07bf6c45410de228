import { count } from '../../base/counts.ts'
import type { Logger } from '../../base/log.ts'
import { within } from '../../base/within.ts'
import { LIMITS } from '../../config/limits.ts'
import type { PaymentRow, PaymentState } from '../sql/schema.ts'
import type { Facilitator, Settlement } from './facilitator.ts'
import type { Holds } from './holds.ts'
import type { Claim, Ledger } from './ledger.ts'
import type { PaymentMeters } from './meters.ts'

/** Payments whose holder is gone, brought to their end. */
export interface OpenPayments {
  /** what needs no look at the chain, until none is left: before the first payment of this process */
  recover(): Promise<void>
  /** one round over what has no holder any more; never fails, never runs twice at once */
  round(): Promise<void>
  /** payments whose end was not known at the last round */
  readonly open: number
}

export interface OpenPaymentsOptions {
  readonly ledger: Ledger
  readonly facilitator: Facilitator
  readonly meters: PaymentMeters
  readonly logger: Logger
  readonly now: () => number
  readonly settleMs: number
  readonly holds: Holds
}

/** What became of a settlement that was begun; open where that cannot be told within `ms`. */
export async function lookup(facilitator: Facilitator, row: PaymentRow, ms: number): Promise<Settlement> {
  const { hash, transaction, amount, signature, blockhash, updated_at: since } = row
  try {
    return await within(ms, facilitator.lookup({ hash, transaction, amount, signature, blockhash, since }))
  } catch {
    return { kind: 'open', reason: 'settlement_pending', signature }
  }
}

/** Writes down how a settlement ended; null: it has not, or somebody else holds the payment by now. */
export function writeEnd(
  ledger: Ledger,
  claim: Claim,
  end: Settlement,
  deliver: boolean,
): Promise<PaymentRow | null> | null {
  if (end.kind === 'landed') return ledger.settled(claim, end.signature, deliver)
  if (end.kind === 'refused') return ledger.release(claim, end.reason, end.proof === 'proven')
  return null
}

export function createOpenPayments(options: OpenPaymentsOptions): OpenPayments {
  const { ledger, facilitator, meters, logger, now, settleMs, holds } = options
  let open = 0
  let running: Promise<void> | null = null

  const tell = (row: PaymentRow, what: string): void => {
    count(meters.outcomes, `recovered ${what}`)
    const { hash, payer, amount, signature } = row
    logger.info({ hash, payer, amount, signature }, `payment without a holder: ${what}`)
  }

  /** What the ledger alone can decide; false where the chain or the facilitator has to be asked. */
  async function decide(row: PaymentRow): Promise<boolean> {
    if (row.state === 'settling' && (!facilitator.signsFirst || row.signature !== null)) return false
    // the row may belong to somebody again by now, then nothing changes
    const done =
      row.state === 'delivering' ? await ledger.undelivered(row, '', false) : await ledger.release(row, 'interrupted')
    if (done !== null) tell(row, done.state)
    return true
  }

  /** How long an open payment rests before it is looked at again: the older, the longer. */
  const pauseOf = (row: PaymentRow): number => {
    const age = now() - row.updated_at.getTime()
    return Math.min(LIMITS.paymentPauseMs, Math.max(LIMITS.paymentSweepMs, age / 4))
  }

  async function resolve(row: PaymentRow): Promise<void> {
    if (holds.has(row.hash) || (await decide(row))) return
    const claim = await ledger.takeOver(row)
    if (claim === null) return
    const end = await lookup(facilitator, row, settleMs)
    if (end.kind === 'open' && end.signature !== null && row.signature === null) await ledger.sign(claim, end.signature)
    const written = await writeEnd(ledger, claim, end, false)
    if (written !== null) return tell(written, written.state)
    await ledger.pause(claim, pauseOf(row))
    const { hash, payer, amount, signature } = row
    if (now() - row.updated_at.getTime() > LIMITS.paymentExpiryMs) {
      logger.warn({ hash, payer, amount, signature }, 'it is still not known whether a payment landed')
    }
  }

  const safely = async (row: PaymentRow): Promise<void> => {
    try {
      await resolve(row)
    } catch (error) {
      logger.error({ hash: row.hash, err: error }, 'an open payment could not be dealt with')
    }
  }

  async function round(): Promise<void> {
    try {
      await ledger.renew(holds.due())
      await Promise.all((await ledger.orphans(ledger.embedded)).map(safely))
      await ledger.prune()
      open = await ledger.open()
    } catch (error) {
      logger.error({ err: error }, 'the round over open payments failed')
    }
  }

  return {
    async recover() {
      const states: readonly PaymentState[] = ['reserved', 'delivering']
      for (let turn = 0; turn < LIMITS.paymentsInFlight; turn++) {
        const rows = (await ledger.orphans(ledger.embedded, states)).filter(({ hash }) => !holds.has(hash))
        if (rows.length === 0) break
        for (const row of rows) await decide(row)
      }
      open = await ledger.open()
    },
    round() {
      running ??= round().finally(() => {
        running = null
      })
      return running
    },
    get open() {
      return open
    },
  }
}
