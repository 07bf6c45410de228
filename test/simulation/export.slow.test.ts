import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { AppExplain } from '@ti/core/contract/app.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import type { Rendered } from '@ti/core/query/query.ts'
import { share, shareOfCounted } from '@ti/core/query/round.ts'
import { exportParquet } from '@ti/service/export/export.ts'
import type { ExportNews } from '@ti/service/export/news.ts'
import { openStoreToRead } from '@ti/service/store/open.ts'
import type { Store } from '@ti/service/store/store.ts'
import { runs, seed } from '../support/chance.ts'
import {
  expectedLaunch,
  expectedMoney,
  expectedPosition,
  expectedReading,
  expectedTrade,
  expectedVerdicts,
  expectedWallet,
  servedTrader,
} from '../support/export-expected.ts'
import { type Cells, contentsOf, groupsOf, readAll, readManifest, readTable } from '../support/export-reader.ts'
import { seededRandom } from '../support/random.ts'
import { scriptArgs } from '../support/script.ts'
import { eventually } from '../support/wait.ts'
import { command, operatorOf, replay, startService } from './service.ts'

const SEED = seed()
const KILLS = runs(5)

/** small, so that a small market makes many files */
const BOUNDS = { partRows: 1_000, groupRows: 300, groupText: 100_000, names: 50, manifestBytes: 1e6 }
const dir = mkdtempSync(join(tmpdir(), 'export-'))
const capture = join(dir, 'market.capture')
const data = join(dir, 'data')
const whole = join(dir, 'whole')
after(() => rmSync(dir, { recursive: true, force: true }))
before(async () => {
  await command('capture', 'simulate', capture, '--trades', '8000', '--seed', '5')
  await replay(capture, data)
  await run(whole)
})

const run = (out: string, onNews: (news: ExportNews) => void = () => {}) =>
  exportParquet({ dataDir: data, out, bounds: BOUNDS, onNews })

async function withStore<T>(dataDir: string, use: (store: Store) => T): Promise<T> {
  const store = openStoreToRead(dataDir)
  try {
    return use(store)
  } finally {
    await store.close()
  }
}

/** Every value of every row against the records of the store. */
async function assertSame(out: string, dataDir: string): Promise<void> {
  const { trades, launches, wallets, positions, verdicts, readings: ages, money } = await readAll(out)
  await withStore(dataDir, (store) => {
    const { nextToken, nextWallet } = store.globals()!
    assert.deepEqual(
      trades,
      Array.from(store.trades(0), (row) => expectedTrade(store, row)),
    )
    const tokens = Array.from({ length: nextToken }, (_, id) => store.token(id)!)
    assert.deepEqual(
      launches,
      tokens.map((token) => expectedLaunch(store, token)),
    )
    assert.deepEqual(
      positions,
      tokens.flatMap(({ id }) => store.positions(id).map((position) => expectedPosition(store, position))),
    )
    assert.deepEqual(verdicts, expectedVerdicts(store))
    assert.deepEqual(
      ages,
      Array.from(store.readings(0), (row) => expectedReading(store, row)),
    )
    assert.deepEqual(money, tokens.flatMap(expectedMoney))
    assert.equal(wallets.length, nextWallet)
    wallets.forEach((row, id) => {
      const wallet = store.wallet(id)!
      const expected = expectedWallet(store, wallet)
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, row[name]])), expected)
      assert.deepEqual(readings(row), served(store, id), String(row.address))
    })
  })
}

const rounded = (value: Cells[string], digits: number): number | null =>
  value === null ? null : Math.round(Number(value) * 10 ** digits) / 10 ** digits + 0

const readings = (row: Cells) => ({
  avg_hold_slots: rounded(row.avg_hold_slots!, 0),
  median_hold_slots: row.median_hold_slots,
  bundled_trades_rate: rounded(row.bundled_trades_rate!, 4),
  healthy_coins_rate: rounded(row.healthy_coins_rate!, 4),
  pnl_sol: row.pnl_lamports === null ? null : Number(row.pnl_lamports) / 1e9,
  roi: rounded(row.roi!, 4),
  sell_impact: rounded(row.sell_impact_pct!, 2),
  smart_money: row.smart_money,
  win_rate: rounded(row.win_rate!, 4),
})

function served(store: Store, id: number) {
  const { last_active, name, recent_mints, total_buys_sol, user_address, ...rest } = servedTrader(
    store,
    store.wallet(id)!,
  )
  return rest
}

/** The tables about verdicts, outlook and money of every token, against what the service answers as of that entry. */
async function assertServed(out: string, dataDir: string): Promise<void> {
  const { launches, ...tables } = await readAll(out)
  const of = (table: keyof typeof tables, mint: Cells[string] | undefined): Cells[] =>
    tables[table].filter((row) => row.mint === mint)
  await withStore(dataDir, (store) => {
    const query = createQuery({ engine: createEngine({ reader: store, walletsCached: 10_000 }), store })
    const told = <T>(rendered: Rendered | null): T => JSON.parse(rendered!.bytes.toString())
    let answers = 0
    for (const { mint, supply_base_units: supply } of launches) {
      const { money, verdict } = told<Who>(query.who(String(mint)))
      const { outlook } = told<AppExplain>(query.explain(String(mint)))
      const pct = (held: Cells[string] | undefined) => share(Number(held), Number(supply ?? 0))
      const sol = (lamports: Cells[string]) => (lamports === null ? null : Number(lamports) / 1e9)
      assert.deepEqual(
        of('money', mint).map((row) => ({
          ...{ cohort: row.cohort, wallets: Number(row.wallets) },
          ...{ paid: sol(row.paid_lamports!), got: sol(row.got_lamports!) },
          ...{ peak: pct(row.peak_base_units!), holds: pct(row.held_base_units!) },
        })),
        money
          .filter(({ cohort }) => cohort !== 'group')
          .map(({ cohort, wallets, paid_sol: paid, got_sol: got, peak_pct: peak, holds_pct: holds }) => ({
            ...{ cohort, wallets, paid, got, peak, holds },
          })),
      )
      const changes = of('verdicts', mint).map(({ slot, colour, code, event }) => ({
        ...{ slot: Number(slot), colour, code, event },
      }))
      assert.deepEqual(changes.slice(-64), verdict.history)
      assert.equal(changes.at(-1)?.colour ?? 'neutral', verdict.colour)
      const newest = of('readings', mint).at(-1)
      for (const [question, answer] of Object.entries(outlook)) {
        if (answer === null) continue
        answers++
        const p = newest![`${question}_p`] as number | null
        assert.deepEqual(
          [newest!.slot, newest!.age_slots, newest![`${question}_outcomes`], p && shareOfCounted(answer.n, p)],
          [BigInt(answer.slot), BigInt(answer.age_slots), BigInt(answer.n), answer.p],
        )
      }
    }
    assert.ok(answers > 10 && tables.verdicts.length > 20, `${answers} answers, ${tables.verdicts.length} changes`)
  })
}

/** Tables of one log entry count the same trades. */
async function assertOfOneEntry(out: string): Promise<void> {
  const { trades, launches, wallets } = await readAll(out)
  const sum = (rows: readonly Cells[]): number => rows.reduce((total, row) => total + Number(row.trades), 0)
  assert.deepEqual([sum(launches), sum(wallets)], [trades.length, trades.length])
  assert.deepEqual(
    trades.map((row) => row.trade_no),
    trades.map((_, no) => BigInt(no)),
  )
  assert.equal(Number(trades.at(-1)!.slot) <= readManifest(out).slot, true)
}

test('every value that is read back is what the store says; files and row groups are bounded', async () => {
  const manifest = readManifest(whole)
  await assertSame(whole, data)
  await assertServed(whole, data)
  for (const { parts } of Object.values(manifest.tables)) {
    assert.equal(
      parts.slice(0, -1).every(({ rows }) => rows === BOUNDS.partRows),
      true,
    )
    for (const { file } of parts)
      assert.equal(Math.max(...(await groupsOf(join(whole, file)))) <= BOUNDS.groupRows, true)
  }
  assert.equal(manifest.tables.trades.parts.length, 9)
  assert.deepEqual(
    Object.keys(contentsOf(whole)).sort(),
    ['manifest.json', ...Object.values(manifest.tables).flatMap(({ parts }) => parts.map(({ file }) => file))].sort(),
    'nothing else is left behind',
  )
  assert.deepEqual(await run(whole), { manifest, isNew: false })
})

test('ended after each file in turn, and robbed of some, the same call goes on and ends in the same bytes', async () => {
  const out = join(dir, 'ended')
  await assert.rejects(
    run(out, ({ kind }) => {
      if (kind === 'copying') throw new Error('halt')
    }),
    /halt/,
  )
  const finished: string[] = []
  const toRob = new Map(['trades', 'wallets', 'positions'].map((table) => [table, 3]))
  const halt = (news: ExportNews): void => {
    if (news.kind !== 'part') return
    finished.push(news.file)
    assert.equal(finished.length < 100, true, 'it does not come to an end')
    throw new Error('halt')
  }
  while (
    await run(out, halt).then(
      () => false,
      (error: Error) => error.message === 'halt' || Promise.reject(error),
    )
  ) {
    for (const [table, count] of toRob) {
      const files = finished.filter((file) => file.includes(table))
      if (files.length < count) continue
      // not the newest: what comes after it was made from where it ended
      rmSync(join(out, files.at(-2)!))
      toRob.delete(table)
    }
  }
  const names = new Set(finished)
  assert.deepEqual([toRob.size, names.size], [0, Object.keys(contentsOf(whole)).length - 1])
  assert.deepEqual(contentsOf(out), contentsOf(whole))
})

const exporter = resolve(import.meta.dirname, 'export-steps.ts')

/** Lets it go on `steps` times, then kills it some moments later. True when it ended by itself before. */
async function killAfter(out: string, steps: number, ms: number): Promise<boolean> {
  const options = JSON.stringify({ dataDir: data, out, bounds: BOUNDS })
  const child = spawn(process.execPath, [...scriptArgs(exporter), options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<boolean>((done) => child.on('close', (code) => done(code === 0)))
  child.stdin.on('error', () => {})
  let told = 0
  for await (const _ of createInterface({ input: child.stdout })) {
    child.stdin.write('\n')
    if (++told < steps) continue
    await pause(ms)
    child.kill('SIGKILL')
    break
  }
  return ended
}

test('killed at any moment, it goes on and ends in the same bytes', async () => {
  console.log(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const out = join(dir, 'killed')
  let kills = 0
  while (kills < KILLS) {
    if (await killAfter(out, 1 + Math.floor(random() * 8), Math.floor(random() * 12))) rmSync(out, { recursive: true })
    else kills++
  }
  await run(out)
  assert.deepEqual(contentsOf(out), contentsOf(whole), `seed ${SEED}`)
})

test('beside the running service: tables of one entry, then only what is new, and the earlier export stays whole', async () => {
  const live = join(dir, 'live')
  const out = join(dir, 'warehouse')
  const cli = () => startService({}, ['export', '--parquet', out, '--data-dir', live]).exit
  const service = startService({ DATA_DIR: live, SOURCE: `capture:${capture}?speed=2`, PAYMENTS: 'off' })
  const url = await service.url
  await eventually('there are trades', async () => {
    const { slot } = (await (await fetch(`${operatorOf(url)}/readyz`)).json()) as { slot: number }
    return slot >= 0 && (await withStore(live, (store) => (store.globals()?.nextTrade ?? 0) > 100))
  })
  const first = await cli()
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stderr, /copying \d+ MB/)
  assert.match(first.stdout, /log entry \d+, slot \d+\n {2}trades +\d+ rows, \d+ MB in 1 files\n/)
  await assertOfOneEntry(out)
  const before = readManifest(out)
  const earlier = await readTable(out, 'positions')
  service.child.kill('SIGTERM')
  assert.equal((await service.exit).code, 0)
  await replay(capture, live)

  assert.equal((await cli()).code, 0)
  const now = readManifest(out)
  assert.deepEqual(now.tables.trades.parts[0], before.tables.trades.parts[0])
  assert.deepEqual([now.previous, now.tables.trades.parts.length], [before.seq, 2])
  await assertSame(out, live)
  assert.deepEqual(await readTable(out, 'positions', before), earlier)
  const files = contentsOf(out)
  const again = await cli()
  assert.match(again.stdout, /nothing is new/)
  assert.deepEqual(contentsOf(out), files)
})
