import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDatabase } from '../../../../test/support/database.ts'
import fc from '../../../../test/support/property.ts'
import { createLogger } from '../base/log.ts'
import { createTrials, TRIALS, type TrialSeat } from './trials.ts'

const HOUR_MS = 3_600_000
const { spanMs: SPAN_MS, windowMs: WINDOW_MS } = TRIALS
const START_MS = Date.UTC(2026, 0, 1, 10)

type Step =
  | { readonly do: 'open' | 'write'; readonly account: number }
  | { readonly do: 'release'; readonly account: number; readonly which: number }
  | { readonly do: 'pass'; readonly ms: number }

const account = fc.constantFrom(0, 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('open' as const), account }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('write' as const), account }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('release' as const), account, which: fc.nat(9) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.oneof(fc.integer({ min: -5_000, max: 10_000 }), fc.integer({ min: 0, max: HOUR_MS / 2 })),
    }),
  },
)

/** What should be, of one account: its open seats, and spans since 1970 → ms. */
interface Model {
  readonly seats: TrialSeat[]
  readonly used: Map<number, number>
}

/** Adds an interval to the spans it touches. */
function addTo({ seats, used }: Model, fromMs: number, toMs: number): void {
  if (seats.length === 0) return
  for (let span = Math.floor(fromMs / SPAN_MS); span * SPAN_MS < toMs; span++) {
    const inside = Math.min(toMs, (span + 1) * SPAN_MS) - Math.max(fromMs, span * SPAN_MS)
    if (inside > 0) used.set(span, (used.get(span) ?? 0) + inside)
  }
}

/** Milliseconds until less than the trial is used. */
function waitMs({ used }: Model, nowMs: number): number {
  const ends = (span: number) => (span + 1) * SPAN_MS + WINDOW_MS
  const counted = [...used].filter(([span]) => span * SPAN_MS <= nowMs && nowMs < ends(span)).sort(([a], [b]) => a - b)
  let sum = counted.reduce((all, [, ms]) => all + ms, 0)
  let wait = 0
  for (const [span, ms] of counted) {
    if (sum < TRIALS.ms) break
    sum -= ms
    wait = ends(span) - nowMs
  }
  return wait
}

const asTable = ({ used }: Model): Record<number, number> => Object.fromEntries(used)

test('any history of sockets: the union of their times in each span, exact when closed, at least what was written when not', async (t) => {
  const database = await emptyDatabase(t)
  let run = 0
  const history = fc.array(step, { maxLength: 60, size: 'max' })
  await fc.assert(
    fc.asyncProperty(history, fc.boolean(), async (steps, crash) => {
      run++
      let ms = START_MS
      const logger = createLogger('silent')
      // pages of one row, and no writing but those asked for
      const bounds = { ...TRIALS, rows: 1, writeMs: 2 ** 30 }
      const trials = createTrials(database, { now: () => ms, logger, bounds })
      const names = [`${run} a`, `${run} b`]
      const models: Model[] = names.map(() => ({ seats: [], used: new Map() }))
      const hasTime = (model: Model) => waitMs(model, ms) === 0
      let written = models.map(asTable)
      for (const step of steps) {
        if (step.do === 'pass') {
          for (const model of models) addTo(model, ms, ms + step.ms)
          ms += step.ms
        } else if (step.do === 'write') {
          await trials.write()
          written = models.map(asTable)
        } else if (step.do === 'release') {
          models[step.account]!.seats.splice(step.which, 1)[0]?.release()
        } else {
          const model = models[step.account]!
          const decision = await trials.open(names[step.account]!)
          const waitS = Math.ceil(waitMs(model, ms) / 1000)
          if (decision.ok) model.seats.push(decision.seat)
          assert.deepEqual(decision.ok || decision.retryAfterS, hasTime(model) || waitS)
        }
        // a clock that is set back is noticed when somebody looks
        for (const model of models) for (const seat of model.seats) assert.equal(seat.hasTime(), hasTime(model))
      }
      if (!crash) await trials.close()
      for (const [i, model] of models.entries()) {
        const rows = await database.sql.selectFrom('trials').selectAll().where('account', '=', names[i]!).execute()
        const found = Object.fromEntries(rows.map((row) => [row.started_at.getTime() / SPAN_MS, row.used_ms]))
        const exact = asTable(model)
        if (!crash) assert.deepEqual(found, exact)
        for (const [span, used] of Object.entries(exact)) {
          const there = found[Number(span)] ?? 0
          assert.ok(there <= used && there >= (written[i]![Number(span)] ?? 0), `${there} of ${used} in span ${span}`)
        }
      }
      if (crash) for (const model of models) for (const seat of model.seats) seat.release()
      await trials.close()
    }),
    {
      numRuns: 60,
      // the clock is set back over the turn of a span that was used up and written
      examples: [
        [
          [
            { do: 'open', account: 0 },
            { do: 'pass', ms: HOUR_MS },
            { do: 'write', account: 0 },
            { do: 'pass', ms: -1 },
          ],
          false,
        ],
      ],
    },
  )
})
