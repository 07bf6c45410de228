import { test } from 'node:test'
import { runs } from '../support/chance.ts'
import { emptyDatabase } from '../support/database.ts'
import { envelopeV1, envelopeV2, read, transferTransaction } from '../support/payments-fixtures.ts'
import fc from '../support/property.ts'
import { createWorld, type World } from './payments-world.ts'

/**
 * Histories of payments: copies, other requests, faults of verification, work and settlement, deaths of the process
 * before and after any write, lost and late transactions. The world checks after each step that nothing is answered
 * before it is paid, nothing is settled twice, no payment has two answers, nothing is released that may be paid, and that every change
 * has its entry in the books; at the end books, ledger and chain agree.
 */
type Act = (world: World) => Promise<void> | void

const few = fc.nat(2)
const any = fc.nat(1_000)
const act: fc.Arbitrary<readonly [string, Act]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(few, fc.nat(1))
      .map(([payment, request]) => named(`start ${payment} for ${request}`, (w) => w.start(payment, request))),
  },
  {
    weight: 14,
    arbitrary: fc
      .tuple(any, any)
      .map(([which, choice]) => named(`pass ${which} ${choice}`, (w) => w.pass(which, choice))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(few, fc.boolean())
      .map(([payment, lands]) => named(`chain ${payment} ${lands}`, (w) => w.chain(payment, lands))),
  },
  { weight: 2, arbitrary: fc.constantFrom(0, 200_000).map((ms) => named(`tick ${ms}`, (w) => w.tick(ms))) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.boolean())
      .map(([calls, before]) => named(`fuse ${calls} ${before}`, (w) => w.fuse(calls, before))),
  },
  { weight: 1, arbitrary: fc.constant(named('crash', (w) => w.crash())) },
)

function named(name: string, run: Act): readonly [string, Act] {
  return Object.assign([name, run] as const, { [fc.toStringMethod]: () => name })
}

const RUNS = runs(60)

for (const signsFirst of [true, false]) {
  test(`histories of payments, ${signsFirst ? 'with our own fee payer' : 'at a facilitator over HTTP'}`, async (t) => {
    const database = await emptyDatabase(t)
    const transactions = await Promise.all([0, 1, 2].map(() => transferTransaction()))
    const payments = transactions.map((transaction, i) =>
      read(i === 1 ? envelopeV1(transaction) : envelopeV2(transaction)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (acts) => {
        const world = await createWorld({ database, payments, signsFirst })
        try {
          for (const [, run] of acts) {
            await run(world)
            await world.check()
          }
          await world.rest()
        } finally {
          world.stop()
        }
      }),
      { numRuns: RUNS, includeErrorInReport: true },
    )
  })
}
