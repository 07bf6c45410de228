import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { command } from './service.ts'

interface Report {
  readonly sources: readonly {
    readonly tokens: number
    readonly integrity: {
      readonly stateHashes: readonly string[]
      readonly prefix: { readonly cuts: number; readonly differing: number }
    }
  }[]
}

/** A run that was cut and restarted ends as the whole one does. */
function isWhole({ sources: [source] }: Report): void {
  const { integrity, tokens } = source!
  assert.equal(new Set(integrity.stateHashes).size, 1)
  assert.ok(integrity.prefix.cuts > 0)
  assert.equal(integrity.prefix.differing, 0)
  assert.ok(tokens > 100)
}

const dir = mkdtempSync(join(tmpdir(), 'evaluate-'))
after(() => rmSync(dir, { recursive: true, force: true }))

interface Bundles {
  readonly found: number
  readonly correct: number
  readonly sniperPairs: number
  readonly sniperMerges: number
  readonly byType: readonly { readonly type: string; readonly planted: number; readonly recalled: number }[]
}

/** False merges are the worse error. */
function mergesLittle(all: Bundles): void {
  assert.ok(all.sniperPairs > 100)
  assert.ok(all.sniperMerges <= 0.05 * all.sniperPairs, `${all.sniperMerges} of ${all.sniperPairs} independent pairs`)
  assert.ok(all.correct >= 0.95 * all.found, `${all.correct} of ${all.found} found pairs were planted`)
}

function findsPairs(all: Bundles, types: readonly string[], least: number): void {
  for (const type of types) {
    const { recalled, planted } = all.byType.find((one) => one.type === type)!
    assert.ok(planted > 30 && recalled >= least * planted, `${type}: ${recalled} of ${planted} pairs`)
  }
}

test('evaluate finds groups that were planted by the plain rules', async (t) => {
  const capture = join(dir, 'market.capture')
  const out = join(dir, 'plain')
  // two hours and a half, so that most launches have had their hour
  await command('capture', 'simulate', capture, '--slots', '22000', '--tps', '12', '--seed', '9', '--market', '2')
  assert.equal((await command('evaluate', capture, '--out', out)).trim(), join(out, 'report.md'))
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))
  isWhole(report)
  const { all } = report.bundles as { all: Bundles }
  t.diagnostic(all.byType.map(({ type, recalled, planted }) => `${type} ${recalled} of ${planted}`).join(', '))
  findsPairs(all, ['same_tx', 'same_slot', 'farm'], 0.9)
  mergesLittle(all)
})

test('evaluate says what it is, compares runs cut short, counts what the fold counts, and finds who hides', async (t) => {
  const out = join(dir, 'report')
  // two hours of it: most launches have had their hour, and questions of it are answered
  const market = ['--seeds', '9', '--trades', '90000', '--tps', '12']
  assert.equal((await command('evaluate', ...market, '--out', out)).trim(), join(out, 'report.md'))
  const text = readFileSync(join(out, 'report.md'), 'utf8')
  assert.match(text.split('\n')[0]!, /simulated: what follows proves the plumbing, not market skill/)
  assert.match(text, /## What did not work/)
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))
  isWhole(report)
  const [{ counted }] = report.sources
  t.diagnostic(JSON.stringify(counted))
  for (const question of ['drain', 'halving', 'buyer']) {
    assert.ok(counted.trades[question].n > 20, question)
    assert.deepEqual(counted.fold[question], counted.trades[question], question)
  }
  assert.deepEqual([report.greens.deadGreen, report.greens.phantomGreen], [0, 0])
  const { all } = report.bundles as { all: Bundles }
  t.diagnostic(all.byType.map(({ type, recalled, planted }) => `${type} ${recalled} of ${planted}`).join(', '))
  // how much is found of who hides is the report's matter: three seeds of four times this size
  findsPairs(all, ['same_slot', 'farm'], 0.7)
  mergesLittle(all)
})
