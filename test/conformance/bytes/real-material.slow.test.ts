import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { ImportReport } from '@ti/lab/import/import.ts'
import type { ReplayReport } from '@ti/service/cli/replay.ts'
import { openStore } from '@ti/service/store/open.ts'
import { makeKeys } from '../../simulation/keys.ts'
import { command, operatorOf, PATIENCE_MS, replay, startService } from '../../simulation/service.ts'
import { DATA, listData, NO_DATA } from './idl.ts'

/** Every file of real material, through `capture import` and the program as an operator runs it. */
const dir = mkdtempSync(join(tmpdir(), 'real-material-'))
const table: string[] = []
after(() => {
  rmSync(dir, { recursive: true, force: true })
  if (table.length > 0) console.log(['file | found | left out, and why', ...table].join('\n'))
})

const files = NO_DATA
  ? []
  : ['raw_tx', 'streams', 'trades', 'tokens'].flatMap((folder) => listData(folder).map((name) => `${folder}/${name}`))

/** No part of these can be used, and why not. */
const UNUSABLE: Readonly<Record<string, RegExp>> = {
  'raw_tx/INDEX.csv': /neither JSON nor a table with the columns of trades/,
  'raw_tx/carbon_simple_tx.json': /no transaction or trade in it/,
  'raw_tx/cxcx_shred-tx.json': /transaction_without_result/,
  'raw_tx/simowment_pump_swap_event.json': /unknown_record/,
  'raw_tx/simowment_pump_swap_trade.json': /no transaction or trade in it/,
  'tokens/pump-fun-api-coins.json': /a web page or XML/,
}

const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ') || '-'

const foundIn = ({ written }: ImportReport, { trades, tokens, wallets }: ReplayReport): string => {
  const { transactions, decodedTrades, decodedCreates } = written
  return list({ transactions, decodedTrades, decodedCreates, '→ trades': trades, tokens, wallets })
}

function mintsIn(dataDir: string): string[] {
  const store = openStore(dataDir)
  const { nextToken } = store.globals()!
  const mints = Array.from({ length: nextToken }, (_, i) => keyToBase58(store.token(i)!.mint))
  void store.close()
  return mints
}

describe('real material', { skip: NO_DATA }, () => {
  const reports = new Map<string, { readonly read: ImportReport; readonly folded: ReplayReport }>()

  for (const file of files)
    test(file, async () => {
      const name = file.replaceAll('/', '_')
      const out = join(dir, `${name}.capture`)
      const { code, stdout, stderr } = await startService({}, [
        'capture',
        'import',
        join(DATA, file),
        out,
        '--sol-usd',
        '150',
        '--json',
      ]).exit
      const unusable = UNUSABLE[file]
      if (unusable !== undefined) {
        assert.equal(code, 4, stderr)
        assert.match(stderr, unusable)
        table.push(`${file} | - | ${/: ([^:]+)$/.exec(stderr.trim())?.[1] ?? stderr.trim()}`)
        return
      }
      assert.equal(code, 0, stderr)
      const read = JSON.parse(stdout) as ImportReport
      const folded = await replay(out, join(dir, name))
      reports.set(file, { read, folded })
      table.push(`${file} | ${foundIn(read, folded)} | ${list({ ...read.notes, ...folded.skipped })}`)
      assert.equal(folded.blocks, read.written.raw + read.written.decoded, 'every block was folded')
    })

  test('the stream of logs: every failure is left out, every trade of the others is there', () => {
    const { read, folded } = reports.get('streams/helius_logs_subscribe_pumpfun.jsonl')!
    assert.equal(read.written.transactions, 100)
    assert.equal(folded.skipped.failed_transaction, 47)
    assert.equal(folded.skipped.log_truncated, undefined)
    assert.ok(folded.trades > 53, `${folded.trades} trades in 53 transactions`)
  })

  test('PumpPortal: what maps is there, what does not is counted by reason', () => {
    const { read, folded } = reports.get('streams/pumpportal_session1.jsonl')!
    assert.equal(read.written.decodedCreates, 187)
    assert.equal(folded.tokens, 187)
    assert.equal(folded.trades, read.written.decodedTrades)
    const told = Object.fromEntries(Object.entries(read.notes).filter(([name]) => name.startsWith('pumpportal:')))
    assert.deepEqual(told, {
      'pumpportal:acknowledgement': 3,
      'pumpportal:migration_without_pool': 7,
      'pumpportal:other_launchpad': 1,
      'pumpportal:quote_named_as_mint': 10,
    })
  })

  test('all of it at once, in the running service', async (t) => {
    const out = join(dir, 'all.capture')
    await command('capture', 'import', ...files.map((file) => join(DATA, file)), out, '--sol-usd', '150')
    const folded = await replay(out, join(dir, 'once'))
    const data = join(dir, 'served')
    const [key] = await makeKeys(data, 1)
    const service = startService({ DATA_DIR: data, SOURCE: `capture:${out}?speed=0`, VALIDATE_RESPONSES: '1' })
    try {
      const url = await service.url
      const started = performance.now()
      let metrics = ''
      const blocks = () => Number(/^ti_blocks_total (\d+)/m.exec(metrics)?.[1] ?? 0)
      for (; blocks() < folded.blocks; await setTimeout(100)) {
        assert.ok(performance.now() - started < PATIENCE_MS - 60_000, `${blocks()} of ${folded.blocks} blocks`)
        metrics = await (await fetch(`${operatorOf(url)}/metrics`)).text()
      }
      assert.equal(blocks(), folded.blocks)
      const get = async (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
      assert.equal((await get('/v1/tokens/new')).status, 200)
      const mints = mintsIn(join(dir, 'once'))
      assert.ok(mints.length >= 200, `${mints.length} tokens`)
      for (const mint of mints) {
        assert.equal((await get(`/v1/tokens/${mint}`)).status, 200, mint)
        assert.equal((await get(`/v1/tokens/${mint}/trades`)).status, 200, mint)
      }
      t.diagnostic(`${folded.blocks} blocks, ${folded.trades} trades, ${folded.tokens} tokens served`)
      service.child.kill('SIGTERM')
      assert.equal((await service.exit).code, 0)
    } finally {
      service.child.kill('SIGKILL')
    }
  })
})
