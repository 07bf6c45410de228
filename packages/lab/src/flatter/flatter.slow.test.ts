import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed as seedOf } from '../../../../test/support/chance.ts'
import { flatter } from './flatter.ts'
import { cheapGreens, flatteryPage } from './report.ts'

/** Tricks on the planted rugs of a small market, a small `evaluate --flatter`. */
const OPTIONS = { tps: 12, slots: 10_800, rugs: 12, signal: new AbortController().signal, update() {} }

test('with 1 SOL or less no trick turns the score of a planted rug from red to green', async (t) => {
  const seed = seedOf(1)
  const flattery = await flatter({ ...OPTIONS, seed })
  const { rugs } = flattery
  const red = rugs.filter(({ usual }) => usual.before.ratings.score === 'red')
  t.diagnostic(`seed ${seed}: ${rugs.length} rugs, ${red.length} with a red score before the exit`)
  assert.ok(red.length > 0)
  assert.deepEqual(cheapGreens(rugs), [])
  for (const { usual, attempts } of rugs) {
    assert.ok(usual.net !== 0 && usual.after.length === 3)
    assert.equal(attempts.length, 3 * 13)
    for (const { before, after } of attempts) assert.ok(before.score >= 0 && after.length === 3)
  }
  const dusted = rugs.flatMap(({ usual, attempts }) =>
    attempts.filter(({ trick }) => trick === 'dust_holders').map(({ before }) => before.score - usual.before.score),
  )
  assert.ok(
    dusted.every((gain) => Math.abs(gain) <= 0.3),
    `${dusted}`,
  )
  const page = flatteryPage(flattery, 'evaluate --flatter')
  for (const { trick } of rugs[0]!.attempts) assert.ok(page.includes(`\`${trick}\``))
  assert.ok(page.includes('No trick turns'))
})
