import { setTimeout as pause } from 'node:timers/promises'
import { count } from '@ti/core/base/counts.ts'
import { within } from '@ti/core/base/within.ts'
import { createInFlight } from '../../base/in-flight.ts'
import type { Logger } from '../../base/log.ts'
import { SHUTDOWN_MS } from '../../base/parts.ts'
import { createPoller } from '../../base/poller.ts'
import { associatedTokenAccount } from '../../base/token-account.ts'
import type { PaymentMode } from '../../config/options.ts'
import type { WriteProbe } from '../sql/write-probe.ts'
import { createAdmission, type Refusal, STRANGERS_TOGETHER_MS } from './admission.ts'
import { createBatched } from './batched.ts'
import type { Facilitator } from './facilitator.ts'
import { SETTLE_MS, VERIFY_MS } from './facilitator.ts'
import { createFailedFees } from './failed-fees.ts'
import { createFlow, unavailable, type Visit } from './flow.ts'
import { paymentBounds } from './in-flight.ts'
import { createLeases } from './leases.ts'
import type { Ledger } from './ledger.ts'
import { createLedgerWrites, type LedgerWriteBounds } from './ledger-writes.ts'
import { createMeters, type PaymentMeters } from './metrics.ts'
import { ASSET, NETWORK } from './network.ts'
import { createOffers, isOurOffer, isOurResource } from './offer.ts'
import { createOpenPayments, SWEEP_MS } from './open-payments.ts'
import { createPayers } from './payers.ts'
import { STARTING, watchReadiness } from './readiness.ts'
import { isSignedBy, mismatch, readTransaction, type TransactionFacts } from './transaction.ts'
import { createTurns, RETRY_AFTER_S } from './turns.ts'
import type { Cashier, Outcome, Payment, PaymentsStatus, PricedCall } from './types.ts'

/** milliseconds that a paid call may take */
const PAID_WORK_MS = 10_000

export interface CashierOptions {
  readonly ledger: Ledger
  /** left out: the ledger is assumed to take changes */
  readonly writing?: Pick<WriteProbe, 'problem'>
  readonly facilitator: Facilitator
  readonly mode: PaymentMode
  /** wallet of the seller, base58 */
  readonly payTo: string
  /** shown in the status; sandbox only */
  readonly rpcUrl?: string | undefined
  readonly logger: Logger
  readonly now: () => number
  /** milliseconds; for tests */
  readonly times?: { readonly work?: number; readonly verify?: number; readonly settle?: number }
  /** retry bounds of ledger writes; for tests */
  readonly retry?: LedgerWriteBounds
  /** milliseconds between two runs of the poller of open payments; null: only `tick` runs it */
  readonly roundMs?: number | null
}

export interface RunningCashier extends Cashier {
  readonly meters: PaymentMeters
  /** resolves after recovery of an earlier process's open payments and the first readiness check; never rejects */
  readonly started: Promise<void>
  /** one run: readiness if due, open payments, pruning; never fails */
  tick(): Promise<void>
}

type Paying<T> = Pick<Visit<T>, 'client' | 'work' | 'form'>

const NOTHING_CHARGED = 'Nothing was charged.'

/** Does not wait for chain or facilitator; payments are `unavailable` until `started`. */
export async function createCashier(options: CashierOptions): Promise<RunningCashier> {
  const { ledger, facilitator, payTo, logger, now, roundMs = SWEEP_MS } = options
  const [work, verify, settle] = [PAID_WORK_MS, VERIFY_MS, SETTLE_MS]
  const times = { work, verify, settle, ...options.times }
  const offers = createOffers({ payTo, feePayer: () => facilitator.feePayer() })
  const destination = associatedTokenAccount(payTo, ASSET)
  const meters = createMeters()
  const inFlight = createInFlight()
  const leases = createLeases(now)
  const writes = new Set<Promise<void>>()
  const finishing = (write: Promise<void>): void => {
    writes.add(write)
    write.finally(() => writes.delete(write))
  }
  const ledgerWrites = createLedgerWrites(options.retry)
  const payers = createPayers({ ledger, now })
  const failedFees = createFailedFees(now)
  const { funds, signsFirst: ownFees } = facilitator
  const admission = createAdmission({ payers, funds, ownFees })
  const fundsOf = async (payer: string) => (await funds([associatedTokenAccount(payer, ASSET)]))[0] ?? null
  const turns = ownFees ? createTurns({ payers, failedFees, funds: fundsOf }) : null
  const findTogether = createBatched({ ms: STRANGERS_TOGETHER_MS, ask: ledger.findEach })
  const flow = createFlow({ ledger, facilitator, meters, logger, times, leases, ledgerWrites, turns, finishing })
  const openPayments = createOpenPayments({ ledger, facilitator, meters, logger, now, settleMs: times.settle, leases })
  const readiness = watchReadiness({ facilitator, logger, now, lookMs: 2 * times.verify })
  let recovered = false
  let closing = false

  /** No payment is taken until it succeeds, because an earlier process may have left answers or reservations. */
  async function recover(): Promise<void> {
    if (recovered) return
    try {
      await openPayments.recover()
      await payers.load()
      recovered = true
    } catch (error) {
      logger.error({ err: error }, 'the payment ledger cannot be read')
    }
  }

  async function tick(): Promise<void> {
    await started
    await Promise.all([readiness.look(), recover()])
    if (recovered) await openPayments.round()
  }

  const started = Promise.all([readiness.look(), recover()]).then(() => {})
  const rounds = createPoller({ what: 'open payments', everyMs: roundMs, run: tick })

  function notReady(): string | null {
    if (closing) return 'the service is stopping'
    const { problem = null } = options.writing ?? {}
    if (problem !== null) return `the ledger takes no changes: ${problem}`
    return recovered ? readiness.now.reason : STARTING.reason
  }

  /** Returns a payment's mismatch before anything is written; null: none. */
  function problemOf(payment: Payment, facts: TransactionFacts, call: PricedCall): string | null {
    const wanted = offers.requirements(call)
    if (wanted === null) return null
    if (payment.version === 2 && !isOurOffer(payment.accepted, wanted)) {
      return '`accepted` does not match the offer for this call: copy it from a fresh 402'
    }
    if (payment.version === 2 && !isOurResource(payment.resource, call)) {
      return `\`resource\` is not that of this call: it is ${call.resource}, or is left out`
    }
    return mismatch(facts, wanted, destination)
  }

  /** Returns why no new payment is taken now; null: it may be. */
  async function refusalOf(payment: Payment, facts: TransactionFacts, call: PricedCall): Promise<Refusal | null> {
    const reason = problemOf(payment, facts, call)
    if (reason !== null) return { kind: 'refused', reason }
    const closed = notReady() ?? (offers.requirements(call) === null ? 'the facilitator is not known' : null)
    if (closed !== null) return { kind: 'later', message: closed, retryAfterS: RETRY_AFTER_S }
    return admission.refusal(facts, call.amount)
  }

  async function take<T>(payment: Payment, facts: TransactionFacts, call: PricedCall, paying: Paying<T>) {
    const { hash, payer, blockhash } = facts
    const { operation, request, amount } = call
    const reservation = { hash, operation, request, amount, payer, blockhash }
    const refusal = await refusalOf(payment, facts, call)
    const wanted = offers.requirements(call)
    if (refusal === null && wanted !== null) {
      const order = { hash, transaction: payment.transaction, requirements: wanted }
      return flow.begin({ ...paying, reservation, order })
    }
    // a payment taken earlier is honoured even if a new one would be refused
    const find = payers.remembers(payer) ? ledger.find : findTogether
    const row = recovered && !closing ? await find(hash) : null
    if (row !== null && row.state !== 'released') return flow.again({ ...paying, reservation }, row)
    if (refusal?.kind === 'refused') return refusedFor(refusal.reason)
    const { message = 'the facilitator is not known', retryAfterS } = refusal ?? {}
    return unavailable(`Payments cannot be taken now: ${message}. ${NOTHING_CHARGED}`, retryAfterS)
  }

  async function pay<T>(payment: Payment, call: PricedCall, paying: Paying<T>): Promise<Outcome<T>> {
    const read = readTransaction(payment.transaction)
    if (!read.ok) return refusedFor(read.reason)
    const { facts } = read
    // before the payer is trusted: a stranger must not use up another payer's places or block the owner's payment
    if (!isSignedBy(facts.payer, facts.payerSignature, facts.message)) {
      return refusedFor("the payer's signature is wrong (invalid_exact_svm_payload_signature_invalid)")
    }
    const isStranger = !payers.remembers(facts.payer)
    const place = inFlight.enter(paymentBounds(facts.payer, paying.client.address, isStranger))
    if (!place.ok) return unavailable(`Too many payments are being processed. ${NOTHING_CHARGED}`)
    const { work, threw } = watched(paying.work)
    try {
      return await take(payment, facts, call, { ...paying, work })
    } catch (error) {
      if (threw()) throw error
      logger.error({ hash: facts.hash, err: error }, 'the payment ledger failed')
      return unavailable('Payments cannot be taken now: the ledger does not answer.')
    } finally {
      place.leave()
    }
  }

  async function isOfKnownPayer({ transaction }: Payment): Promise<boolean> {
    const read = readTransaction(transaction)
    if (!read.ok || !payers.remembers(read.facts.payer)) return false
    const { payer, payerSignature, message } = read.facts
    return isSignedBy(payer, payerSignature, message)
  }

  async function idle(): Promise<void> {
    await started
    await rounds.stop()
    while (inFlight.of('all') > 0 || writes.size > 0) await Promise.race([...writes, pause(IDLE_MS)])
  }

  function status(): PaymentsStatus {
    const feePayer = facilitator.feePayer()
    const reason = notReady()
    return {
      mode: options.mode,
      network: NETWORK,
      asset: ASSET,
      pay_to: payTo,
      ...(feePayer === null ? {} : { fee_payer: feePayer }),
      ...(options.rpcUrl === undefined ? {} : { rpc_url: options.rpcUrl }),
      ready: reason === null,
      reason,
      open: openPayments.open,
    }
  }

  return {
    meters,
    started,
    tick: rounds.run,
    status,
    quote: offers.quote,
    isOfKnownPayer,
    async pay(payment, call, client, work, form) {
      let kind: 'failed' | Outcome<unknown>['kind'] = 'failed'
      try {
        const outcome = await pay(payment, call, { client, work, form })
        kind = outcome.kind
        return outcome
      } finally {
        count(meters.outcomes, kind)
      }
    },
    async close() {
      closing = true
      await within(SHUTDOWN_MS, idle()).catch(() => {})
      ledgerWrites.stop()
    },
  }
}

/** milliseconds between two looks at whether every payment has ended */
const IDLE_MS = 20

/** Wraps the work to tell its exceptions from the ledger's, which are not for the caller. */
function watched<T>(work: Paying<T>['work']): { readonly work: Paying<T>['work']; threw(): boolean } {
  let threw = false
  return {
    threw: () => threw,
    async work(signal) {
      try {
        return await work(signal)
      } catch (error) {
        threw = true
        throw error
      }
    },
  }
}

const refusedFor = (reason: string): Outcome<never> => ({
  kind: 'refused',
  message: `The payment was not taken: ${reason}.`,
})
