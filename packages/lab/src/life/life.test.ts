import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { importFiles } from '../import/import.ts'
import type { Driver } from './driver.ts'
import { playLife, writeLife } from './life.ts'
import { TOKEN_DRIVER } from './token-driver.ts'

const life = (seed: number, steps = 40) => playLife(TOKEN_DRIVER, { seed, steps, programs: null })

test('a seed makes the same bytes, and another seed another life', async () => {
  const [one, again, other] = [await life(3), await life(3), await life(4)]
  assert.deepEqual(again, one)
  assert.notDeepEqual(other, one)
})

test('lives have everything that can happen to tokens', async () => {
  const seen = new Set<unknown>()
  for (let seed = 1; seed <= 12; seed++) for (const { expected } of await life(seed, 60)) seen.add(expected?.what)
  assert.deepEqual([...seen].sort(), [
    ...['approve', 'burn', 'buy', 'buy_for', 'close', 'collect_fees', 'create', 'delegated', 'gift', 'gift_new'],
    ...['hand_over', 'lock', 'second_account', 'sell', 'too_much'],
  ])
})

test('what is written is imported, one transaction a file', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'life-'))
  try {
    const steps = await life(5)
    writeLife(steps, join(dir, 'life'))
    const files = readdirSync(join(dir, 'life')).filter((name) => name.endsWith('.json'))
    assert.deepEqual(
      files.sort().map((name) => name.replace(/^\d+_(.*)\.json$/, '$1')),
      steps.map(({ label }) => label),
    )
    const report = await importFiles(
      files.map((name) => join(dir, 'life', name)),
      join(dir, 'out.capture'),
    )
    assert.equal(report.written.transactions, steps.length)
    assert.deepEqual(report.notes, {})
    const expected = JSON.parse(readFileSync(join(dir, 'life/expect.jsonx'), 'utf8')) as object[]
    assert.deepEqual(
      expected,
      steps.map((step) => step.expected),
    )
    assert.throws(() => writeLife(steps, join(dir, 'life')), /is not empty/)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

test('a program that is not there is asked for by its address', async () => {
  const driver: Driver = { programs: ['Program1111111111111111111111111111111111111'], play: async () => {} }
  await assert.rejects(playLife(driver, { seed: 1, steps: 1, programs: null }), /solana program dump Program1/)
})
