import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import type { Query } from '@ti/core/query/query.ts'
import { type SandboxChain, startSandboxChain } from '@ti/sandbox/chain.ts'
import { createMemoryWindows, WINDOW_MS } from '@ti/service/access/rate-limits/windows.ts'
import { type CashierOptions, createCashier, type RunningCashier } from '@ti/service/access/x402/cashier.ts'
import { createChain } from '@ti/service/access/x402/chain.ts'
import type { Facilitator } from '@ti/service/access/x402/facilitator.ts'
import { createLedger, type Ledger } from '@ti/service/access/x402/ledger.ts'
import { createSelfFacilitator } from '@ti/service/access/x402/self.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { LIMITS } from '@ti/service/config/limits.ts'
import type { PaymentRequirements } from '@x402/core/types'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'
import { fakeQuery, KEYS } from '../support/fake-service.ts'
import { type Transfer, transferTransaction } from '../support/payments-fixtures.ts'
import { type Door, openDoor, type Sales } from './x402-door.ts'
import { formsOf, rpc, type SignedPayment } from './x402-payments.ts'

/** Prices in USDC units. */
export const SNAPSHOT = 20_000
export const OTHER = 10_000

/** milliseconds a confirmation is waited for: longer than anything on this chain takes, unless a knob delays it */
const CONFIRM_MS = 300

export type SceneOptions = Pick<CashierOptions, 'times'> & {
  readonly query?: Partial<Query>
  /** what the facilitator does otherwise than our own fee payer */
  readonly facilitator?: (real: Facilitator) => Partial<Facilitator>
  /** the test makes the service fail: errors in the log are as they should be */
  readonly errors?: boolean
}

/** One running service: what a process has, over the database and the chain of the scene. */
export interface Running extends Door {
  readonly cashier: RunningCashier
  readonly ledger: Ledger
}

/**
 * Both faces with the real cashier, ledger and rate windows, over a chain of its own. When the test ends, the log is
 * searched for everything that must not be in it, and books, chain and ledger must tell the same.
 */
export interface Scene extends Running {
  readonly chain: SandboxChain
  readonly database: TestDatabase
  /** lines, at level debug */
  readonly logged: readonly string[]
  /** what must not be in the log when the test ends; keys and payments are here already */
  readonly secrets: Set<string>
  /** calls of the facilitator so far */
  readonly calls: { verify: number; settle: number }
  /** price of all paid answers that clients have got */
  readonly sales: Sales
  /** runs between verification and settlement, in the work itself */
  atWork: () => void
  /** a paid answer is never written: the process dies before */
  dieBeforeAnswer: boolean
  /** milliseconds are added to what the cashier takes for the time */
  readonly clock: { offsetMs: number }
  /** all rate windows start anew */
  nextMinute(): void
  /** a buyer with a dollar, or as much as is said */
  buyer(usdc?: number): Promise<KeyPairSigner>
  /** a payment as the official client of that version signs it */
  sign(buyer: KeyPairSigner, price?: number, version?: 1 | 2): Promise<SignedPayment>
  /** a payment made by hand: what is not said is as the official client makes it */
  byHand(transfer: Transfer): Promise<SignedPayment>
  /** every form of a transaction that was made otherwise */
  forms(transaction: string, price?: number): SignedPayment
  /** another process over the same database, as after a crash of the first: what hung there hangs for ever */
  restart(): Promise<Running>
  /** units the seller has received */
  earned(): number
  /** the row's state in the ledger; undefined: none was ever written, or it is forgotten */
  state(payment: SignedPayment): Promise<string | undefined>
}

/** place in the base64 of a transaction with two signatures where the message has begun */
const MESSAGE_AT = 176

type Close = () => Promise<void> | void

export async function openScene(t: TestContext, options: SceneOptions = {}): Promise<Scene> {
  const closing: Close[] = []
  t.after(async () => {
    const problems: unknown[] = []
    // what is left open would keep the process alive
    for (const close of closing.reverse())
      await Promise.resolve()
        .then(close)
        .catch((error) => problems.push(error))
    if (problems.length > 0) throw problems[0]
  })
  // what was opened last is closed first; the hooks of a test run the other way round
  const database = await emptyDatabase({ after: (close: Close) => void closing.push(close) } as TestContext)
  const chain = await startSandboxChain({ slotMs: 0 })
  closing.push(chain.close)
  const logged: string[] = []
  const logger = createLogger('debug', { write: (line: string) => void logged.push(line) })
  const secrets = new Set<string>(Object.values(KEYS))
  const clock = { offsetMs: 0 }
  const now = (): number => Date.now() + clock.offsetMs
  const minutes = { passed: 0 }
  const calls = { verify: 0, settle: 0 }
  const sales: Sales = { units: 0 }
  const hooks = { atWork: (): void => {}, dieBeforeAnswer: false }
  const query = watched({ ...fakeQuery(), ...options.query }, () => hooks.atWork())

  async function run(): Promise<Running> {
    const ledger = createLedger({ database, now })
    const facilitator = counted(await facilitatorFor(ledger), calls)
    const own = { ledger, facilitator, payTo: chain.seller, logger, now }
    const cashier = await createCashier({ ...own, mode: 'sandbox', roundMs: null, times: options.times ?? {} })
    const windows = createMemoryWindows(() => minutes.passed * WINDOW_MS)
    const door = await openDoor({
      cashier: mortal(cashier, () => hooks.dieBeforeAnswer),
      windows,
      query,
      logger,
      sales,
    })
    closing.push(async () => {
      chain.knobs.before = undefined
      chain.knobs.release()
      await door.close()
      await cashier.close()
    })
    await cashier.started
    assert.equal(cashier.status().reason, null)
    return { ...door, cashier, ledger }
  }

  async function facilitatorFor(ledger: Ledger): Promise<Facilitator> {
    const node = createChain({ rpcUrl: chain.rpcUrl, now, confirmMs: CONFIRM_MS, pollMs: 10 })
    const { feePayerSecret, seller: payTo } = chain
    const money = { feePayerSecret, payTo, mainnet: false, confirmMs: CONFIRM_MS }
    const real = await createSelfFacilitator({ ...money, chain: node, ledger, logger, now })
    return { ...real, ...options.facilitator?.(real) }
  }

  function forms(transaction: string, price = OTHER): SignedPayment {
    const payment = formsOf(transaction, price, { payTo: chain.seller, feePayer: chain.feePayer })
    // the message alone, too: the fee payer's signature changes what stands before it
    const message = transaction.slice(MESSAGE_AT)
    for (const secret of [transaction, message, payment.v1Text, payment.v2Text]) if (secret !== '') secrets.add(secret)
    return payment
  }

  const first = await run()
  const scene: Scene = {
    ...first,
    chain,
    database,
    logged,
    secrets,
    calls,
    sales,
    clock,
    get atWork() {
      return hooks.atWork
    },
    set atWork(hook) {
      hooks.atWork = hook
    },
    get dieBeforeAnswer() {
      return hooks.dieBeforeAnswer
    },
    set dieBeforeAnswer(dies) {
      hooks.dieBeforeAnswer = dies
    },
    nextMinute: () => void minutes.passed++,
    async buyer(usdc = 1_000_000) {
      const buyer = await generateKeyPairSigner()
      chain.fund(buyer.address, { usdc: BigInt(usdc) })
      return buyer
    },
    async sign(buyer, price = OTHER, version = 2) {
      const call = { operation: 'any', request: 'any', amount: price, resource: 'https://x.test/', description: '' }
      const { v2, accepts } = first.cashier.quote(call)
      const config = { rpcUrl: chain.rpcUrl }
      const { payload } =
        version === 1
          ? await new ExactSvmSchemeV1(buyer, config).createPaymentPayload(1, accepts[0] as PaymentRequirements)
          : await new ExactSvmScheme(buyer, config).createPaymentPayload(2, v2.accepts[0] as PaymentRequirements)
      return forms((payload as { transaction: string }).transaction, price)
    },
    async byHand(transfer) {
      const { seller: payTo, feePayer, rpcUrl } = chain
      const latest = async () =>
        (await rpc<{ value: { blockhash: string } }>(rpcUrl, 'getLatestBlockhash')).value.blockhash
      const blockhash = transfer.blockhash ?? (await latest())
      return forms(await transferTransaction({ payTo, feePayer, ...transfer, blockhash }))
    },
    forms,
    restart() {
      // on a server that others may use, what the dead process held is its own until then
      clock.offsetMs += LIMITS.paymentLeaseMs + 1_000
      return run()
    },
    earned: () => Number(chain.tokens(chain.seller)),
    state: async ({ hash }) => (await first.ledger.find(hash))?.state,
  }
  closing.push(() => checkEnd(scene, options.errors === true))
  return scene
}

/** A query that tells when it is asked. */
function watched(query: Query, tell: () => void): Query {
  const told = Object.entries(query).map(([name, run]) => [
    name,
    (...args: unknown[]) => {
      tell()
      return (run as (...args: unknown[]) => unknown)(...args)
    },
  ])
  return Object.fromEntries(told) as Query
}

/** A cashier of a process that may die between settlement and answer: what it would have said is never heard. */
function mortal(cashier: RunningCashier, dies: () => boolean): RunningCashier {
  return {
    ...cashier,
    async pay(payment, call, client, work, form) {
      const outcome = await cashier.pay(payment, call, client, work, form)
      return dies() ? new Promise<never>(() => {}) : outcome
    },
  }
}

function counted(real: Facilitator, calls: Scene['calls']): Facilitator {
  return {
    ...real,
    verify(order) {
      calls.verify++
      return real.verify(order)
    },
    settle(order, record) {
      calls.settle++
      return real.settle(order, record)
    },
  }
}

/** Books, ledger, chain: one sum. The log: nothing that could be used by whoever reads it. */
async function checkEnd({ database, earned, logged, secrets }: Scene, errors: boolean) {
  const sum = async (table: 'payments' | 'payment_events', states: readonly string[]): Promise<number> => {
    const rows = await database.sql
      .selectFrom(table)
      .select('amount')
      .where('state', 'in', states as never)
      .execute()
    return rows.reduce((total, { amount }) => total + amount, 0)
  }
  const paid = await sum('payments', ['settled', 'delivering', 'delivered'])
  assert.deepEqual([await sum('payment_events', ['settled']), earned()], [paid, paid], 'books, chain, ledger')
  const text = logged.join('')
  for (const secret of secrets) assert.ok(!text.includes(secret), `in the log: ${secret.slice(0, 40)}…`)
  assert.ok(!/cookie/i.test(text), 'a cookie in the log')
  if (!errors) {
    assert.deepEqual(
      logged.filter((line) => /"level":"(error|fatal)"/.test(line)),
      [],
    )
  }
}

/** Waits for a condition; the deadline is only there to end a test that has failed. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('the condition was not met in time')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
