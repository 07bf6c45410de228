import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { KeyPairSigner } from '@solana/kit'
import type { Query } from '@ti/core/query/query.ts'
import { createMemoryWindows, WINDOW_MS } from '@ti/service/access/rate-limits/windows.ts'
import type { CashierOptions, RunningCashier } from '@ti/service/access/x402/cashier.ts'
import type { Facilitator } from '@ti/service/access/x402/facilitator.ts'
import type { Ledger } from '@ti/service/access/x402/ledger.ts'
import { LEASE_MS } from '@ti/service/access/x402/ledger.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { fakeQuery, KEYS } from '../../support/fake-service.ts'
import { openPaymentWorld, type PaymentWorld } from '../../support/payment-world.ts'
import { callOf, type SignedPayment } from '../../support/payments-fixtures.ts'
import { type Door, openDoor, type Sales } from './door.ts'

/** Prices in USDC units. */
export const SNAPSHOT = 20_000
export const OTHER = 10_000

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
export interface Scene extends Running, Omit<PaymentWorld, 'sign'> {
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
  /** all rate windows start anew */
  nextMinute(): void
  /** a payment as the official client of that version signs it */
  sign(buyer: KeyPairSigner, price?: number, version?: 1 | 2): Promise<SignedPayment>
  /** another process over the same database, as after a crash of the first: what hung there hangs for ever */
  restart(): Promise<Running>
  /** the row's state in the ledger; undefined: none was ever written, or it is forgotten */
  state(payment: SignedPayment): Promise<string | undefined>
}

/** place in the base64 of a transaction with two signatures where the message has begun */
const MESSAGE_AT = 176

export async function openScene(t: TestContext, options: SceneOptions = {}): Promise<Scene> {
  const logged: string[] = []
  const logger = createLogger('debug', { write: (line: string) => void logged.push(line) })
  const calls = { verify: 0, settle: 0 }
  const world = await openPaymentWorld(t, {
    logger,
    facilitator: (real) => counted({ ...real, ...options.facilitator?.(real) }, calls),
  })
  const { chain } = world
  const secrets = new Set<string>(Object.values(KEYS))
  const minutes = { passed: 0 }
  const sales: Sales = { units: 0, answers: new Map() }
  const hooks = { atWork: (): void => {}, dieBeforeAnswer: false }
  const query = watched({ ...fakeQuery(), ...options.query }, () => hooks.atWork())

  async function run(): Promise<Running> {
    const { ledger, cashier } = await world.open({ times: options.times ?? {} })
    const windows = createMemoryWindows(() => minutes.passed * WINDOW_MS)
    const door = await openDoor({
      cashier: mortal(cashier, () => hooks.dieBeforeAnswer),
      windows,
      query,
      logger,
      sales,
    })
    world.closing(() => {
      chain.knobs.before = undefined
      chain.knobs.release()
      return door.close()
    })
    assert.equal(cashier.status().reason, null)
    return { ...door, cashier, ledger }
  }

  /** Nothing of a payment may be found in the log; the fee payer's signature changes what stands before the message. */
  function kept(payment: SignedPayment): SignedPayment {
    const { transaction, v1Text, v2Text } = payment
    for (const secret of [transaction, transaction.slice(MESSAGE_AT), v1Text, v2Text])
      if (secret !== '') secrets.add(secret)
    return payment
  }

  const first = await run()
  const scene: Scene = {
    ...world,
    ...first,
    logged,
    secrets,
    calls,
    sales,
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
    sign: async (buyer, price = OTHER, version = 2) =>
      kept(await world.sign(first.cashier, buyer, callOf('any', price), version)),
    byHand: async (transfer) => kept(await world.byHand(transfer)),
    forms: (transaction, price) => kept(world.forms(transaction, price)),
    restart() {
      // on a server that others may use, what the dead process held is its own until then
      world.clock.offsetMs += LEASE_MS + 1_000
      return run()
    },
    state: async ({ hash }) => (await first.ledger.find(hash))?.state,
  }
  world.closing(() => checkEnd(scene, options.errors === true))
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

/** Books, ledger and chain have one sum; the log has nothing that its reader could use. */
async function checkEnd({ booksAgree, logged, secrets }: Scene, errors: boolean) {
  await booksAgree()
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
