import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { evaluateAll, writeReport } from './evaluate.ts'
import { toJson } from './json.ts'
import { SIMULATED, toMarkdown } from './markdown.ts'
import { plotsOf } from './plots.ts'
import type { Report } from './report.ts'
import type { Evaluation } from './sample.ts'
import { synthetic } from './synthetic.test.ts'

const SEED = 7
const skilled = synthetic({ seed: 1, tokens: 1500, scoreSkill: 1.2, mcapSkill: 0.4 })
const good = evaluateAll(skilled, SEED)
const blind = evaluateAll(synthetic({ seed: 2, tokens: 1500, scoreSkill: 0, mcapSkill: 1 }), SEED)

const failed = (report: Report, area: string): string[] =>
  report.bars.filter((bar) => bar.area === area && bar.passed === false).map(({ bar }) => bar)

test('a score that knows beats chance, market cap and counts', () => {
  const [primary] = good.judgements
  assert.ok(primary!.auroc.score.low! > 0.7, `seed 1: ${primary!.auroc.score.low}`)
  assert.ok(primary!.ahead.mcap.low! > 0)
  assert.ok(primary!.withinMcap.score.low! > 0.5)
  assert.ok(primary!.ahead.bothOfMcap.low! > 0)
  assert.equal(primary!.permuted!.passed, true)
  assert.deepEqual(
    failed(good, 't300 graduated_24h').filter((bar) => !bar.startsWith('bundle:')),
    [],
  )
})

test('bad outcomes are foretold by low scores', () => {
  const rugged = good.judgements.find(({ label }) => label === 'rugged_1h')!
  assert.ok(rugged.auroc.score.low! > 0.55)
  const rates = rugged.deciles.map(({ positives, n }) => positives / n)
  assert.ok(rates[0]! > rates[9]!)
})

test('a score that knows nothing is reported as such, first of all', () => {
  const [primary] = blind.judgements
  assert.ok(primary!.auroc.score.low! < 0.5 && primary!.auroc.score.high! > 0.5)
  const missed = failed(blind, 't300 graduated_24h')
  for (const bar of ['the score beats chance', 'the score beats the market cap alone']) assert.ok(missed.includes(bar))
  const markdown = toMarkdown(blind)
  const section = markdown.slice(markdown.indexOf('## What did not work'), markdown.indexOf('## t300'))
  for (const bar of missed) assert.ok(section.includes(bar), bar)
  assert.ok(failed(blind, 't60 graduated_24h').includes('not clearly worse than the market cap'))
})

test('every missed bar stands in the section of failures, whatever it is', () => {
  const broken: Evaluation = {
    ...skilled,
    integrity: { stateHashes: ['a', 'b'], prefix: { cuts: 3, differing: 1 } },
    found: skilled.found.map((token) => ({ ...token, groups: [['x', 'y']] })),
  }
  const report = evaluateAll(broken, SEED)
  assert.deepEqual(failed(report, 'integrity').length, 2)
  assert.ok(failed(report, 'bundles').length >= 3)
  const markdown = toMarkdown(report)
  const section = markdown.slice(markdown.indexOf('## What did not work'), markdown.indexOf('## t300'))
  for (const { bar, detail, passed } of report.bars) {
    assert.equal(section.includes(`**${bar}**: ${detail}`), passed !== true, bar)
  }
})

test('the first line of a simulated log says what it proves, and only there', () => {
  assert.equal(toMarkdown(good).split('\n')[0], `**${SIMULATED}**`)
  const real = { ...good, source: { ...good.source, simulated: false, name: 'a|b\n# c' } }
  assert.equal(toMarkdown(real).split('\n')[0], '# Evaluation of a b # c')
  assert.ok(!toMarkdown(real).includes(SIMULATED))
})

test('an empty log and a log of one outcome are reported, not refused', () => {
  const none = evaluateAll({ ...skilled, samples: [], found: [], truth: null }, SEED)
  assert.ok(none.bars.some(({ passed }) => passed === null))
  assert.ok(toMarkdown(none).includes('Nobody knows the truth of this log'))
  const same = skilled.samples.map((sample) => ({ ...sample, labels: { ...sample.labels, graduated_24h: false } }))
  const one = evaluateAll({ ...skilled, samples: same }, SEED)
  assert.equal(one.judgements[0]!.judged, false)
  for (const { svg } of [...none.judgements, ...one.judgements].flatMap(plotsOf)) assert.ok(!/NaN|Infinity/.test(svg))
  assert.ok(!/NaN|Infinity/.test(toMarkdown(none) + toMarkdown(one)))
})

test('the same evaluation and seed give the same bytes, and the table rows fit their heads', () => {
  assert.equal(toJson(evaluateAll(skilled, SEED)), toJson(good))
  const markdown = toMarkdown(good)
  const rows = markdown.split('\n')
  rows.forEach((line, i) => {
    if (!line.startsWith('| --- |')) return
    const cells = (text: string): number => text.split('|').length
    for (let k = i - 1; rows[k]?.startsWith('|'); k++) assert.equal(cells(rows[k]!), cells(line), rows[k])
  })
})

test('files: the report, its data, and pictures that it names and that are well formed', () => {
  const dir = mkdtempSync(join(tmpdir(), 'evaluate-'))
  try {
    writeReport(dir, good)
    const markdown = readFileSync(join(dir, 'report.md'), 'utf8')
    const named = [...markdown.matchAll(/\(plots\/([\w-]+\.svg)\)/g)].map(([, name]) => name!)
    assert.deepEqual(readdirSync(join(dir, 'plots')).sort(), named.sort())
    assert.equal(named.length, 12)
    for (const name of named) {
      const svg = readFileSync(join(dir, 'plots', name), 'utf8')
      assert.ok(svg.length < 15_000, `${name}: ${svg.length} bytes`)
      const open = [...svg.matchAll(/<(\w+)[^>]*[^/]>/g)].map(([, tag]) => tag)
      const close = [...svg.matchAll(/<\/(\w+)>/g)].map(([, tag]) => tag)
      assert.deepEqual(open.sort(), close.sort())
    }
    const json = JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8'))
    assert.equal(json.judgements.length, 3)
    assert.equal(json.source.dataHash, skilled.source.dataHash)
    assert.equal(json.formulasVersion, skilled.formulasVersion)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
