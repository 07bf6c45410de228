import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import type { TradeEvent } from '@ti/core/model/events.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import type { SourceItem } from '@ti/service/source/source.ts'
import { importFiles } from './import.ts'

const SHARED = resolve(import.meta.dirname, '../../../../../shared/data')
const SKIP = existsSync(SHARED) ? false : `real data is not at ${SHARED}`

const dir = mkdtempSync(join(tmpdir(), 'import-real-'))
after(() => rmSync(dir, { recursive: true, force: true }))

async function imported(files: readonly string[], name: string) {
  const out = join(dir, name)
  const report = await importFiles(files, out, { solUsd: 200 })
  const items: SourceItem[] = []
  for await (const item of (await openCapture(out)).items(
    { slot: -1, time: 0, facts: 0 },
    new AbortController().signal,
  ))
    items.push(item)
  return { report, items }
}

const listed = (folder: string) =>
  SKIP ? [] : readdirSync(join(SHARED, folder)).map((name) => join(SHARED, folder, name))

test('every real file is used or refused for a named reason', { skip: SKIP }, async (t) => {
  const files = [
    ...listed('raw_tx'),
    ...listed('streams'),
    ...listed('trades'),
    join(SHARED, 'tokens/pump-fun-api-coins.json'),
  ]
  const { report, items } = await imported(files, 'all.capture')
  for (const { file: name, records, problem } of report.files)
    t.diagnostic(`${name.slice(SHARED.length + 1)}: ${problem ?? `${records} records`}`)
  t.diagnostic(JSON.stringify(report.notes))
  const unusable = report.files.filter((it) => it.problem !== null).map((it) => it.file.slice(SHARED.length + 1))
  assert.deepEqual(unusable, [
    'raw_tx/INDEX.csv',
    'raw_tx/carbon_simple_tx.json',
    'raw_tx/cxcx_shred-tx.json',
    'raw_tx/simowment_pump_swap_event.json',
    'raw_tx/simowment_pump_swap_trade.json',
    'tokens/pump-fun-api-coins.json',
  ])
  assert.equal(report.written.transactions, 115, '12 single ones, 3 of a block, 100 notifications')
  const logs = items.flatMap((it) =>
    it.kind === 'raw' ? it.block.transactions.filter((tx) => tx.keys.length === 0) : [],
  )
  assert.equal(logs.filter((tx) => tx.failed).length, 47)
  const ids = new Set<string>()
  for (const events of eventsOf(items)) for (const { sig, inner } of events) ids.add(`${sig}:${inner}`)
  assert.equal(ids.size, report.written.decodedTrades + report.written.decodedCreates, 'ids are unique')
  assert.equal(
    report.written.decodedCreates,
    187,
    'of 198 creations: 10 name USDC as their mint, one is on another launchpad',
  )
})

test('the real trade table: every trade of the gapless tokens starts where the one before it ended', {
  skip: SKIP,
}, async (t) => {
  const { items, report } = await imported([join(SHARED, 'trades/pumpfun_trades.csv')], 'trades.capture')
  assert.equal(report.written.decodedTrades, 1_502)
  const last = new Map<string, [number, number]>()
  const broken = new Map<string, number>()
  for (const events of eventsOf(items)) {
    for (const event of events as TradeEvent[]) {
      const sign = event.isBuy ? 1 : -1
      const from = [event.quoteReserve - sign * event.quoteAmount, event.baseReserve + sign * event.tokenAmount]
      const expected = last.get(event.mint) ?? [30_000_000_000, 1_073_000_000_000_000]
      const gap = from[0] !== expected[0] || from[1] !== expected[1]
      broken.set(event.mint, (broken.get(event.mint) ?? 0) + (gap ? 1 : 0))
      last.set(event.mint, [event.quoteReserve, event.baseReserve])
    }
  }
  const gaps = [...broken.values()].sort((a, b) => a - b)
  t.diagnostic(`breaks in the chain of reserves per token: ${gaps.join(', ')}`)
  assert.deepEqual(gaps, [0, 0, 2])
})

const eventsOf = (items: readonly SourceItem[]) => items.flatMap((it) => (it.kind === 'decoded' ? [it.events] : []))
