import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import { type SandboxChain, startSandboxChain } from '@ti/sandbox/chain.ts'
import { type CashierOptions, createCashier, type RunningCashier } from '@ti/service/access/x402/cashier.ts'
import { createChain } from '@ti/service/access/x402/chain.ts'
import { createLedger, type Ledger } from '@ti/service/access/x402/ledger.ts'
import { createSelfFacilitator } from '@ti/service/access/x402/self.ts'
import type { Client, Outcome, Payment, PricedCall, Work } from '@ti/service/access/x402/types.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { LIMITS } from '@ti/service/config/limits.ts'
import type { PaymentRequirements } from '@x402/core/types'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'
import { callOf, read, someone } from '../support/payments-fixtures.ts'

export const SILENT = createLogger('silent')
export const CONFIRM_MS = 300

/** A cashier with our own fee payer over the sandbox chain, and buyers with the official clients. */
export interface Scene {
  readonly chain: SandboxChain
  readonly database: TestDatabase
  readonly ledger: Ledger
  readonly cashier: RunningCashier
  /** seconds are added to what the service takes for the time */
  readonly clock: { offsetMs: number }
  /** a buyer with a dollar */
  buyer(usdc?: bigint): Promise<KeyPairSigner>
  /** a payment as the official client of that version signs it for what the call offers */
  sign(buyer: KeyPairSigner, call?: PricedCall, version?: 1 | 2): Promise<Payment>
  pay<T>(payment: Payment, options?: Paying<T>): Promise<Outcome<T | string>>
  /** another process over the same database, as after a crash of the first: what hung there hangs for ever */
  restart(options?: Partial<CashierOptions>): Promise<{ readonly ledger: Ledger; readonly cashier: RunningCashier }>
  /** units the seller has received */
  earned(): bigint
  /** what the books say was earned */
  booked(): Promise<number>
  state(payment: Payment): Promise<string | undefined>
}

export interface Paying<T> {
  readonly call?: PricedCall
  readonly client?: Client
  readonly work?: (signal: AbortSignal) => Work<T | string> | Promise<Work<T | string>>
  /** whether a paid answer is said to be delivered; default true */
  readonly delivered?: boolean | 'never told'
  readonly by?: RunningCashier
}

export const data = (): Work<string> => ({ answer: 'data', charge: true })

/** `shared`: a database that several processes may use; an embedded one is for one, so what another holds there is an orphan. */
export async function openScene(
  t: TestContext,
  options: Partial<CashierOptions> = {},
  { shared = false } = {},
): Promise<Scene> {
  const opened = await emptyDatabase(t)
  const database = shared ? { ...opened, embedded: false } : opened
  const chain = await startSandboxChain({ slotMs: 0 })
  t.after(() => chain.close())
  const clock = { offsetMs: 0 }
  const now = (): number => Date.now() + clock.offsetMs

  async function open(more: Partial<CashierOptions>) {
    const ledger = createLedger({ database, now })
    const node = createChain({ rpcUrl: chain.rpcUrl, now, confirmMs: CONFIRM_MS, pollMs: 10 })
    const facilitator = await createSelfFacilitator({
      feePayerSecret: chain.feePayerSecret,
      payTo: chain.seller,
      chain: node,
      ledger,
      logger: SILENT,
      now,
      mainnet: false,
      confirmMs: CONFIRM_MS,
    })
    const base = { ledger, facilitator, mode: 'sandbox', payTo: chain.seller, logger: SILENT, now } as const
    const cashier = await createCashier({ ...base, roundMs: null, ...more })
    t.after(() => cashier.close())
    await cashier.started
    return { ledger, cashier }
  }

  const { ledger, cashier } = await open(options)
  return {
    chain,
    database,
    ledger,
    cashier,
    clock,
    restart(more = {}) {
      // where several processes may share the database, what one left behind is taken over when its lease ends
      if (!database.embedded) clock.offsetMs += LIMITS.paymentLeaseMs + 1_000
      return open({ ...options, ...more })
    },
    async buyer(usdc = 1_000_000n) {
      const buyer = await generateKeyPairSigner()
      chain.fund(buyer.address, { usdc })
      return buyer
    },
    async sign(buyer, call = callOf(), version = 2) {
      const { v2, accepts } = cashier.quote(call)
      const config = { rpcUrl: chain.rpcUrl }
      if (version === 1) {
        const wanted = accepts[0] as unknown as PaymentRequirements
        return read(await new ExactSvmSchemeV1(buyer, config).createPaymentPayload(1, wanted))
      }
      const accepted = v2.accepts[0] as PaymentRequirements
      return read({ ...(await new ExactSvmScheme(buyer, config).createPaymentPayload(2, accepted)), accepted })
    },
    async pay(payment, { call = callOf(), client = someone, work = data, delivered = true, by = cashier } = {}) {
      const outcome = await by.pay(payment, call, client, work)
      if (outcome.kind === 'paid' && delivered !== 'never told') {
        outcome.done(delivered)
        await until(async () => !/^delivering$/.test((await ledger.find(payment.hash))?.state ?? ''))
      }
      return outcome
    },
    earned: () => chain.tokens(chain.seller),
    async booked() {
      const rows = await database.sql
        .selectFrom('payment_events')
        .select('amount')
        .where('state', '=', 'settled')
        .execute()
      return rows.reduce((sum, { amount }) => sum + amount, 0)
    },
    state: async (payment) => (await ledger.find(payment.hash))?.state,
  }
}

/** Waits for a condition; the deadline is only there to end a test that has failed. */
export async function until(condition: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const end = Date.now() + ms
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('the condition was not met in time')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

export const kindsOf = (outcomes: readonly Outcome<unknown>[]): string[] => outcomes.map(({ kind }) => kind).sort()

/** The books, the chain and the ledger tell the same. */
export async function booksAgree(scene: Scene): Promise<void> {
  const paid = await scene.database.sql
    .selectFrom('payments')
    .select('amount')
    .where('state', 'in', ['settled', 'delivering', 'delivered'])
    .execute()
  const sum = paid.reduce((total, { amount }) => total + amount, 0)
  assert.equal(await scene.booked(), sum)
  assert.equal(scene.earned(), BigInt(sum))
}
