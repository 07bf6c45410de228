import '@ti/lab/register.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import type { Trade } from '@ti/core/contract/resources.ts'
import { DeployerWindows, TraderWindows, WINDOW_DAYS } from '@ti/core/contract/windows.ts'
import type { TradeRow } from '@ti/core/model/rows.ts'
import type { Wallet } from '@ti/core/model/state.ts'
import { QUERY_BOUNDS, type QueryBounds } from '@ti/core/query/bounds.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import type { Answer } from '@ti/core/query/envelope.ts'
import { createOperations, noArguments, type Operation } from '@ti/core/query/operations.ts'
import { createMemo } from '@ti/core/query/people/memo.ts'
import { createTradesAt } from '@ti/core/query/people/trades-at.ts'
import { createWindows } from '@ti/core/query/people/windows.ts'
import { readsOf } from '@ti/core/query/reads.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { COMMIT_REPLAY, type Node, openNode } from '@ti/service/service/node.ts'
import { openSource } from '@ti/service/source/open.ts'

/** What reaches back: all trades page by page, and windows; beside plain loops over every row. */
const dir = mkdtempSync(join(tmpdir(), 'windows-'))
/** base58 of 32 equal bytes, which nobody has */
const UNKNOWN = 'US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx'
let node: Node
let rows: TradeRow[]
let operations: Map<string, Operation>

before(async () => {
  node = await openNode(dir)
  const entries = createEntryStream(await openSource('simulator:speed=0&trades=4000&market=2'))
  await node.feed(entries, { commit: COMMIT_REPLAY }).run(new AbortController().signal)
  rows = [...node.store.trades(0)]
  const query = createQuery({ engine: node.engine, store: node.store })
  operations = new Map(createOperations(readsOf(query)).map((operation) => [operation.endpoint.id, operation]))
})
after(async () => {
  await node.close()
  rmSync(dir, { recursive: true, force: true })
})

async function ask(id: string, argument: string, search: Record<string, string> = {}) {
  const operation = operations.get(id)!
  const args = noArguments()
  const problem = operation.parse(argument, search, args)
  assert.equal(problem, null)
  const found = (await operation.run(args, 'req_1')) as Answer | null
  if (found === null) return null
  const answer = JSON.parse(Buffer.from(found.body, 'latin1').toString())
  operation.endpoint.response.parse(answer)
  return answer
}

test('all trades of a token: every one once, newest first; a cursor of another token leads nowhere', async () => {
  const live = [...node.engine.tokens.live()].sort((a, b) => b.token.trades - a.token.trades)
  let pages = 0
  for (const { token } of live.slice(0, 4)) {
    const mint = keyToBase58(token.mint)
    const seen: Trade[] = []
    let cursor: string | null = null
    do {
      const answer: { data: Trade[]; meta: { slot: number; page: { next_cursor: string | null } } } = await ask(
        'history',
        mint,
        { limit: '37', ...(cursor !== null && { cursor }) },
      )
      assert.equal(answer.meta.slot, node.engine.globals.slot)
      seen.push(...answer.data)
      cursor = answer.meta.page.next_cursor
      pages++
    } while (cursor !== null)
    const expected = rows.filter((row) => row.token === token.id).reverse()
    assert.deepEqual(
      seen.map(({ signature, slot, is_buy }) => [signature, slot, is_buy]),
      expected.map(({ sig, slot, isBuy }) => [sigToBase58(sig), slot, isBuy]),
    )
    const newest = (await ask('trades', mint)).data as Trade[]
    assert.deepEqual(seen.slice(0, newest.length), newest, 'the newest are those of `trades`')
  }
  assert.ok(pages > 10, `${pages} pages`)
  const [one, other] = live
  const { meta } = await ask('history', keyToBase58(one!.token.mint), { limit: '1' })
  assert.equal(await ask('history', keyToBase58(other!.token.mint), { cursor: meta.page.next_cursor }), null)
  const [slot, no] = (meta.page.next_cursor as string).split('-')
  for (const cursor of [`${slot}-999999999999`, `${Number(slot) + 1}-${no}`]) {
    assert.equal(await ask('history', keyToBase58(one!.token.mint), { cursor }), null, cursor)
  }
})

/** Windows that begin in the middle of this log. */
function windowsFrom(from: number, bounds: Partial<QueryBounds> = {}) {
  const { globals } = node.engine
  const spend = (): void => {}
  return createWindows({
    reader: createMemo(node.store, globals, spend),
    trades: createTradesAt({ trade: node.store.trade, spend, max: QUERY_BOUNDS.whoSlotsKept }),
    trade: node.store.trade,
    ...{ globals, spend, bounds: { ...QUERY_BOUNDS, ...bounds }, startOf: () => from },
  })
}

/** Everything a window says of a wallet's trades from a row on, by a loop over all rows. */
function counted(wallet: Wallet, first: TradeRow | undefined) {
  if (first === undefined) return { buys: 0, spent: 0, pnl: wallet.realisations > 0 ? 0 : null }
  const buys = rows.filter((row) => row.wallet === wallet.id && row.isBuy && row.no >= first.no).length
  const pnl = wallet.realisations > 0 ? wallet.realised - (first.pnlLamports ?? 0) : null
  return { buys, spent: wallet.buyLamports - first.buyLamportsBefore, pnl }
}

test('a trader’s window is what a loop over every row counts, all of it or from where it says', () => {
  const { globals } = node.engine
  const from = rows[Math.floor(rows.length / 2)]!.slot
  const whole = windowsFrom(from, { windowRows: rows.length })
  const little = windowsFrom(from, { windowRows: 64, windowRowsPiece: 8 })
  const seen = { complete: 0, part: 0, none: 0, quiet: 0 }
  for (let id = 0; id < globals.nextWallet; id += 7) {
    const wallet = node.store.wallet(id)!
    if (wallet.trades === 0) continue
    const own = rows.filter((row) => row.wallet === id)
    const first = own.find((row) => row.slot >= from)
    const expected = counted(wallet, first)
    const [all] = TraderWindows.parse(whole.trader(wallet)).windows
    assert.deepEqual([all!.complete, all!.covered_from_slot], [true, from])
    assert.deepEqual(
      [all!.buys, all!.spent_sol, all!.pnl_sol],
      [expected.buys, expected.spent / 1e9, expected.pnl === null ? null : expected.pnl / 1e9],
      keyToBase58(wallet.address),
    )
    const [part] = TraderWindows.parse(little.trader(wallet)).windows
    if (part!.complete) {
      assert.deepEqual(part, all)
      seen[first === undefined ? 'quiet' : 'complete']++
    } else if (part!.covered_from_slot === null) {
      assert.deepEqual([part!.buys, part!.spent_sol, part!.pnl_sol], [null, null, null])
      seen.none++
    } else {
      // the trade it counts from is one of the wallet in that slot
      const starts = own.filter((row) => row.slot === part!.covered_from_slot).map((row) => counted(wallet, row))
      const told = [part!.buys, part!.spent_sol, part!.pnl_sol]
      assert.ok(
        starts.some(({ buys, spent, pnl }) => `${told}` === `${[buys, spent / 1e9, pnl === null ? null : pnl / 1e9]}`),
      )
      seen.part++
    }
  }
  assert.ok(seen.complete > 5 && seen.part > 5 && seen.quiet > 5, JSON.stringify(seen))
})

test('a deployer’s window is its launches since', () => {
  const { globals } = node.engine
  const from = node.store.token(Math.floor(globals.nextToken / 2))!.createdSlot
  const windows = windowsFrom(from)
  let launches = 0
  for (let id = 0; id < globals.nextWallet; id++) {
    const wallet = node.store.wallet(id)!
    if (wallet.launches === 0) continue
    const own = Array.from({ length: globals.nextToken }, (_, no) => node.store.token(no)!).filter(
      (token) => token.deployer === id && token.createdSlot >= from,
    )
    const told = DeployerWindows.parse(windows.deployer(wallet))
    assert.deepEqual(
      told.windows.map(({ days }) => days),
      [...WINDOW_DAYS],
    )
    for (const { summary, drained, rugged, complete } of told.windows) {
      assert.deepEqual(
        [summary.total_deployed, drained, rugged, complete],
        [
          own.length,
          own.filter(({ drainedSlot }) => drainedSlot >= 0).length,
          own.filter(({ ruggedSlot }) => ruggedSlot >= 0).length,
          true,
        ],
      )
      launches += summary.total_deployed
    }
  }
  assert.ok(launches > 20, `${launches} launches`)
})

test('as served: windows begin at a full hour, and a log that begins later says so', async () => {
  const row = rows.at(-1)!
  const address = keyToBase58(node.store.wallet(row.wallet)!.address)
  const { data, meta } = await ask('trader_windows', address)
  const { slot, firstSlot } = node.engine.globals
  assert.equal(meta.slot, slot)
  for (const [i, { days, from_slot, complete, covered_from_slot }] of (data as TraderWindows).windows.entries()) {
    assert.equal(days, WINDOW_DAYS[i])
    assert.equal(from_slot % 9_000, 0)
    assert.ok(slot - days * 216_000 - from_slot < 9_000)
    assert.deepEqual([complete, covered_from_slot], [false, firstSlot])
  }
  assert.equal(await ask('trader_windows', UNKNOWN), null)
  assert.equal(await ask('deployer_windows', UNKNOWN), null)
})
