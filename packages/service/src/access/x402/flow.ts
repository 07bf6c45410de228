import { DeadlineError, within } from '@ti/core/base/within.ts'
import type { Logger } from '../../base/log.ts'
import type { PaymentRow } from '../sql/schema.ts'
import { FAILED_ON_CHAIN, type Facilitator, type Order, type RecordSignature, type Settlement } from './facilitator.ts'
import type { Leases } from './leases.ts'
import type { Claim, Ledger, Reservation } from './ledger.ts'
import type { LedgerWrites } from './ledger-writes.ts'
import type { PaymentMeters } from './metrics.ts'
import type { Network } from './network.ts'
import { lookup, SWEEP_MS, writeEnd } from './open-payments.ts'
import { failedReceipt, paidReceipt } from './receipt.ts'
import type { TurnEnd, Turns } from './turns.ts'
import { RETRY_AFTER_S } from './turns.ts'
import type { AnswerForm, Client, Outcome, Work } from './types.ts'

interface FlowOptions {
  readonly network: Network
  readonly ledger: Ledger
  readonly facilitator: Facilitator
  readonly meters: PaymentMeters
  readonly logger: Logger
  /** milliseconds for each step */
  readonly times: { readonly work: number; readonly verify: number; readonly settle: number }
  readonly leases: Leases
  readonly ledgerWrites: LedgerWrites
  /** null: another party pays the fees */
  readonly turns: Turns | null
  /** registers a payment's pending last write */
  readonly finishing: (write: Promise<void>) => void
}

/** A request with a payment. */
export interface Visit<T> {
  readonly reservation: Reservation
  readonly order: Order
  readonly client: Client
  readonly work: (signal: AbortSignal) => Work<T> | Promise<Work<T>>
  readonly form: AnswerForm<T>
}

/** The path of a payment through the ledger; each step is on disk before the next begins. */
interface Flow {
  /** takes a new or released payment; a payment that another call holds goes to `again` */
  begin<T>(visit: Visit<T>): Promise<Outcome<T>>
  /** handles a repeated payment */
  again<T>(visit: Omit<Visit<T>, 'order'>, row: PaymentRow): Promise<Outcome<T>>
}

const refused = (message: string): { kind: 'refused'; message: string } => ({ kind: 'refused', message })

export const unavailable = (message: string, retryAfterS: number = RETRY_AFTER_S) =>
  ({ kind: 'unavailable', message, retryAfterS }) as const

const LEDGER_FAILS =
  'The ledger of payments does not answer. Repeat the request with the same payment: it is charged at most once.'
const NOTHING_CHARGED = 'nothing was charged and the payment can be used again'

type Worked<T> = { readonly kind: 'done'; readonly work: Work<T> } | { readonly kind: 'late' }

export function createFlow(options: FlowOptions): Flow {
  const { network, ledger, facilitator, meters, logger, times, leases, ledgerWrites, turns, finishing } = options

  /** Runs the work under its deadline and passes its exceptions on. */
  async function worked<T>(work: Visit<T>['work']): Promise<Worked<T>> {
    const abort = new AbortController()
    try {
      const done = await meters.timed('work', () => within(times.work, Promise.resolve(work(abort.signal))))
      return { kind: 'done', work: done }
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error
      abort.abort()
      return { kind: 'late' }
    }
  }

  /** Writes in the background with retries. The poller of open payments handles what fails, after the lease. */
  function retry(claim: Claim, what: string, run: () => Promise<unknown>): Promise<void> {
    const failed = (error: unknown): void =>
      logger.error({ hash: claim.hash, error: nameOf(error) }, `${what} could not be recorded`)
    const write = ledgerWrites.write(run).then(() => {}, failed)
    finishing(write)
    return write
  }

  const paid = <T>({ payer, signature }: PaymentRow, answer: T): Outcome<T> => ({
    kind: 'paid',
    answer,
    receipt: paidReceipt(network, payer, signature ?? ''),
  })

  const uncertain = (payer: string, signature: string | null): Outcome<never> => ({
    kind: 'uncertain',
    message:
      'It is not known yet whether the payment landed. Do not pay again: repeat the request with the same payment, it is charged at most once.',
    receipt: failedReceipt(network, payer, 'settlement_pending', signature ?? ''),
    retryAfterS: RETRY_AFTER_S,
  })

  /** Releases a payment before anything is sent. If that cannot be written, the lease expires. */
  async function letGo(claim: Claim, reason: string): Promise<void> {
    const release = () => ledger.release(claim, reason)
    await release().catch(() => void retry(claim, 'that a payment is free', release))
  }

  async function begin<T>(visit: Visit<T>): Promise<Outcome<T>> {
    const { claim, row } = await meters.timed('reserve', () => ledger.reserve(visit.reservation))
    if (claim === null) return again(visit, row)
    const release = leases.hold(claim)
    try {
      const problem = await verify(visit, claim)
      if (problem !== null) return problem
      const result = await worked(visit.work).catch(async (error) => {
        await letGo(claim, 'work_failed')
        throw error
      })
      if (result.kind === 'late') {
        await letGo(claim, 'work_too_long')
        return unavailable(`The answer took too long; ${NOTHING_CHARGED}.`)
      }
      const { answer, charge } = result.work
      const gone = visit.client.gone()
      if (charge && !gone) return await settleInTurn(visit, claim, answer)
      await letGo(claim, gone ? 'client_gone' : 'no_data')
      return gone ? { kind: 'gone' } : { kind: 'free', answer }
    } finally {
      release()
    }
  }

  /** Returns null for a valid payment. */
  async function verify({ order, client }: Visit<unknown>, claim: Claim): Promise<Outcome<never> | null> {
    try {
      const checked = await meters.timed('verify', () => within(times.verify, facilitator.verify(order)))
      if (!checked.valid) {
        await letGo(claim, checked.reason)
        return refused(`The payment is not valid: ${checked.reason}.`)
      }
    } catch (error) {
      await letGo(claim, 'verify_failed')
      logger.warn({ hash: claim.hash, error: nameOf(error) }, 'a payment could not be verified')
      return unavailable(`The payment cannot be verified right now; ${NOTHING_CHARGED}.`)
    }
    if (!client.gone()) return null
    await letGo(claim, 'client_gone')
    return { kind: 'gone' }
  }

  /** `unknown`: the write may have succeeded. Nothing was sent and no other call has the payment, so it is released. */
  async function beginSettling(claim: Claim, transaction: string): Promise<PaymentRow | null | 'unknown'> {
    try {
      return await ledger.settling(claim, transaction)
    } catch (error) {
      logger.error({ hash: claim.hash, error: nameOf(error) }, 'a settlement could not be started')
      retry(claim, 'that a payment is free', () => ledger.release(claim, 'ledger_failed'))
      return 'unknown'
    }
  }

  async function settleInTurn<T>(visit: Visit<T>, claim: Claim, answer: T): Promise<Outcome<T>> {
    if (turns === null) return settle(visit, claim, answer)
    const { payer, amount } = visit.reservation
    const turn = await turns.take(payer, amount).catch(async (error) => {
      await letGo(claim, 'no_turn')
      throw error
    })
    if (!turn.ok) {
      await letGo(claim, 'no_turn')
      return unavailable(`The payment was not taken: ${turn.message}; ${NOTHING_CHARGED}.`, turn.retryAfterS)
    }
    let how: TurnEnd = 'open'
    try {
      const outcome = await settle(visit, claim, answer)
      how = turnEndOf(outcome)
      return outcome
    } finally {
      turn.end(how)
    }
  }

  /** From the first write on, an internal error leaves the outcome open and never releases the payment. */
  async function settle<T>({ order, form }: Visit<T>, claim: Claim, answer: T): Promise<Outcome<T>> {
    const row = await beginSettling(claim, order.transaction)
    if (row === 'unknown') return unavailable(LEDGER_FAILS)
    if (row === null) return unavailable(`The payment took too long to process; ${NOTHING_CHARGED}.`)
    let signature: string | null = row.signature
    const text = form.pack(answer)
    let end: Settlement | null = null
    try {
      end = await meters.timed('settle', () => attempt(order, claim))
      if (end.kind === 'open') {
        logger.warn({ hash: claim.hash, reason: end.reason }, 'the outcome of a settlement is unknown')
        if (end.signature !== null) await ledger.sign(claim, end.signature)
        const now = await ledger.find(claim.hash)
        if (now !== null) end = await lookup(facilitator, now, times.settle)
      }
      signature = end.kind === 'refused' ? signature : (end.signature ?? signature)
      const written = await writeEnd(ledger, claim, end, text)
      if (written?.state === 'answered') {
        const { hash, payer, amount, signature } = written
        logger.info({ hash, payer, amount, signature }, 'paid')
        return paid(written, answer)
      }
      if (written !== null && end.kind === 'refused') return failed(row.payer, end.reason)
      await ledger.pause(claim, SWEEP_MS)
    } catch (error) {
      logger.error({ hash: claim.hash, error: nameOf(error) }, 'a settlement could not be recorded')
      const ended = end
      if (ended !== null) retry(claim, 'how a settlement ended', async () => writeEnd(ledger, claim, ended, text))
    }
    return uncertain(row.payer, signature)
  }

  async function attempt(order: Order, claim: Claim): Promise<Settlement> {
    const record: RecordSignature = async (signature, signed) => {
      const row = await ledger.sign(claim, signature, signed)
      if (row === null) throw new Error('the payment is no longer reserved')
    }
    try {
      return await within(times.settle, facilitator.settle(order, record))
    } catch (error) {
      return { kind: 'open', reason: nameOf(error), signature: null }
    }
  }

  const failed = (payer: string, reason: string): Outcome<never> => ({
    ...refused(`The payment did not settle: ${reason}.`),
    receipt: failedReceipt(network, payer, reason),
  })

  async function again<T>(visit: Omit<Visit<T>, 'order'>, row: PaymentRow): Promise<Outcome<T>> {
    const { hash, payer, signature } = row
    if (row.request !== visit.reservation.request) return refused('The payment is already used for another request.')
    if (row.state === 'settled' || row.state === 'answered') return fetchPaid(visit, row)
    // the first caller still waits, here or in another process
    if (row.state !== 'settling' || leases.has(hash) || ledger.isHeldElsewhere(row)) return uncertain(payer, signature)
    const claim = await ledger.takeOver(row)
    if (claim === null) return uncertain(payer, signature)
    const release = leases.hold(claim)
    try {
      const end = await lookup(facilitator, row, times.settle)
      const written = await writeEnd(ledger, claim, end, null)
      if (written?.state === 'settled') return await fetchPaid(visit, written)
      if (written !== null && end.kind === 'refused') return failed(payer, end.reason)
      await ledger.pause(claim, SWEEP_MS)
      return uncertain(payer, end.kind === 'open' ? end.signature : signature)
    } finally {
      release()
    }
  }

  /** Returns the one answer of a payment. If none was made before, a result without data leaves it due. */
  async function fetchPaid<T>({ work, form }: Omit<Visit<T>, 'order'>, row: PaymentRow): Promise<Outcome<T>> {
    if (row.state === 'settled') {
      const result = await worked(work)
      if (result.kind === 'late') {
        return unavailable('The answer took too long; it is paid for and can be fetched again with the same payment.')
      }
      const { answer, charge } = result.work
      if (!charge) return { kind: 'free', answer }
      if ((await ledger.answered(row, form.pack(answer))) !== null) return paid(row, answer)
      // another request was faster
    }
    const text = await ledger.answer(row.hash)
    return text === null
      ? refused('The payment is already used: its answer is no longer kept.')
      : paid(row, form.unpack(text))
  }

  return { begin, again }
}

function turnEndOf(outcome: Outcome<unknown>): TurnEnd {
  if (outcome.kind === 'paid') return 'landed'
  if (outcome.kind === 'uncertain') return 'open'
  return outcome.kind === 'refused' && outcome.receipt?.errorReason === FAILED_ON_CHAIN ? 'failed' : 'unsent'
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)
