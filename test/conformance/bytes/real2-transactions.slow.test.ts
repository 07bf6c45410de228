import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { ChainEvent } from '@ti/core/model/events.ts'
import type { ImportReport } from '@ti/lab/import/import.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import { comparable } from '../../golden/scene.ts'
import { startService } from '../../simulation/service.ts'
import { type Folded, foldItems } from './fold.ts'
import { DATA, listData, NO_DATA, readData } from './idl.ts'
import { completing, type Judged, judgeTransaction, storedTransactions } from './real2-oracle.ts'

/** Whole transactions as others stored them, through the command that a user has, against the published interfaces. */
const FOLDER = 'real2/transactions'

/** Files without a transaction that ran, and where their bytes are judged. */
const NO_TRANSACTION: Readonly<Record<string, string>> = {
  'boop.json': 'payloads of a program that is not read',
  'completing_txs_20261009.part.json': 'data lines; judged as the logs that they stood in',
  'create-mayhem.json': 'payloads; golden.test.ts judges every payload',
  'dbc-events.json': 'payloads; meteora-real.test.ts',
  'launchlab.json': 'payloads and accounts; launchlab-today.test.ts',
  'pump-create-holder.json': 'an instruction without its result',
  'pumpswap-layout.json': 'accounts and instructions without their result',
  'raw_create_v2_holder_reward_from_deshred.json': 'read before it ran: without its result',
}

const table: string[] = []
after(() => {
  if (table.length > 0)
    console.log(['file | transaction | read from | events agreed | skipped, and why', ...table].join('\n'))
})

interface Stored {
  readonly file: string
  readonly judged: Judged
}

describe('whole transactions of real2', { skip: NO_DATA }, () => {
  const dir = mkdtempSync(join(tmpdir(), 'real2-'))
  const stored: Stored[] = []
  let folded: Folded
  let report: ImportReport

  before(async () => {
    const pools = new Set<string>()
    const files: string[] = []
    for (const file of listData(FOLDER)) {
      const found = storedTransactions(JSON.parse(readData(`${FOLDER}/${file}`)))
      assert.equal(found.length === 0, NO_TRANSACTION[file] !== undefined, `${file}: ${found.length} transactions`)
      if (found.length === 0) table.push(`${file} | - | - | - | ${NO_TRANSACTION[file]}`)
      else files.push(join(DATA, FOLDER, file))
      for (const tx of found) stored.push({ file, judged: await judgeTransaction(tx, pools) })
    }
    const lines = join(dir, 'completing.json')
    writeFileSync(lines, JSON.stringify(completing()))
    for (const tx of completing())
      stored.push({ file: 'completing_txs_20261009.part.json', judged: await judgeTransaction(tx, pools) })
    const out = join(dir, 'out.capture')
    const command = ['capture', 'import', ...files, lines, out, '--sol-usd', '150', '--json']
    const { code, stdout, stderr } = await startService({}, command).exit
    assert.equal(code, 0, stderr)
    report = JSON.parse(stdout) as ImportReport
    const cursor = { slot: -1, time: 0, facts: 0 }
    folded = await foldItems((await openCapture(out)).items(cursor, new AbortController().signal))
  })
  after(() => rmSync(dir, { recursive: true, force: true }))

  const eventsOf = (signature: string): ChainEvent[] =>
    folded.events.filter(({ sig }) => Buffer.from(sig, 'latin1').toString('hex') === signature)

  test('every file is used, and every transaction is there', () => {
    assert.deepEqual(
      report.files.filter(({ problem }) => problem !== null),
      [],
    )
    assert.equal(report.written.transactions, stored.length)
    assert.ok(stored.length >= 14)
  })

  test('each event is what its interface says, and nothing is there besides', () => {
    const events = new Map<string, number>()
    for (const { file, judged } of stored) {
      const { signature, from, gives, skipped } = judged
      const ours = eventsOf(signature).filter(({ kind }) => kind !== 'balance' && kind !== 'shares')
      const what = `${file} ${signature.slice(0, 8)}`
      assert.deepEqual(
        ours.map(({ kind }) => kind),
        gives.map(({ kind }) => kind),
        what,
      )
      for (const [i, facts] of gives.entries()) assert.deepEqual(comparable(ours[i]!, facts), facts, what)
      for (const { kind } of ours) events.set(kind, (events.get(kind) ?? 0) + 1)
      const agreed = ours.map(({ kind }) => kind).join(', ') || '-'
      const named = skipped.map(({ event, why }) => `${event}: ${why}`).join('; ') || '-'
      table.push(`${file} | ${signature.slice(0, 8)} | ${from} | ${agreed} | ${named}`)
    }
    table.push(`0 disagreements in ${[...events].map(([kind, n]) => `${kind} ${n}`).join(', ')}`)
    for (const kind of ['create', 'trade', 'complete', 'pool', 'liquidity', 'migrate'])
      assert.ok(events.has(kind), kind)
  })

  test('what gives nothing is counted under its name, and nothing else is', () => {
    const due = new Map<string, number>()
    for (const { judged } of stored)
      for (const { event, why } of judged.skipped) {
        assert.doesNotMatch(why, /no reason is known/)
        // it is read together with the buy before it
        if (event !== 'pump_amm.BoostBuyAndBurnEvent') due.set(event, (due.get(event) ?? 0) + 1)
      }
    const counted = new Map([...folded.counts].map(([name, n]) => [name.replace(/^\w+:/, ''), n]))
    assert.deepEqual(counted, due)
  })

  test('every balance is the one that the node recorded', () => {
    let checked = 0
    for (const { file, judged } of stored) {
      for (const event of eventsOf(judged.signature)) {
        if (event.kind !== 'balance' || event.outer < 0 || event.account < 0 || judged.balances === null) continue
        const row = `${keyToBase58(event.owner)} ${keyToBase58(event.mint)}`
        assert.equal(BigInt(event.after), judged.balances.get(row) ?? 0n, `${file}: ${row}`)
        checked++
      }
    }
    table.push(`${checked} balances as recorded`)
    assert.ok(checked > 0)
  })

  test('every trade reaches the rows of its token', () => {
    const due = new Map<string, number>()
    for (const { judged } of stored)
      for (const { kind, mint } of judged.gives)
        if (kind === 'trade') due.set(mint as string, (due.get(mint as string) ?? 0) + 1)
    assert.ok(due.size > 5)
    const tokens = Array.from({ length: folded.engine.globals.nextToken }, (_, id) => folded.store.token(id)!)
    // trades that a program made for itself are hops
    for (const event of folded.events)
      if (event.kind === 'trade' && event.hop) due.set(keyToBase58(event.mint), due.get(keyToBase58(event.mint))! - 1)
    for (const [mint, n] of due) assert.equal(tokens.find((token) => keyToBase58(token.mint) === mint)?.trades, n, mint)
    assert.equal(
      folded.engine.globals.nextTrade,
      [...due.values()].reduce((a, b) => a + b, 0),
    )
  })
})
