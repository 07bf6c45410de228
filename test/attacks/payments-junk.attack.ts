import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forkJunkRun } from './junk-run.ts'

const SECONDS = 5

// before: an honest call took 2.9 s instead of 24 ms; how long it takes now is measured by `npm run bench -- junk`
test('99 junk payments and 200 challenges a second: a payer known here is served, nothing is written', async (t) => {
  const { busy, payments, challenges, written, stored } = await forkJunkRun(SECONDS)
  const sent = [payments, challenges].map(({ statuses, tookMs }) => `${statuses.length} in ${tookMs.toFixed(0)} ms`)
  t.diagnostic(`${busy.length} paid calls, junk payments: ${sent[0]}, challenges: ${sent[1]}`)
  assert.ok(busy.length > 0)
  assert.ok(payments.statuses.every((status) => status === 402 || status === 503))
  assert.ok(challenges.statuses.every((status) => status === 200))
  assert.equal(written, 0, 'nothing is written for a stranger without money')
  assert.equal(stored, 0)
})
