import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Market, makeMarket } from '../conformance/x402/program.ts'
import { command } from '../simulation/service.ts'
import { codeOf } from '../support/guides.ts'

/** DuckDB reads an export as docs/export.md shows it. */
interface Duck {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }>
}

let market: Market
before(async () => {
  market = await makeMarket()
})
after(() => market?.remove())

test('the statements of the page count the trades that were exported', async () => {
  const out = join(market.dataDir, '../OUT')
  await command('export', '--parquet', out, '--data-dir', market.dataDir)
  const { DuckDBInstance } = await import('@duckdb/node-api' as string)
  const duck: Duck = await (await DuckDBInstance.create(':memory:')).connect()
  const [page = ''] = codeOf('docs/export.md', 'sql')
  const [set = '', ask = '', rest] = page.replaceAll("'OUT/", `'${out}/`).split(';')
  assert.equal(rest!.trim(), '')
  await duck.run(set)
  const rows = (await duck.runAndReadAll(ask)).getRowObjectsJson()
  const { tables } = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))
  const counted = rows.reduce((sum, row) => sum + Number(row['count_star()']), 0)
  assert.equal(counted, tables.trades.rows)
  for (const { venue, sol } of rows) assert.ok(Number(sol) > 0, String(venue))
})
