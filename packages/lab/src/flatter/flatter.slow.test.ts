import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed as seedOf } from '../../../../test/support/chance.ts'
import { BUDGETS, flatter } from './flatter.ts'
import { GRIEF_NAMES } from './griefing.ts'
import { moveOf, tricksSection } from './section.ts'
import { TRICK_NAMES } from './tricks.ts'

/** A small `evaluate --tricks`. */
const OPTIONS = { market: 3, tps: 12, slots: 9_000, most: 3, signal: new AbortController().signal, update() {} }

test('tricks: each is played on rugs and rivals, costs what it costs, and is a row of the table', async (t) => {
  const seed = seedOf(1)
  const flattery = await flatter({ ...OPTIONS, seed })
  const { rugs, rivals } = flattery
  t.diagnostic(`seed ${seed}: ${rugs.length} rugs, ${rivals.length} rivals`)
  assert.ok(rugs.length > 0 && rivals.length > 0)
  for (const { attempts } of rugs) assert.equal(attempts.length, TRICK_NAMES.length * BUDGETS.length)
  for (const { attempts, usual } of rivals) {
    assert.equal(attempts.length, GRIEF_NAMES.length * BUDGETS.length)
    assert.equal(usual.net, 0)
    for (const { trick, net, held, budget, colours } of attempts) {
      assert.equal(colours.length, 4)
      // whoever has bought pays fees; only a large bag can gain with the price
      assert.ok(-net <= budget && (net <= 0 || trick === 'buy_and_leave'), `${trick}: ${net}`)
      assert.ok(held.every((share) => share >= 0 && share < 0.1))
    }
    const dust = attempts.find(({ trick }) => trick === 'rugger_dust')!
    assert.ok(dust.net < 0 && dust.net > -10_000_000)
  }
  const { lines, bars } = tricksSection(flattery)
  for (const trick of [...TRICK_NAMES, ...GRIEF_NAMES]) assert.ok(lines.join('\n').includes(`\`${trick}\``), trick)
  assert.equal(bars.length, 2)
  for (const { passed } of bars) assert.notEqual(passed, null)
})

test('a rival is moved by a worse colour, a rug by green, at the first reading that shows it', () => {
  const usual = { colours: ['grey', 'yellow', 'red'], held: [0, 0, 0], net: 5 } as const
  const trial = { mint: 'x', usual, control: usual, attempts: [] }
  const attempt = { trick: 'x', budget: 1, colours: ['grey', 'red', 'green'], held: [0, 0.02, 0.03], net: 1 } as const
  assert.deepEqual(moveOf(trial, attempt, true), { attempt, from: 'yellow', to: 'red', lost: 4, held: 0.02 })
  assert.deepEqual(moveOf(trial, attempt, false), { attempt, from: 'red', to: 'green', lost: 4, held: 0.03 })
  assert.equal(moveOf(trial, { ...attempt, colours: ['grey', 'yellow', 'grey'] }, true), null)
  const control = { ...usual, colours: ['grey', 'red', 'red'] } as const
  assert.equal(moveOf({ ...trial, control }, attempt, true), null)
})
