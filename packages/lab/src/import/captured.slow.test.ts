import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import { createCaptureWriter } from '@ti/service/source/capture/writer.ts'
import type { SourceItem } from '@ti/service/source/source.ts'
import { blockBytes } from '@ti/service/source/wire/writer.ts'
import fc from '../../../../test/support/property.ts'
import { importFiles } from './import.ts'

/** The same material counts once, within an import and across imports. */
const dir = mkdtempSync(join(tmpdir(), 'captured-'))
after(() => rmSync(dir, { recursive: true, force: true }))
const SHARED = resolve(import.meta.dirname, '../../../../../shared/data')
const SKIP = existsSync(SHARED) ? false : `real data is not at ${SHARED}`

let number = 0
const fresh = (ending: string): string => join(dir, `${number++}.${ending}`)
const write = (text: string): string => {
  const path = fresh('in')
  writeFileSync(path, text)
  return path
}

const shown = (item: SourceItem): string =>
  item.kind === 'raw' ? blockBytes(item.block).toString('base64') : JSON.stringify(item)

async function imported(files: readonly string[], options = {}) {
  const out = fresh('capture')
  const report = await importFiles(files, out, options)
  const items: string[] = []
  const start = { slot: -1, time: 0, facts: 0 }
  for await (const item of (await openCapture(out)).items(start, new AbortController().signal)) items.push(shown(item))
  return { out, report, items }
}

const key = (n: number) => keyToBase58(Buffer.alloc(32, n + 1).toString('latin1') as Key)
const sig = (n: number) => sigToBase58(Buffer.alloc(64, n + 1).toString('latin1') as Sig)

interface Row {
  readonly kind: 'csv' | 'swap' | 'log'
  readonly n: number
}

const HEAD =
  'transaction_signature,block_num,wallet_address,token_address,is_buy,amount_in_sol,amount_in_token,virtual_sol_reserves,virtual_token_reserves,block_time'
const csvOf = (rows: readonly Row[]): string =>
  [
    HEAD,
    ...rows.map(({ n }) =>
      [
        sig(n),
        380_000_000 + n,
        key(n % 3),
        key(200),
        'true',
        1_000 + n,
        5_000,
        30_000_000_000 + n,
        1e15 - n,
        1_770_000_000,
      ].join(),
    ),
  ].join('\n')
const swapsOf = (rows: readonly Row[]): string => {
  const swaps = rows.map(({ n }) => ({
    ts: 1_770_000_100 + n,
    trader: key(n % 3),
    side: 'buy',
    sol: 1 + n,
    tokens: 5,
    price: 0.2,
  }))
  return JSON.stringify({ mint: key(201), pool: key(202), supply: 1e9, swaps })
}
const logsOf = (rows: readonly Row[]): string =>
  rows
    .map(({ n }) =>
      JSON.stringify({
        method: 'logsNotification',
        params: {
          result: {
            context: { slot: 390_000_000 + n },
            value: { signature: sig(n + 100), err: null, logs: [`line ${n}`] },
          },
        },
      }),
    )
    .join('\n')

const filesOf = (rows: readonly Row[]): string[] =>
  (['csv', 'swap', 'log'] as const).flatMap((kind) => {
    const own = rows.filter((row) => row.kind === kind)
    if (own.length === 0) return []
    return [write(kind === 'csv' ? csvOf(own) : kind === 'swap' ? swapsOf(own) : logsOf(own))]
  })

const ALL: readonly Row[] = (['csv', 'swap', 'log'] as const).flatMap((kind) =>
  [0, 1, 2, 3, 4, 5].map((n) => ({ kind, n })),
)
const some = fc
  .uniqueArray(fc.constantFrom(...ALL), { minLength: 1 })
  .map((rows) => ALL.filter((row) => rows.includes(row)))

test('overlapping files, given at once, again, or to an import after another, are their union', async () => {
  await fc.assert(
    fc.asyncProperty(some, some, async (a, b) => {
      const union = await imported(filesOf(ALL.filter((row) => a.includes(row) || b.includes(row))))
      const [first, second] = [filesOf(a), filesOf(b)]
      assert.deepEqual((await imported([...first, ...second])).items, union.items, 'at once')
      assert.deepEqual((await imported([...first, ...second, ...first])).items, union.items, 'again')
      const before = await imported(first)
      const after = await imported([before.out, ...second])
      assert.deepEqual(after.items, union.items, 'one import after another')
      const both = await imported([before.out, (await imported(second)).out, ...first])
      assert.deepEqual(both.items, union.items, 'two imports')
      const rows = a.length + b.length
      const { notes, written } = after.report
      const repeated = (notes.duplicate_transaction ?? 0) + (notes.decoded_trade_repeated ?? 0)
      assert.equal(written.transactions + written.decodedTrades + repeated, rows, 'each row is written or named')
    }),
    { numRuns: 8 },
  )
})

test('two equal rows of one listing stay two through a second import', async () => {
  const swap = { ts: 1_770_000_100, trader: key(1), side: 'sell', sol: 1, tokens: 5, price: 0.2 }
  const line = write(JSON.stringify({ mint: key(201), pool: key(202), swaps: [swap, swap] }))
  const first = await imported([line])
  assert.equal(first.report.written.decodedTrades, 2)
  const second = await imported([first.out, line])
  assert.deepEqual(second.items, first.items)
  assert.equal(second.report.notes.decoded_trade_repeated, 2)
})

test('facts of a capture are kept in their place, and once', async () => {
  const first = await imported(filesOf(ALL), { solUsd: 150 })
  const second = await imported([first.out, ...filesOf(ALL)])
  assert.deepEqual(second.items, first.items)
  assert.match(first.items[0]!, /sol_price/)
  const third = await imported([first.out, second.out])
  assert.deepEqual(third.items, first.items)
  assert.equal(third.report.notes.facts_repeated, 1)
})

test('gaps and events that an import never writes are named', async () => {
  const path = fresh('capture')
  const writer = await createCaptureWriter(path, {
    created_at: '2026-01-01T00:00:00Z',
    source: 'test',
    chain: null,
    holds: 'all kinds',
  })
  const mint = Buffer.alloc(32, 9).toString('latin1') as Key
  const position = { sig: '' as Sig, txIndex: 0, outer: -1, inner: 0 }
  await writer.write({ kind: 'gap', from: 10, to: 12 })
  await writer.write({
    kind: 'decoded',
    slot: 13,
    parent: -1,
    time: 1,
    events: [{ kind: 'complete', ...position, mint }],
  })
  await writer.finish()
  const { report } = await imported([path, ...filesOf(ALL)])
  assert.equal(report.notes.capture_gap, 1)
  assert.equal(report.notes['capture_event:complete'], 1)
})

test('a capture that is damaged, or of another version, is refused by name beside the files that can be used', async () => {
  const good = await imported(filesOf(ALL))
  const cut = fresh('capture')
  writeFileSync(cut, readFileSync(good.out))
  truncateSync(cut, 230)
  const newer = fresh('capture')
  const bytes = readFileSync(good.out)
  bytes.writeUInt32LE(9, 8)
  writeFileSync(newer, bytes)
  const { report, items } = await imported([cut, newer, ...filesOf(ALL)])
  assert.match(report.files[0]!.problem!, /its end is missing/)
  assert.match(report.files[1]!.problem!, /its format is version 9, this program reads 1\. Make it again/)
  assert.deepEqual(items, good.items)
})

test('what a file was skipped for is in the summary also when the rest of the file cannot be used', async () => {
  const long = 'x'.repeat(65 << 20)
  const path = write(`${csvOf([{ kind: 'csv', n: 1 }])}\nnot,a,row\n${long}\n`)
  const { report } = await imported([path])
  assert.match(report.files[0]!.problem!, /a line is longer/)
  assert.deepEqual(report.notes, { 'csv_row:columns': 1 })
})

const NOTES = readFileSync(resolve(import.meta.dirname, '../../../../docs/captures.md'), 'utf8')

test('real material in two imports is that of one, and every row is written or named', { skip: SKIP }, async (t) => {
  const files = ['raw_tx', 'streams', 'trades'].flatMap((folder) =>
    readdirSync(join(SHARED, folder)).map((name) => join(SHARED, folder, name)),
  )
  const whole = await imported(files)
  const half = await imported(files.filter((_, i) => i % 2 === 0))
  const second = await imported([half.out, ...files])
  t.diagnostic(JSON.stringify(second.report.notes))
  assert.equal(second.items.length, whole.items.length)
  for (const name of ['transactions', 'decodedTrades', 'decodedCreates'] as const)
    assert.equal(second.report.written[name], whole.report.written[name], name)
  for (const note of Object.keys(whole.report.notes)) {
    const stem = note.split(':')[0]!
    const word = note.includes(':') ? `\`${stem}:…\`` : `\`${note}\``
    assert.ok(NOTES.includes(word), `${note} is not in docs/captures.md`)
  }
  const csv = join(SHARED, 'trades/pumpfun_trades.csv')
  const rows = readFileSync(csv, 'utf8').trim().split('\n').length - 1
  const { report } = await imported([csv])
  const named = Object.values(report.notes).reduce((a, b) => a + b, 0)
  assert.equal(report.written.decodedTrades + named, rows)
})
