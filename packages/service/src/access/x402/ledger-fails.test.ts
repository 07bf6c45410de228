import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { generateKeyPairSigner } from '@solana/kit'
import { type SandboxChain, startSandboxChain } from '@ti/sandbox/chain.ts'
import { emptyDatabase } from '../../../../../test/support/database.ts'
import {
  callOf,
  envelopeV2,
  read,
  someone,
  TEXT,
  transferTransaction,
} from '../../../../../test/support/payments-fixtures.ts'
import { eventually } from '../../../../../test/support/wait.ts'
import { createLogger } from '../../base/log.ts'
import { createSolanaRpc } from '../solana-rpc.ts'
import { createCashier } from './cashier.ts'
import { createChain } from './chain.ts'
import { createLedger, LEASE_MS, type Ledger } from './ledger.ts'
import { createLedgerWrites } from './ledger-writes.ts'
import { createSelfFacilitator } from './self.ts'
import type { Outcome } from './types.ts'

/** A ledger that stops answering at one step of a payment: before the step was written, or after. */
const PRICE = 10_000
const STEPS = ['reserve', 'settling', 'sign', 'settled', 'answered'] as const
type Step = (typeof STEPS)[number]
const MOMENTS = ['before', 'after'] as const
type Moment = (typeof MOMENTS)[number]

/** failures in a row: the step's own, and those of what is tried again */
const FAILURES = 3

/** From the step on the next calls that change something fail; the step's own is written first with `after`. */
function failing(ledger: Ledger, step: Step, moment: Moment): Ledger {
  let left = 0
  let begun = false
  const wrapped: Record<string, unknown> = { ...ledger }
  for (const name of [...STEPS, 'answer', 'release', 'takeOver', 'pause', 'find'] as const) {
    const real = ledger[name] as (...given: unknown[]) => Promise<unknown>
    wrapped[name] = async (...given: unknown[]) => {
      const isStep = !begun && name === step
      if (isStep) {
        begun = true
        left = FAILURES
        if (moment === 'after') await real(...given)
      }
      if (left-- > 0) throw new Error('the ledger does not answer')
      return real(...given)
    }
  }
  return wrapped as unknown as Ledger
}

async function blockhashOf({ rpcUrl }: SandboxChain): Promise<string> {
  const { value } = (await createSolanaRpc({ url: rpcUrl })('getLatestBlockhash', [])) as {
    value: { blockhash: string }
  }
  return value.blockhash
}

async function scene(t: TestContext) {
  const database = await emptyDatabase(t)
  const chain = await startSandboxChain({ slotMs: 0 })
  t.after(chain.close)
  const clock = { aheadMs: 0 }
  const now = () => Date.now() + clock.aheadMs
  const logger = createLogger('silent')
  const { seller: payTo, feePayer, feePayerSecret, rpcUrl } = chain
  const ledger = createLedger({ database, now })
  const node = createChain({ rpcUrl, now, confirmMs: 300, pollMs: 10 })

  async function sell(step: Step, moment: Moment) {
    const shaky = failing(ledger, step, moment)
    const money = { feePayerSecret, payTo, mainnet: false, confirmMs: 300 }
    const facilitator = await createSelfFacilitator({ ...money, chain: node, ledger: shaky, logger, now })
    const retry = { retryMs: 60_000, pauseMs: 5, waiting: 10 }
    const own = { ledger: shaky, facilitator, payTo, logger, now, retry }
    const cashier = await createCashier({ ...own, mode: 'self', roundMs: null })
    await cashier.started
    const buyer = await generateKeyPairSigner()
    chain.fund(buyer.address, { usdc: BigInt(PRICE) })
    const blockhash = await blockhashOf(chain)
    const transaction = await transferTransaction({ buyer, payTo, feePayer, amount: PRICE, blockhash })
    const payment = read(envelopeV2(transaction, PRICE, payTo, feePayer))
    let made = 0
    const work = () => ({ answer: `answer ${++made}`, charge: true })
    const pay = () => cashier.pay(payment, callOf('new', PRICE), someone, work, TEXT)
    return { cashier, payment, pay }
  }
  const bookedFor = async (hash: string): Promise<number> => {
    const rows = await database.sql.selectFrom('payment_events').selectAll().where('hash', '=', hash).execute()
    return rows.reduce((sum, { state, amount }) => sum + (state === 'settled' ? amount : 0), 0)
  }
  return { chain, clock, ledger, sell, bookedFor }
}

const FIRST: Readonly<Record<Step, Outcome<string>['kind']>> = {
  reserve: 'unavailable',
  settling: 'unavailable',
  sign: 'uncertain',
  settled: 'uncertain',
  answered: 'uncertain',
}

test('wherever the ledger stops answering, the payment is charged once and answered with the same', async (t) => {
  const { chain, clock, ledger, sell, bookedFor } = await scene(t)
  for (const step of STEPS) {
    for (const moment of MOMENTS) {
      const name = `${moment} ${step}`
      const earned = chain.tokens(chain.seller)
      const { cashier, payment, pay } = await sell(step, moment)
      // an answer is made after the settlement only where its end was not known at first
      chain.knobs.hideStatuses = step === 'answered'
      const first = await pay()
      assert.equal(first.kind, FIRST[step], name)
      chain.knobs.hideStatuses = false
      const answers: string[] = []
      const passed = clock.aheadMs
      await eventually(
        `${name}: answered, three times alike`,
        async () => {
          const outcome = await pay()
          if (outcome.kind === 'paid') answers.push(outcome.answer)
          else if (step === 'reserve' && moment === 'after') {
            // no process knows of that reservation: it ends with its lease
            assert.match(outcome.kind, /uncertain|unavailable/)
            clock.aheadMs = passed + LEASE_MS + 1
            await cashier.tick()
          }
          return answers.length === 3
        },
        { deadlineMs: 60_000 },
      )
      assert.equal(new Set(answers).size, 1, name)
      assert.equal((await ledger.find(payment.hash))?.state, 'answered', name)
      assert.equal(Number(chain.tokens(chain.seller) - earned), PRICE, name)
      assert.equal(await bookedFor(payment.hash), PRICE, name)
      await cashier.close()
    }
  }
})

test('what is tried again ends: with success, with its time, when stopped, and where too many wait', async () => {
  const fail = (): Promise<never> => Promise.reject(new Error('never'))
  let tries = 0
  const third = async (): Promise<number> => (++tries < 3 ? fail() : tries)
  const bounds = { retryMs: 60_000, pauseMs: 1, waiting: 1 }
  assert.equal(await createLedgerWrites(bounds).write(third), 3)
  await assert.rejects(createLedgerWrites({ ...bounds, retryMs: 0 }).write(fail), /never/)

  const writes = createLedgerWrites(bounds)
  const first = writes.write(fail)
  first.catch(() => {})
  await assert.rejects(writes.write(fail), /never/, 'there is no room')
  writes.stop()
  await assert.rejects(first, /never/)
})
