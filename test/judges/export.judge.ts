import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { TABLE_NAMES } from '@ti/service/export/table.ts'
import { command, replay } from '../simulation/service.ts'
import { type Cells, readAll, readManifest } from '../support/export-reader.ts'
import { codeOf } from '../support/guides.ts'

/** DuckDB reads an export with our views, and Jupyter runs our notebook over it. */
interface Connection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }>
}
const { DuckDBInstance } = (await import('@duckdb/node-api' as string)) as {
  DuckDBInstance: { create(): Promise<{ connect(): Promise<Connection> }> }
}

const EXAMPLES = resolve(import.meta.dirname, '../../examples')
const dir = mkdtempSync(join(tmpdir(), 'export-'))
const out = join(dir, 'out')
let db: Connection
after(() => rmSync(dir, { recursive: true, force: true }))
before(async () => {
  const capture = join(dir, 'market.capture')
  // longer than the hour within which outcomes are looked for
  await command('capture', 'simulate', capture, '--slots', '12000', '--tps', '2', '--seed', '5', '--no-truth')
  await replay(capture, join(dir, 'data'))
  await command('export', '--parquet', out, '--data-dir', join(dir, 'data'))
  db = await (await DuckDBInstance.create()).connect()
  await db.run(`SET VARIABLE out = '${out}'`)
  await db.run(readFileSync(join(EXAMPLES, 'export.sql'), 'utf8'))
})

const rows = async (sql: string): Promise<Record<string, unknown>[]> =>
  (await db.runAndReadAll(sql)).getRowObjectsJson()
const count = async (from: string): Promise<number> => Number((await rows(`SELECT count(*) AS n FROM ${from}`))[0]!.n)

test('the views have every row, and sum what another reader of the files sums', async () => {
  const { tables, slot } = readManifest(out)
  for (const name of TABLE_NAMES) assert.equal(await count(name), tables[name].rows, name)
  const { money, verdicts, readings, positions } = await readAll(out)

  const told = new Map(
    (await rows('FROM cohorts')).map(({ cohort, paid_sol, wallets }) => [cohort, [paid_sol, wallets]]),
  )
  assert.ok(told.size > 5)
  for (const [cohort, [paid, wallets]] of told) {
    const of = money.filter((row) => row.cohort === cohort)
    const sum = (name: string): number => of.reduce((all, row) => all + Number(row[name]), 0)
    assert.ok(Math.abs(Number(paid) - sum('paid_lamports') / 1e9) < 1e-6, String(cohort))
    assert.equal(Number(wallets), sum('wallets'), String(cohort))
  }
  assert.equal(await count('groups'), new Set(positions.flatMap(({ bundle_id: id }) => id ?? [])).size)

  const last = new Map(verdicts.map((row) => [row.mint, row.colour]))
  const inForce = await rows('SELECT mint, colour FROM verdict_spans WHERE until_slot IS NULL')
  assert.deepEqual(new Map(inForce.map(({ mint, colour }) => [mint, colour])), last)
  assert.ok(last.size > 10)

  const old = readings.filter((row) => Number(row.slot) + 9_000 <= slot)
  assert.ok(old.length > 50 && old.length < readings.length)
  assert.equal(await count('outcomes'), old.length)
})

test('the page names every file that an export has', () => {
  const layout = [...codeOf('docs/export.md', 'text')[0]!.matchAll(/^OUT\/(\S+)/gm)]
  const like = layout.map(([, path]) => new RegExp(`^${path!.replace(/\d+|….parquet/g, '[\\d-]+(.parquet)?')}$`))
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'))
  assert.deepEqual(
    files.filter((path) => !like.some((one) => one.test(path))),
    [],
  )
})

test('an outcome is the lowest and the highest price of the trades within the hour', async () => {
  const { trades } = await readAll(out)
  const some = await rows('FROM outcomes WHERE reading_no % 10 = 0')
  assert.ok(some.length > 5)
  for (const { mint, slot, lowest, highest } of some) {
    const of = trades.filter((row) => row.mint === mint && Number(row.mcap_usd) > 0)
    const ratio = (row: Cells): number => Number(row.mcap_usd) / Number(at.mcap_usd)
    const at = of.findLast((row) => Number(row.slot) <= Number(slot))!
    const later = of.filter((row) => Number(row.slot) > Number(slot) && Number(row.slot) <= Number(slot) + 9_000)
    assert.deepEqual([lowest, highest].map(Number), [
      later.reduce((least, row) => Math.min(least, ratio(row)), 1),
      later.reduce((most, row) => Math.max(most, ratio(row)), 1),
    ])
  }
})

test('a table as CSV, as the page says', async () => {
  const csv = join(dir, 'launches.csv')
  await db.run(`COPY launches TO '${csv}'`)
  const columns = 'mint, name, symbol, description, created_slot, mcap_usd'
  assert.deepEqual(
    await rows(`SELECT ${columns} FROM read_csv('${csv}', all_varchar = true, allow_quoted_nulls = false)`),
    await rows(`SELECT ${columns.split(', ').map((name) => `${name}::VARCHAR AS ${name}`)} FROM launches`),
  )
})

const JUPYTER =
  spawnSync('jupyter-nbconvert', ['--version'], { stdio: 'ignore' }).status === 0 &&
  spawnSync('/usr/bin/python3', ['-c', 'import ipykernel, matplotlib, pandas'], { stdio: 'ignore' }).status === 0

/** Debian has no reader of Parquet for Python: this stands in for one, over the same rows that DuckDB wrote as CSV. */
const STAND_IN = `
import pandas
__version__ = '2023.1'
class ParquetFile:
    def __init__(self, file, **_):
        self.path = file.name + '.csv'
    def to_pandas(self, **_):
        names = pandas.read_csv(self.path, nrows=0).columns
        return pandas.read_csv(self.path, parse_dates=[name for name in names if name.endswith('_at')])
`

interface Cell {
  readonly cell_type: string
  readonly outputs?: readonly {
    readonly output_type: string
    readonly text?: string | readonly string[]
    readonly data?: Readonly<Record<string, string>>
  }[]
}

/** Width and height of a PNG. */
function sizeOf(png: string): readonly [number, number] {
  const bytes = Buffer.from(png, 'base64')
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

test('the notebook runs from the first cell to the last, and draws', {
  skip:
    !JUPYTER &&
    'jupyter-nbconvert, python3-ipykernel, python3-matplotlib and python3-pandas of Debian are not all installed',
}, async () => {
  const { tables } = readManifest(out)
  for (const { parts } of Object.values(tables)) {
    for (const { file } of parts) await db.run(`COPY (FROM '${out}/${file}') TO '${out}/${file}.csv'`)
  }
  const reader = join(dir, 'python')
  mkdirSync(reader)
  writeFileSync(join(reader, 'fastparquet.py'), STAND_IN)
  await promisify(execFile)(
    'jupyter-nbconvert',
    ['--to', 'notebook', '--execute', join(EXAMPLES, 'export.ipynb'), '--output-dir', dir, '--output', 'done.ipynb'],
    {
      env: {
        ...process.env,
        PYTHONPATH: reader,
        OUT: out,
        MPLCONFIGDIR: dir,
        IPYTHONDIR: dir,
        JUPYTER_RUNTIME_DIR: dir,
      },
    },
  )
  const { cells } = JSON.parse(readFileSync(join(dir, 'done.ipynb'), 'utf8')) as { cells: readonly Cell[] }
  const outputs = cells.flatMap(({ outputs = [] }) => outputs)
  const text = outputs.flatMap(({ text = [] }) => text).join('')
  assert.match(
    text,
    new RegExp(`^${tables.launches.rows} launches, ${tables.trades.rows} trades, ${tables.readings.rows} readings, `),
  )
  assert.match(text, /^[1-9]\d* of [1-9]\d* tokens halved$/m)
  assert.doesNotMatch(text, /warning/i)
  const pictures = outputs.flatMap(({ data }) => data?.['image/png'] ?? [])
  assert.equal(pictures.length, 3)
  for (const picture of pictures) assert.ok(sizeOf(picture).every((side) => side > 300))
})
