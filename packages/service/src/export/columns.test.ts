import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { LAUNCHES } from './launches.ts'
import { MONEY } from './money.ts'
import { POSITIONS } from './positions.ts'
import { READINGS } from './readings.ts'
import type { Source } from './table.ts'
import { TRADES } from './trades.ts'
import { VERDICTS } from './verdicts.ts'
import { WALLETS } from './wallets.ts'

test('the documentation has exactly these columns', () => {
  const page = readFileSync(new URL('../../../../docs/export.md', import.meta.url), 'utf8')
  const types = { int: 'INT64', double: 'DOUBLE', text: 'STRING', flag: 'BOOLEAN', time: 'TIMESTAMP' }
  const source = { globals: { slot: 0 } } as Source
  for (const { name, columns } of [TRADES, LAUNCHES, WALLETS, POSITIONS, VERDICTS, READINGS, MONEY]) {
    const section = page.split(`\n### ${name}\n`)[1]?.split('\n### ')[0] ?? ''
    assert.deepEqual(
      [...section.matchAll(/^\| `(\w+)` \| (\w+\??) \|/gm)].map(([, column, type]) => `${column} ${type}`),
      columns(source).map(({ name, kind, nullable }) => `${name} ${types[kind]}${nullable ? '?' : ''}`),
      name,
    )
  }
})
