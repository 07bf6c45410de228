import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../../test/support/property.ts'
import { createFailedFees, FAILED_FEES } from './failed-fees.ts'
import type { Ledger } from './ledger.ts'
import { createPayers, FAILURE_WAIT_MS, FAILURE_WAIT_MS_MAX, standingOf, UNITS_PER_FAILURE } from './payers.ts'
import { TRANSACTION_COST } from './transaction.ts'
import { createTurns, type NoTurn, type Turn, type TurnEnd } from './turns.ts'

const FEE = TRANSACTION_COST.lamports
const UNITS = 10_000

interface Row {
  wallet: string
  paid: number
  failed: number
  failed_at: Date | null
  updated_at: Date
}

function scene(funds: (payer: string) => bigint | null = () => null) {
  let ms = 1_000_000_000
  const now = (): number => ms
  const rows = new Map<string, Row>()
  const rowOf = (wallet: string): Row => {
    const row = rows.get(wallet) ?? { wallet, paid: 0, failed: 0, failed_at: null, updated_at: new Date(ms) }
    rows.set(wallet, row)
    return row
  }
  const ledger = {
    payer: async (wallet: string) => rows.get(wallet) ?? null,
    payers: async (most: number) => [...rows.values()].slice(0, most),
  } as unknown as Ledger
  const payers = createPayers({ ledger, now })
  const failedFees = createFailedFees(now)
  const turns = createTurns({ payers, failedFees, funds: async (payer) => funds(payer), waitMs: 20 })
  /** as the ledger hears of it, before the turn ends */
  function end(payer: string, turn: Turn, how: TurnEnd): void {
    const row = rowOf(payer)
    if (how === 'landed') row.paid += UNITS
    if (how === 'failed') Object.assign(row, { failed: row.failed + 1, failed_at: new Date(ms) })
    turn.end(how)
  }
  const pass = (by: number): void => {
    ms += by
  }
  return { now, pass, rows, rowOf, payers, failedFees, turns, end }
}

test('a wait doubles with each failure that was not made up for, and ends', () => {
  const at = (failed: number, paid: number, sinceMs: number): number =>
    standingOf({ paid, failed, failed_at: new Date(0) }, sinceMs).waitMs
  const first = FAILURE_WAIT_MS
  assert.deepEqual(
    [1, 2, 3, 4].map((failed) => at(failed, 0, 0)),
    [first, 2 * first, 4 * first, 8 * first],
  )
  assert.equal(at(60, 0, 0), FAILURE_WAIT_MS_MAX)
  assert.deepEqual([at(1, 0, first - 1), at(1, 0, first), at(1, 0, 2 * first)], [1, 0, 0])
  assert.equal(at(4, 3 * UNITS_PER_FAILURE, 0), first)
  assert.deepEqual(standingOf({ paid: 0, failed: 0, failed_at: null }, 0), { known: false, credit: 0, waitMs: 0 })
})

test('one after another without credit; with it as many as it and the balance allow', async () => {
  let funds = 3n * BigInt(UNITS)
  const { turns, end, rowOf } = scene(() => funds)
  const first = await turns.take('a', UNITS)
  assert.ok(first.ok)
  const second = await turns.take('a', UNITS)
  assert.ok(!second.ok && /still being settled/.test(second.message))
  assert.ok((await turns.take('b', UNITS)).ok, 'others do not wait for it')
  end('a', first, 'landed')
  rowOf('c').paid = 10 * UNITS_PER_FAILURE
  const all = await Promise.all(Array.from({ length: 5 }, () => turns.take('c', UNITS)))
  assert.deepEqual(
    all.map(({ ok }) => ok),
    [true, true, true, false, false],
  )
  // whoever waits goes on when one before it ends and the balance still covers it
  const waiting = turns.take('c', UNITS)
  end('c', all[0] as Turn, 'unsent')
  assert.ok((await waiting).ok)
  funds = 0n
  assert.ok(!(await turns.take('c', UNITS)).ok)
})

test('when the sum for failures is used up, payers without credit wait and others do not', async () => {
  const { turns, end, rowOf, pass, failedFees } = scene()
  rowOf('known').paid = UNITS_PER_FAILURE
  const most = Math.floor(FAILED_FEES.lamports / FEE)
  for (let i = 0; i < most; i++) {
    const turn = await turns.take(`stranger ${i}`, UNITS)
    assert.ok(turn.ok)
    end(`stranger ${i}`, turn, 'failed')
  }
  const refused = (await turns.take('stranger', UNITS)) as NoTurn
  assert.ok(!refused.ok && /have never paid here/.test(refused.message))
  assert.ok((await turns.take('known', UNITS)).ok)
  pass(refused.retryAfterS * 1_000)
  assert.ok((await turns.take('stranger', UNITS)).ok)
  assert.ok(failedFees.left < FEE)
})

interface Step {
  readonly payer: number
  readonly how: TurnEnd
  readonly ends: boolean
  readonly ms: number
}
const STEP: fc.Arbitrary<Step> = fc.record({
  payer: fc.nat({ max: 30 }),
  how: fc.constantFrom('landed', 'failed', 'failed', 'unsent', 'open'),
  ends: fc.boolean(),
  ms: fc.constantFrom(0, 1_000, 30_000, 600_000),
})

test('whatever becomes of payments, what fails costs no more than the sum, what came back to it, and what was paid for', async () => {
  const run = async (steps: readonly Step[]): Promise<void> => {
    const { turns, end, pass, now } = scene()
    const start = now()
    const active: { readonly payer: string; readonly turn: Turn }[] = []
    const paid = new Map<string, number>()
    let [lost, units] = [0, 0]
    for (const { payer: number, how, ends, ms } of steps) {
      pass(ms)
      const payer = `payer ${number}`
      if (ends && active.length > 0) {
        const [one] = active.splice(number % active.length, 1)
        end(one!.payer, one!.turn, how)
        if (how === 'failed' || how === 'open') lost += FEE
        if (how === 'landed') {
          units += UNITS
          paid.set(one!.payer, (paid.get(one!.payer) ?? 0) + UNITS)
        }
        continue
      }
      const busy = active.some((one) => one.payer === payer)
      if (busy && (paid.get(payer) ?? 0) < UNITS_PER_FAILURE) continue
      const turn = await turns.take(payer, UNITS)
      if (turn.ok) active.push({ payer, turn })
    }
    const back = ((now() - start) / 60_000) * FAILED_FEES.lamportsPerMinute + units * FAILED_FEES.lamportsPerUnit
    const made = (units / UNITS_PER_FAILURE) * FEE
    assert.ok(lost <= FAILED_FEES.lamports + back + made, `${lost} lamports`)
  }
  await fc.assert(fc.asyncProperty(fc.array(STEP, { minLength: 50, maxLength: 400 }), run), { numRuns: 50 })
})
