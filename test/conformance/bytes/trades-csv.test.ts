import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { type Address, isOffCurveAddress } from '@solana/kit'
import { key, keyFromBase58 } from '@ti/core/base/base58.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { pnlLamports } from '@ti/core/engine/history.ts'
import { readLiveToken } from '@ti/core/engine/resident.ts'
import { marketCapInQuote } from '@ti/core/engine/tokens.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { TradeEvent } from '@ti/core/model/events.ts'
import { importFiles } from '@ti/lab/import/import.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { openNode } from '@ti/service/service/node.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import { createReference } from '../../properties/reference.ts'

/** The real trade file, imported, replayed and served, against a plain computation over the same rows. */
const CSV = resolve(import.meta.dirname, '../../../../shared/data/trades/pumpfun_trades.csv')
const SKIP = existsSync(CSV) ? false : `real trades are not at ${CSV}`
const SOL_USD = 200

const dir = mkdtempSync(join(tmpdir(), 'trades-csv-'))
after(() => rmSync(dir, { recursive: true, force: true }))

type Row = Record<string, string>

/** No one signs for it: its trades are hops. */
const isProgram = (wallet: string): boolean => isOffCurveAddress(wallet as Address)

function readRows(): Row[] {
  const [head, ...lines] = readFileSync(CSV, 'utf8').trim().split(/\r?\n/)
  const names = head!.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i]!, value])))
}

/** Rows of one token in chain order: by slot, and within a slot each trade starts from the reserves the last one left. */
function chained(rows: Row[]): Row[] {
  const num = (row: Row, name: string): number => Number(row[name])
  const before = (row: Row): string => {
    const sign = row.is_buy === 'true' ? 1 : -1
    const sol = num(row, 'virtual_sol_reserves') - sign * num(row, 'amount_in_sol')
    return `${sol}/${num(row, 'virtual_token_reserves') + sign * num(row, 'amount_in_token')}`
  }
  const afterwards = (row: Row): string => `${row.virtual_sol_reserves}/${row.virtual_token_reserves}`
  const slots = [...new Set(rows.map((row) => num(row, 'block_num')))].sort((a, b) => a - b)
  const ordered: Row[] = []
  for (const slot of slots) {
    const left = rows.filter((row) => num(row, 'block_num') === slot)
    let state = ordered.length > 0 ? afterwards(ordered.at(-1)!) : ''
    while (left.length > 0) {
      const ends = new Set(left.map(afterwards))
      const follows = left.findIndex((row) => before(row) === state)
      const starts = left.findIndex((row) => !ends.has(before(row)))
      const [next] = left.splice(follows >= 0 ? follows : Math.max(0, starts), 1)
      ordered.push(next!)
      state = afterwards(next!)
    }
  }
  return ordered
}

function toEntries(rows: Row[]): LogEntry[] {
  const bySlot = new Map<number, TradeEvent[]>()
  const mints = [...new Set(rows.map((row) => row.token_address!))]
  for (const row of mints.flatMap((mint) => chained(rows.filter((r) => r.token_address === mint)))) {
    const n = (name: string): number => Number(row[name])
    const isBuy = row.is_buy === 'true'
    const fees = n('fee_amount') + n('creator_fee_amount')
    const event: TradeEvent = {
      kind: 'trade',
      sig: row.transaction_signature as Sig,
      txIndex: 0,
      outer: -1,
      inner: 0,
      venue: 0,
      mint: key(row.token_address!),
      pool: key(row.token_address!),
      user: key(row.wallet_address!),
      isBuy,
      quote: 0,
      quoteAmount: n('amount_in_sol'),
      userQuote: n('amount_in_sol') + (isBuy ? fees : -fees),
      tokenAmount: n('amount_in_token'),
      quoteReserve: n('virtual_sol_reserves'),
      baseReserve: n('virtual_token_reserves'),
      quoteBefore: -1,
      realToken: n('real_token_reserves'),
      supply: 1e15,
      decimals: 6,
      creator: key(row.creator_address!),
      mayhem: false,
      payer: null,
      tipper: null,
      solBefore: -1,
      solAfter: -1,
      hop: isProgram(row.wallet_address!),
      account: -1,
      held: 0,
    }
    const slot = n('block_num')
    bySlot.set(slot, [...(bySlot.get(slot) ?? []), event])
  }
  const blocks = [...bySlot].sort(([a], [b]) => a - b)
  return [
    { kind: 'facts', time: 0, byOperator: false, facts: [{ kind: 'sol_price', usd: SOL_USD }] },
    ...blocks.map(([slot, events]): LogEntry => ({ kind: 'block', slot, parent: -1, time: slot, events })),
  ]
}

test('import and replay of the real trade file equal a plain computation over its rows', { skip: SKIP }, async (t) => {
  const capture = join(dir, 'trades.capture')
  const report = await importFiles([CSV], capture, { solUsd: SOL_USD })
  const node = await openNode(join(dir, 'data'))
  const entries = createEntryStream(await openCapture(capture))
  await node.feed(entries, { commit: { events: 500, delayMs: 50 } }).run(new AbortController().signal)
  const { store } = node
  const rows = readRows()
  const expected = createReference(toEntries(rows), new Set())
  const wallets = [...new Set(rows.map((row) => row.wallet_address!))].filter((one) => !isProgram(one))

  for (const mint of expected.mints) {
    const token = store.token(store.tokenIdByMint(mint)!)!
    const live = readLiveToken(store, token)
    const trades = expected.priced(mint)
    const last = trades.at(-1)!
    const peak = trades.reduce((best, trade) => (trade.mcap > best.mcap ? trade : best))
    assert.equal(token.trades, trades.filter(({ event }) => !event.hop).length)
    const lastMcapSol = (last.event.quoteReserve / last.event.baseReserve) * 1e6
    assert.ok(Math.abs(marketCapInQuote(token)! - lastMcapSol) < 1e-9 * lastMcapSol)
    assert.equal(token.ath, peak.mcap)
    assert.equal(token.athSlot, peak.slot)
    const held = (balances: Iterable<readonly [Key, number]>): string[] =>
      [...balances]
        .filter(([, balance]) => balance > 0)
        .map(([address, balance]) => `${address} ${balance}`)
        .sort()
    const served = [...live.positions.values()].map((p) => [store.wallet(p.wallet)!.address, p.balance] as const)
    const counted = wallets.map((address) => {
      const wallet = keyFromBase58(address)!
      return [wallet, expected.holding(wallet, mint, expected.end).balance] as const
    })
    assert.deepEqual(held(served), held(counted))
    t.diagnostic(
      `${trades.length} trades, ${held(served).length} holders, ATH ${token.ath} USD, last ${lastMcapSol.toFixed(2)} SOL`,
    )
  }

  let withProfit = 0
  for (const address of wallets) {
    const wallet = keyFromBase58(address)!
    const realised = expected.mints.flatMap((mint) => expected.holding(wallet, mint, expected.end).realised)
    const profit = realised.reduce((sum, one) => sum + one.profit, 0)
    const served = pnlLamports(store.wallet(store.walletIdByAddress(wallet)!)!)
    assert.equal(served, realised.length > 0 ? profit : null)
    if (served !== null) withProfit++
  }
  t.diagnostic(`${wallets.length} wallets, ${withProfit} with realised profit; import: ${JSON.stringify(report)}`)
  await node.close()
})
