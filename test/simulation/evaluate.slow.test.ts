import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { command } from './service.ts'

const dir = mkdtempSync(join(tmpdir(), 'evaluate-'))
after(() => rmSync(dir, { recursive: true, force: true }))

interface Bundles {
  readonly found: number
  readonly correct: number
  readonly sniperPairs: number
  readonly sniperMerges: number
  readonly byType: readonly { readonly type: string; readonly planted: number; readonly recalled: number }[]
}

test('evaluate says what it is, compares runs cut short, counts what the fold counts, and finds planted groups', async (t) => {
  const out = join(dir, 'report')
  // two hours of it: most launches have had their hour, and questions of it are answered
  const market = ['--seeds', '9', '--trades', '90000', '--tps', '12']
  assert.equal((await command('evaluate', ...market, '--out', out)).trim(), join(out, 'report.md'))
  const text = readFileSync(join(out, 'report.md'), 'utf8')
  assert.match(text.split('\n')[0]!, /simulated: what follows proves the plumbing, not market skill/)
  assert.match(text, /## What did not work/)
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))
  const [{ integrity, counted, tokens }] = report.sources
  assert.equal(new Set(integrity.stateHashes).size, 1, 'a run that was cut and restarted ends as the whole one does')
  assert.ok(integrity.prefix.cuts > 0)
  assert.equal(integrity.prefix.differing, 0)
  assert.ok(tokens > 100)
  t.diagnostic(JSON.stringify(counted))
  for (const question of ['drain', 'halving', 'buyer']) {
    assert.ok(counted.trades[question].n > 20, question)
    assert.deepEqual(counted.fold[question], counted.trades[question], question)
  }
  assert.deepEqual([report.greens.deadGreen, report.greens.phantomGreen], [0, 0])
  const { all } = report.bundles as { all: Bundles }
  t.diagnostic(all.byType.map(({ type, recalled, planted }) => `${type} ${recalled} of ${planted}`).join(', '))
  // half of what is found on larger markets: how much is found is the report's matter, here nothing may be lost altogether
  for (const type of ['same_slot', 'farm']) {
    const { recalled, planted } = all.byType.find((one) => one.type === type)!
    assert.ok(planted > 30 && recalled >= 0.5 * planted, `${type}: ${recalled} of ${planted} pairs`)
  }
  // false merges are the worse error
  assert.ok(all.sniperPairs > 100)
  assert.ok(all.sniperMerges <= 0.05 * all.sniperPairs, `${all.sniperMerges} of ${all.sniperPairs} independent pairs`)
  assert.ok(all.correct >= 0.8 * all.found, `${all.correct} of ${all.found} found pairs were planted`)
})
