import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { command } from './service.ts'

const dir = mkdtempSync(join(tmpdir(), 'evaluate-'))
after(() => rmSync(dir, { recursive: true, force: true }))

/** Rows of the table below a heading, without its head. */
function rowsOf(report: string, title: string): string[][] {
  const section = report.split('\n## ').find((one) => one.startsWith(title))
  assert.ok(section !== undefined, title)
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** Every row of a table has as many cells as its head. */
function isWellFormed(report: string): void {
  const lines = report.split('\n')
  lines.forEach((line, i) => {
    if (!line.startsWith('|') || i === 0 || !lines[i - 1]!.startsWith('|')) return
    assert.equal(line.split('|').length, lines[i - 1]!.split('|').length, line)
  })
  assert.ok(!/NaN|Infinity|undefined/.test(report))
}

test('evaluate reports on a market what was planted in it', async (t) => {
  const capture = join(dir, 'market.capture')
  await command('capture', 'simulate', capture, '--slots', '12000', '--tps', '6', '--seed', '9', '--market', '2')
  const report = await command('evaluate', capture, '--without', 'atomic')
  isWellFormed(report)
  assert.match(report, /^# Evaluation of formulas \d/)
  assert.match(report, /Made by `evaluate FILE… --without atomic`; the resampling has seed 1/)
  assert.ok(report.length < 40_000, 'a person can read it')
  const bars = rowsOf(report, 'Bars')
  assert.ok(bars.length >= 15)
  for (const [bar, passed] of bars) assert.ok(['yes', '**no**', 'not judged'].includes(passed!), bar)
  // what one key signed for several is found whole; farms that only fit in time are found where a funder links them
  const groups = new Map(
    rowsOf(report, 'Groups').map(([type, planted, found]) => [type!, { planted: Number(planted), found: found! }]),
  )
  t.diagnostic([...groups].map(([type, { found }]) => `${type} ${found}`).join(', '))
  for (const signed of ['same_tx', 'paid_fees']) {
    const { planted, found } = groups.get(signed)!
    assert.ok(planted >= 4 && found.startsWith(`${planted} of ${planted} `), `${signed}: ${found}`)
  }
  assert.ok(groups.get('farm')!.planted >= 5)
  const kinds = rowsOf(report, 'Rugged')
  assert.ok(kinds.some(([kind]) => kind === 'farm'))
  const looks = rowsOf(report, 'Colour of the verdict').map(([, colour]) => /^\w+ \((\d+)\)$/.exec(colour!)?.[1] ?? 0)
  const counted = looks.reduce<number>((sum, n) => sum + Number(n), 0)
  const [market] = report.match(/\| simulator:[^\n]+/)!
  assert.equal(counted, Number(market.split('|').at(-2)))
  const ablation = rowsOf(report, 'Ablation')
  assert.deepEqual(
    ablation.map(([name]) => name),
    ['nothing', 'atomic'],
  )
})

test('the same file gives the same report; --strict fails where a bar is missed; wrong usage says what there is', async () => {
  const capture = join(dir, 'short.capture')
  await command('capture', 'simulate', capture, '--slots', '1500', '--tps', '6', '--seed', '9', '--market', '2')
  // a short market has looks and no answers
  const report = await command('evaluate', capture)
  assert.match(report, /not judged/)
  assert.equal(await command('evaluate', capture), report)
  const strict = command('evaluate', capture, '--strict')
  if (report.includes('**no**')) await assert.rejects(strict, /bars are missed/)
  else assert.equal(await strict, report.replace('`evaluate FILE…`', '`evaluate FILE… --strict`'))
  await assert.rejects(command('evaluate', capture, '--without', 'nonsense'), /nonsense is no family: atomic/)
  await assert.rejects(command('evaluate'), /FILE, --seeds, --tricks or --real is missing/)
})

const LABELLED = existsSync('../shared/data/real3/labelled')
  ? false
  : 'labelled tokens (../shared/data/real3) are not here'
test('labelled tokens: a row for each, with its label', { skip: LABELLED }, async () => {
  const report = await command('evaluate', '--real')
  isWellFormed(report)
  const rows = rowsOf(report, 'Labelled tokens')
  assert.equal(rows.length, 15)
  assert.equal(rows.filter(([, label]) => label === 'rug').length, 5)
})
