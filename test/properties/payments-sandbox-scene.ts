import type { TestContext } from 'node:test'
import type { KeyPairSigner } from '@solana/kit'
import type { CashierOptions, RunningCashier } from '@ti/service/access/x402/cashier.ts'
import { LEASE_MS } from '@ti/service/access/x402/ledger.ts'
import type { Client, Outcome, Payment, PricedCall, Work } from '@ti/service/access/x402/types.ts'
import { openPaymentWorld, type PaymentProcess, type PaymentWorld } from '../support/payment-world.ts'
import { callOf, read, someone } from '../support/payments-fixtures.ts'

/** A world with one process, of whose cashier the tests ask. */
export interface Scene extends PaymentProcess, Omit<PaymentWorld, 'sign'> {
  sign(buyer: KeyPairSigner, call?: PricedCall, version?: 1 | 2): Promise<Payment>
  pay<T>(payment: Payment, options?: Paying<T>): Promise<Outcome<T | string>>
  /** another process over the same database, as after a crash of the first: what hung there hangs for ever */
  restart(options?: Partial<CashierOptions>): Promise<PaymentProcess>
  state(payment: Payment): Promise<string | undefined>
}

export interface Paying<T> {
  readonly call?: PricedCall
  readonly client?: Client
  readonly work?: (signal: AbortSignal) => Work<T | string> | Promise<Work<T | string>>
  readonly by?: RunningCashier
}

/** any answer as JSON */
const JSON_FORM = { pack: (answer: unknown) => JSON.stringify(answer), unpack: (text: string) => JSON.parse(text) }

export const data = (): Work<string> => ({ answer: 'data', charge: true })

export async function openScene(
  t: TestContext,
  options: Partial<CashierOptions> = {},
  { shared = false } = {},
): Promise<Scene> {
  const world = await openPaymentWorld(t, { shared })
  const { ledger, cashier } = await world.open(options)
  return {
    ...world,
    ledger,
    cashier,
    restart(more = {}) {
      // where several processes may share the database, what one left behind is taken over when its lease ends
      if (!world.database.embedded) world.clock.offsetMs += LEASE_MS + 1_000
      return world.open({ ...options, ...more })
    },
    async sign(buyer, call, version = 2) {
      const { v1, v2 } = await world.sign(cashier, buyer, call, version)
      return read(version === 1 ? v1 : v2)
    },
    async pay(payment, { call = callOf(), client = someone, work = data, by = cashier } = {}) {
      return by.pay(payment, call, client, work, JSON_FORM)
    },
    state: async (payment) => (await ledger.find(payment.hash))?.state,
  }
}

export const kindsOf = (outcomes: readonly Outcome<unknown>[]): string[] => outcomes.map(({ kind }) => kind).sort()
