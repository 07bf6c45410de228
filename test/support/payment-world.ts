import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import { type SandboxChain, startSandboxChain } from '@ti/sandbox/chain.ts'
import { type CashierOptions, createCashier, type RunningCashier } from '@ti/service/access/x402/cashier.ts'
import { createChain } from '@ti/service/access/x402/chain.ts'
import type { Facilitator } from '@ti/service/access/x402/facilitator.ts'
import { createLedger, type Ledger } from '@ti/service/access/x402/ledger.ts'
import { createSelfFacilitator } from '@ti/service/access/x402/self.ts'
import type { PricedCall } from '@ti/service/access/x402/types.ts'
import { createLogger, type Logger } from '@ti/service/base/log.ts'
import type { PaymentRequirements } from '@x402/core/types'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client'
import { emptyDatabase, type TestDatabase } from './database.ts'
import { callOf, formsOf, rpc, type SignedPayment, type Transfer, transferTransaction } from './payments-fixtures.ts'

export const SILENT = createLogger('silent')

/** milliseconds a confirmation is waited for: longer than anything on this chain takes, unless a knob delays it */
const CONFIRM_MS = 300

/** One process of the service: its cashier over the ledger and the chain of the world. */
export interface PaymentProcess {
  readonly ledger: Ledger
  readonly cashier: RunningCashier
}

/** A chain of play money, a database, buyers, and processes that take payments with their own fee payer. */
export interface PaymentWorld {
  readonly chain: SandboxChain
  readonly database: TestDatabase
  /** milliseconds are added to what the processes take for the time */
  readonly clock: { offsetMs: number }
  now(): number
  /** starts a process; another one before it may still run, hang, or be dead */
  open(options?: Partial<CashierOptions>): Promise<PaymentProcess>
  /** a buyer with a dollar, or as many units as are given */
  buyer(usdc?: number | bigint): Promise<KeyPairSigner>
  /** a payment as the official client of that version signs it for what the cashier offers */
  sign(cashier: RunningCashier, buyer: KeyPairSigner, call?: PricedCall, version?: 1 | 2): Promise<SignedPayment>
  /** a payment made by hand: whatever is not given is as the official client makes it */
  byHand(transfer: Transfer, price?: number): Promise<SignedPayment>
  /** every form of a transaction that was made otherwise */
  forms(transaction: string, price?: number): SignedPayment
  /** units the seller has received */
  earned(): number
  /** asserts that books, chain and ledger have one sum */
  booksAgree(): Promise<void>
  /** closed before the chain and the database, the last one first */
  closing(close: Close): void
}

type Close = () => Promise<void> | void

export interface PaymentWorldOptions {
  /** a database that several processes may use; an embedded one is for one, so what another holds there is an orphan */
  readonly shared?: boolean
  readonly logger?: Logger
  /** replaces parts of our own fee payer */
  readonly facilitator?: (real: Facilitator) => Partial<Facilitator>
}

export async function openPaymentWorld(t: TestContext, options: PaymentWorldOptions = {}): Promise<PaymentWorld> {
  const { shared = false, logger = SILENT } = options
  const ends: Close[] = []
  t.after(() => closeAll(ends))
  // the last to be opened is the first to be closed; the hooks of a test run the other way round
  const opened = await emptyDatabase({ after: (close: Close) => void ends.push(close) } as TestContext)
  const database = shared ? { ...opened, embedded: false } : opened
  const chain = await startSandboxChain({ slotMs: 0 })
  ends.push(chain.close)
  const { rpcUrl, feePayer, feePayerSecret, seller: payTo } = chain
  const clock = { offsetMs: 0 }
  const now = (): number => Date.now() + clock.offsetMs
  const forms = (transaction: string, price = 10_000): SignedPayment => formsOf(transaction, price, { payTo, feePayer })

  return {
    chain,
    database,
    clock,
    now,
    forms,
    async open(more = {}) {
      const ledger = createLedger({ database, now })
      const node = createChain({ rpcUrl, now, confirmMs: CONFIRM_MS, pollMs: 10 })
      const money = { feePayerSecret, payTo, mainnet: false, confirmMs: CONFIRM_MS }
      const real = await createSelfFacilitator({ ...money, chain: node, ledger, logger, now })
      const facilitator = { ...real, ...options.facilitator?.(real) }
      const own = { ledger, facilitator, mode: 'sandbox', payTo, logger, now, roundMs: null } as const
      const cashier = await createCashier({ ...own, ...more })
      ends.push(async () => {
        chain.knobs.before = undefined
        chain.knobs.release()
        await cashier.close()
      })
      await cashier.started
      return { ledger, cashier }
    },
    async buyer(usdc = 1_000_000) {
      const buyer = await generateKeyPairSigner()
      chain.fund(buyer.address, { usdc: BigInt(usdc) })
      return buyer
    },
    async sign(cashier, buyer, call = callOf(), version = 2) {
      const { v2, accepts } = cashier.quote(call)
      const { payload } =
        version === 1
          ? await new ExactSvmSchemeV1(buyer, { rpcUrl }).createPaymentPayload(1, accepts[0] as PaymentRequirements)
          : await new ExactSvmScheme(buyer, { rpcUrl }).createPaymentPayload(2, v2.accepts[0] as PaymentRequirements)
      return forms((payload as { transaction: string }).transaction, call.amount)
    },
    async byHand(transfer, price) {
      const blockhash = transfer.blockhash ?? (await blockhashOf(rpcUrl))
      return forms(await transferTransaction({ payTo, feePayer, ...transfer, blockhash }), price)
    },
    earned: () => Number(chain.tokens(payTo)),
    async booksAgree() {
      const sum = async (table: 'payments' | 'payment_events', states: readonly string[]): Promise<number> => {
        const rows = await database.sql
          .selectFrom(table)
          .select('amount')
          .where('state', 'in', states as never)
          .execute()
        return rows.reduce((total, { amount }) => total + amount, 0)
      }
      const paid = await sum('payments', ['settled', 'answered'])
      const found = { books: await sum('payment_events', ['settled']), chain: Number(chain.tokens(payTo)) }
      assert.deepEqual(found, { books: paid, chain: paid })
    },
    closing: (close) => void ends.push(close),
  }
}

/** Closes all, the last one first; a failure of one does not leave the others open. */
async function closeAll(ends: Close[]): Promise<void> {
  const problems: unknown[] = []
  for (const close of ends.reverse())
    await Promise.resolve()
      .then(close)
      .catch((error) => problems.push(error))
  if (problems.length > 0) throw problems[0]
}

export async function blockhashOf(rpcUrl: string): Promise<string> {
  return (await rpc<{ value: { blockhash: string } }>(rpcUrl, 'getLatestBlockhash')).value.blockhash
}

/** Waits for a condition; the deadline is only there to end a test that has failed. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('the condition was not met in time')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
