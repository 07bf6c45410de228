import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { synthetic } from '../../../../test/support/synthetic-log.ts'
import { evaluateAll, writeReport } from './evaluate.ts'
import { toJson } from './json.ts'
import { SIMULATED, toMarkdown } from './markdown.ts'
import type { Report } from './report.ts'
import type { Evaluation } from './sample.ts'

const SEED = 7
const skilled = synthetic({ seed: 1, tokens: 1500, scoreSkill: 1.2, mcapSkill: 0.1, outlookSkill: 1 })
const good = evaluateAll(skilled, SEED)
const blind = evaluateAll(synthetic({ seed: 2, tokens: 1500, scoreSkill: 0, mcapSkill: 1 }), SEED)

const failed = (report: Report): string[] =>
  report.bars.filter(({ passed }) => passed === false).map(({ area, bar }) => `${area}: ${bar}`)

test('an outlook and a score that know are ahead of the baselines, calibrated and in order', () => {
  for (const one of good.ranked) {
    assert.ok(one.outlook!.low! > 0.65, `seed 1, ${one.question}, ${one.population}: ${one.outlook!.low}`)
    assert.ok(one.score.low! > 0.55)
    assert.ok(one.ahead!.low! > 0)
  }
  for (const { calibrated, monotone } of good.reliability) assert.deepEqual([calibrated, monotone], [true, true])
  for (const { ordered } of good.colours) assert.notEqual(ordered, false)
  // these synthetic answers are less certain than the requirements
  assert.deepEqual(
    failed(good).filter((bar) => !bar.includes('AUROC') && !bar.startsWith('bundles')),
    [],
  )
})

test('an outlook and a score that know nothing are reported as such, first of all', () => {
  for (const { outlook } of blind.ranked) assert.ok(outlook!.low! < 0.5 && outlook!.high! > 0.5)
  const missed = failed(blind)
  for (const question of ['drain', 'halving', 'buyer']) {
    assert.ok(missed.includes(`${question}: the outlook is ahead of the best baseline`))
    assert.ok(missed.includes(`${question}: every bin of 200 or more is within 5 % of what was served`))
  }
  const markdown = toMarkdown(blind)
  const section = markdown.slice(markdown.indexOf('## What did not work'), markdown.indexOf('## drain'))
  for (const { bar, detail, passed } of blind.bars) {
    assert.equal(section.includes(`**${bar}**: ${detail}`), passed !== true, bar)
  }
})

test('what must never be is a missed bar', () => {
  const [source] = skilled.sources
  const broken: Evaluation = {
    ...skilled,
    sources: [
      {
        ...source!,
        integrity: { stateHashes: ['a', 'b'], prefix: { cuts: 3, differing: 1 } },
        smart: { ...source!.smart, smart: 400 },
        counted: { ...source!.counted, trades: { ...source!.counted.trades, drain: { n: 1, hits: 0 } } },
      },
    ],
    greens: { dead: 10, deadGreen: 1, phantom: 5, phantomGreen: 1 },
    rugs: { planted: 40, drained: 30, rugged: 20, flagged: 50, wrong: 2, missed: {} },
  }
  const missed = failed(evaluateAll(broken, SEED)).filter((bar) => !failed(good).includes(bar))
  assert.equal(missed.length, 9, missed.join('\n'))
})

test('the first line of a simulated log says what it proves, and only there', () => {
  assert.equal(toMarkdown(good).split('\n')[0], `**${SIMULATED}**`)
  const real = { ...good, sources: good.sources.map((one) => ({ ...one, simulated: false, name: 'a|b\n# c' })) }
  assert.equal(toMarkdown(real).split('\n')[0], '# Evaluation of formulas 1')
  assert.ok(toMarkdown(real).includes('| a b # c |'))
})

test('an empty log, one without truth and one of one answer are reported, not refused', () => {
  const none = evaluateAll({ ...skilled, cases: [], found: [], truth: null, rugs: null }, SEED)
  assert.ok(none.bars.some(({ passed }) => passed === null))
  assert.ok(toMarkdown(none).includes('Nobody knows the truth of this log'))
  const answers = { drain: false, halving: null, buyer: null }
  const same = skilled.cases.map((one) => ({ ...one, answers }))
  const one = evaluateAll({ ...skilled, cases: same }, SEED)
  assert.equal(one.ranked[0]!.judged, false)
  assert.ok(!/NaN|Infinity|undefined/.test(toMarkdown(none) + toMarkdown(one)))
})

test('the same evaluation and seed give the same bytes, and the table rows fit their heads', () => {
  assert.equal(toJson(evaluateAll(skilled, SEED)), toJson(good))
  const rows = toMarkdown(good).split('\n')
  rows.forEach((line, i) => {
    if (!line.startsWith('| --- |')) return
    const cells = (text: string): number => text.split('|').length
    for (let k = i - 1; rows[k]?.startsWith('|'); k++) assert.equal(cells(rows[k]!), cells(line), rows[k])
    for (let k = i + 1; rows[k]?.startsWith('|'); k++) assert.equal(cells(rows[k]!), cells(line), rows[k])
  })
})

test('files: the report, its data, and pictures that it names and that are well formed', () => {
  const dir = mkdtempSync(join(tmpdir(), 'evaluate-'))
  try {
    const launches = { before: [1, 100], after: [3, 100] } as const
    const regime = { name: 'changing', fromSlot: 1_750_000, launches, cases: skilled.cases }
    writeReport(dir, evaluateAll({ ...skilled, regime }, SEED))
    const markdown = readFileSync(join(dir, 'report.md'), 'utf8')
    const named = [...markdown.matchAll(/\(([\w-]+\.svg)\)/g)].map(([, name]) => name!)
    assert.deepEqual(readdirSync(dir).sort(), [...named, 'report.json', 'report.md'].sort())
    assert.equal(named.length, 3)
    for (const name of named) {
      const svg = readFileSync(join(dir, name), 'utf8')
      assert.ok(!/NaN|Infinity/.test(svg))
      const open = [...svg.matchAll(/<(\w+)[^>]*[^/]>/g)].map(([, tag]) => tag)
      const close = [...svg.matchAll(/<\/(\w+)>/g)].map(([, tag]) => tag)
      assert.deepEqual(open.sort(), close.sort())
    }
    const json = JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8'))
    assert.equal(json.ranked.length, 18)
    assert.equal(json.sources[0].dataHash, skilled.sources[0]!.dataHash)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
