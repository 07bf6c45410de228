import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runs, seed } from '../../../../../test/support/chance.ts'
import fc from '../../../../../test/support/property.ts'
import type { Key } from '../../base/ids.ts'
import type { Asked } from '../../model/outlook.ts'
import type { LiveToken } from '../resident.ts'
import { newToken } from '../tokens.ts'
import { noticeOutcomes, putQuestion } from './questions.ts'

const asked = (question: number, from: number): Asked => ({
  ...{ decided: false, hit: false, question, age: 0, dueSlot: 9_000, from, bins: 0, p: -1 },
})

const open = (id: number): Pick<LiveToken, 'token' | 'bounds'> => ({
  token: newToken(id, '1'.repeat(32) as Key, 0, 0),
  bounds: { reserve: 0, undecided: null },
})

const question = fc.record({ question: fc.nat(2), from: fc.integer({ min: 1, max: 40 }) })
const trade = fc.record({ price: fc.integer({ min: 1, max: 100 }), reserve: fc.nat(100) })
const rounds = fc.array(fc.record({ put: fc.option(question), trade }), { maxLength: 40 })

test('with the nearest levels kept, the same is decided as by looking at every question after every trade', () => {
  fc.assert(
    fc.property(rounds, (list) => {
      const [quick, plain] = [open(0), open(1)]
      for (const { put, trade } of list) {
        for (const live of [quick, plain]) {
          if (put !== null) putQuestion(live, asked(put.question, put.from))
          Object.assign(live.token, { quoteReserve: trade.price, baseReserve: 1, realQuote: trade.reserve })
        }
        plain.bounds.undecided = null
        noticeOutcomes(quick)
        noticeOutcomes(plain)
        assert.deepEqual(quick.token.asked, plain.token.asked)
      }
    }),
    { numRuns: runs(1_000), seed: seed() },
  )
})
