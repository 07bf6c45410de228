import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { TradeEvent } from '@ti/core/model/events.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { OperatorError } from '@ti/service/base/errors.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import type { DecodedItem, RawItem, SourceItem } from '@ti/service/source/source.ts'
import { createSimulator } from '../simulator/simulator.ts'
import { importFiles } from './import.ts'
import { slotAt, timeAt } from './slot-time.ts'

const dir = mkdtempSync(join(tmpdir(), 'import-test-'))
after(() => rmSync(dir, { recursive: true, force: true }))

let number = 0
const file = (text: string): string => {
  const path = join(dir, `${number++}.in`)
  writeFileSync(path, text)
  return path
}

async function imported(files: readonly string[], options = {}) {
  const out = join(dir, `${number++}.capture`)
  const report = await importFiles(files, out, options)
  const items: SourceItem[] = []
  for await (const item of (await openCapture(out)).items(
    { slot: -1, time: 0, facts: 0 },
    new AbortController().signal,
  ))
    items.push(item)
  return { report, items }
}

const key = (letter: string) => keyToBase58(letter.repeat(32) as Key)
const sig = (letter: string) => sigToBase58(letter.repeat(64) as Sig)
const decodedOf = (items: readonly SourceItem[]) => items.filter((it): it is DecodedItem => it.kind === 'decoded')
const rawOf = (items: readonly SourceItem[]) => items.filter((it): it is RawItem => it.kind === 'raw')

/** getTransaction answers (json encoding) of the simulator's transactions. */
function toJson(tx: RawTransaction, slot: number | undefined, time: number | undefined): object {
  const keys = tx.keys.map(keyToBase58)
  const instruction = ({ program, accounts, data }: RawTransaction['instructions'][number]) => ({
    programIdIndex: program,
    accounts: [...accounts],
    data: base58Bytes(data),
  })
  const tokens = (rows: RawTransaction['preTokens']) =>
    rows.map(({ account, mint, owner, amount, decimals }) => ({
      accountIndex: account,
      mint: keyToBase58(mint),
      owner: keyToBase58(owner!),
      uiTokenAmount: { amount: String(amount), decimals },
    }))
  return {
    slot,
    blockTime: time,
    version: 0,
    transaction: {
      signatures: [sigToBase58(tx.signature)],
      message: { accountKeys: keys, instructions: tx.instructions.map(instruction) },
    },
    meta: {
      err: tx.failed ? { InstructionError: [2, { Custom: 6002 }] } : null,
      preBalances: Array.from(tx.preBalances),
      postBalances: Array.from(tx.postBalances),
      innerInstructions: tx.inner!.map(({ outer, instructions }) => ({
        index: outer,
        instructions: instructions.map(instruction),
      })),
      logMessages: tx.logs,
      preTokenBalances: tokens(tx.preTokens),
      postTokenBalances: tokens(tx.postTokens),
    },
  }
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
function base58Bytes(bytes: Buffer): string {
  let value = BigInt(`0x0${bytes.toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = ALPHABET[Number(value % 58n)] + text
  for (const byte of bytes) {
    if (byte !== 0) break
    text = `1${text}`
  }
  return text
}

const notification = (tx: RawTransaction, slot: number): object => ({
  jsonrpc: '2.0',
  method: 'logsNotification',
  params: {
    result: { context: { slot }, value: { signature: sigToBase58(tx.signature), err: null, logs: tx.logs } },
    subscription: 1,
  },
})

const plain = (tx: RawTransaction) => ({
  signature: tx.signature,
  failed: tx.failed,
  keys: tx.keys,
  logs: tx.logs,
  inner:
    tx.inner?.map(({ outer, instructions }) => [outer, instructions.map(({ data }) => data.toString('hex'))]) ?? null,
  post: Array.from(tx.postBalances),
  tokens: tx.postTokens.map((row) => ({ ...row })),
})

const blocks: RawItem[] = []
for await (const item of createSimulator({
  seed: 21,
  speed: 0,
  slots: 12,
  startSlot: 430_000_000,
  startTime: 1_782_866_400,
}).items({ slot: -1, time: 0, facts: 0 }, new AbortController().signal))
  if (item.kind === 'raw' && item.block.transactions.length > 1) blocks.push(item)

test('raw transactions in every wrapper come out as they went in, by slot', async () => {
  const [a, b, c] = blocks.map((item) => item.block)
  const first = a!.transactions[0]!
  // the trade's event contains the time
  const second = b!.transactions.find((tx) => !tx.failed && tx.logs!.some((line) => line.endsWith('Instruction: Buy')))!
  const third = c!.transactions[0]!
  const { items, report } = await imported(
    [
      file(JSON.stringify({ jsonrpc: '2.0', id: 1, result: toJson(third, c!.slot, c!.time) })),
      file(JSON.stringify({ source: 'x', programs: ['pump'], tx: toJson(first, a!.slot, a!.time) }, null, 2)),
      file(JSON.stringify([toJson(second, b!.slot, undefined)])),
    ],
    { solUsd: 150 },
  )
  assert.deepEqual(items[0], { kind: 'facts', time: a!.time, facts: [{ kind: 'sol_price', usd: 150 }] })
  const raw = rawOf(items)
  assert.deepEqual(
    raw.map((it) => it.block.slot),
    [a!.slot, b!.slot, c!.slot],
  )
  assert.deepEqual(
    raw.map((it) => it.block.time),
    [a!.time, b!.time, c!.time],
    'time from the events where not stated',
  )
  assert.deepEqual(
    raw.flatMap((it) => it.block.transactions.map(plain)),
    [first, second, third].map(plain),
  )
  assert.deepEqual(
    report.files.map(({ records, problem }) => [records, problem]),
    [
      [1, null],
      [1, null],
      [1, null],
    ],
  )
  assert.equal(report.written.transactions, 3)
})

test('a whole block keeps its order, and logs give way to the full transaction', async () => {
  const { block } = blocks[4]!
  const other = blocks[5]!.block
  const whole = {
    parentSlot: block.slot - 1,
    blockTime: block.time,
    transactions: block.transactions.map((tx) => toJson(tx, undefined, undefined)),
  }
  const lines = [
    { result: 5, id: 1 },
    { t_wall: 1.5, raw: JSON.stringify(notification(block.transactions[1]!, block.slot)) },
    notification(other.transactions[0]!, other.slot),
  ]
  const { items, report } = await imported([
    file(lines.map((it) => JSON.stringify(it)).join('\n')),
    file(JSON.stringify(whole)),
  ])
  const raw = rawOf(items)
  assert.deepEqual(
    raw.map((it) => it.block.slot),
    [block.slot, other.slot],
  )
  assert.deepEqual(raw[0]!.block.transactions.map(plain), block.transactions.map(plain))
  const logs = raw[1]!.block.transactions[0]!
  assert.deepEqual([logs.keys, logs.inner, logs.index], [[], null, -1])
  assert.deepEqual(logs.logs, other.transactions[0]!.logs)
  assert.equal(report.notes.duplicate_transaction, 1)
  assert.equal(report.notes.unknown_record, 1)
})

test('a transaction without a slot is placed by the time its event states, and counted', async () => {
  const { block } = blocks[2]!
  const { items, report } = await imported([file(JSON.stringify(toJson(block.transactions[0]!, undefined, undefined)))])
  assert.equal(rawOf(items)[0]!.block.slot, slotAt(block.time))
  assert.equal(rawOf(items)[0]!.block.time, block.time)
  assert.equal(report.notes.slot_estimated, 1)
})

const HEAD =
  'token_address,block_num,block_time,transaction_signature,wallet_address,is_buy,amount_in_sol,amount_in_token,virtual_sol_reserves,virtual_token_reserves,fee_amount,creator_fee_amount,creator_address,note'

/** Rows of a small curve: [signature letter, sol, tokens] from given reserves; buys are positive. */
function rows(
  slot: number,
  mint: string,
  trades: readonly (readonly [string, number, number])[],
  start: [number, number],
) {
  let [sol, token] = start
  return trades.map(([letter, ds, dt]) => {
    sol += ds
    token -= dt
    const buy = ds > 0
    return [
      key(mint),
      slot,
      1_782_866_400,
      letter === '' ? '' : sig(letter),
      key('w'),
      buy,
      Math.abs(ds),
      Math.abs(dt),
      sol,
      token,
      9,
      3,
      key('c'),
      '"a, b"',
    ].join(',')
  })
}

test('a trade table is read by its column names and put into chain order', async () => {
  const chain = rows(
    430_100_000,
    'm',
    [
      ['a', 5, 50],
      ['b', 7, 60],
      ['b', -3, -30],
      ['c', 9, 70],
    ],
    [1000, 90_000],
  )
  const later = rows(
    430_100_001,
    'm',
    [
      ['d', 1, 2],
      ['', 2, 3],
      ['', 4, 5],
    ],
    [1018, 89_850],
  )
  const shuffled = [chain[2]!, later[1]!, chain[3]!, later[2]!, chain[0]!, later[0]!, chain[1]!]
  const { items, report } = await imported([file([HEAD, ...shuffled, 'broken,row', ''].join('\r\n'))])
  const [first, second] = decodedOf(items)
  const trades = first!.events as TradeEvent[]
  assert.deepEqual(
    trades.map((it) => it.quoteReserve),
    [1005, 1012, 1009, 1018],
  )
  assert.deepEqual(
    trades.map((it) => sigToBase58(it.sig)),
    ['a', 'b', 'b', 'c'].map(sig),
  )
  assert.deepEqual(
    trades.map((it) => [it.txIndex, it.outer, it.inner]),
    [
      [0, -1, 0],
      [1, -1, 0],
      [1, -1, 1],
      [2, -1, 0],
    ],
  )
  assert.deepEqual(
    trades.map((it) => it.userQuote),
    [17, 19, 0, 21],
  )
  assert.equal(keyToBase58(trades[0]!.creator!), key('c'))
  assert.equal(trades[0]!.realToken, -1)
  const unsigned = (second!.events as TradeEvent[]).map((it) => [it.sig === '', it.txIndex, it.inner])
  assert.deepEqual(unsigned, [
    [false, 0, 0],
    [true, 1, 0],
    [true, 2, 1],
  ])
  assert.equal(report.notes['csv_row:columns'], 1)
  assert.equal(report.written.decodedTrades, 7)
})

test('swap lines: seconds become slots, the stated price becomes the ratio of the reserves', async () => {
  const swap = {
    ts: 1_782_611_393,
    trader: key('t'),
    side: 'buy',
    sol: 0.5,
    tokens: 1234.5,
    price: 4.1e-7,
    sig: sig('s'),
  }
  const line = { mint: key('m'), pool: key('p'), supply: 1e9, swaps: [swap, { ...swap, side: 'sell', sig: undefined }] }
  const bad = [
    { ...swap, trader: 'RDCT-1' },
    { ...swap, side: 'x' },
    { ...swap, tokens: 0 },
    { ...swap, sol: 0, price: null },
  ]
  const { items, report } = await imported([
    file(`${JSON.stringify(line)}\n${JSON.stringify({ ...line, swaps: bad })}\n`),
  ])
  const [block] = decodedOf(items)
  assert.equal(block!.slot, slotAt(swap.ts))
  const [buy, sell] = block!.events as TradeEvent[]
  assert.deepEqual([buy!.quoteAmount, buy!.tokenAmount, buy!.supply], [500_000_000, 1_234_500_000, 1e15])
  assert.ok(Math.abs(buy!.quoteReserve / buy!.baseReserve / 1e3 / 4.1e-7 - 1) < 1e-9)
  assert.deepEqual([buy!.isBuy, sell!.isBuy, sell!.sig], [true, false, ''])
  assert.deepEqual(
    Object.entries(report.notes).filter(([name]) => name.startsWith('swap:')),
    [
      ['swap:amount', 1],
      ['swap:key', 1],
      ['swap:no_price', 1],
      ['swap:side', 1],
    ],
  )
})

test('a slot with raw and decoded records keeps the raw ones, and a raw signature beats its decoded rows', async () => {
  const { block } = blocks[3]!
  const table = [
    HEAD,
    ...rows(block.slot, 'm', [['a', 5, 50]], [100, 1000]),
    ...rows(block.slot + 50, 'm', [['e', 5, 50]], [100, 1000]),
  ]
  const same = rows(block.slot + 60, 'm', [['x', 5, 50]], [100, 1000])[0]!.replace(
    sig('x'),
    sigToBase58(block.transactions[0]!.signature),
  )
  const { items, report } = await imported([
    file([...table, same].join('\n')),
    file(JSON.stringify(toJson(block.transactions[0]!, block.slot, block.time))),
  ])
  assert.deepEqual(
    items.map((it) => it.kind),
    ['raw', 'decoded'],
  )
  assert.equal(report.notes.decoded_trade_in_raw_slot, 1)
  assert.equal(report.notes.decoded_trade_also_raw, 1)
})

test('what cannot be used is named with its reason, and nothing usable at all is an error', async () => {
  const html = file('<!DOCTYPE html><html></html>')
  const cut = file('{"transaction": {"signat')
  const text = file('hello, world\nand more')
  const empty = file('')
  const foreign = file('{"txType":"create"}\n{"txType":"create"}')
  await assert.rejects(importFiles([html, cut, text, empty, foreign], join(dir, 'never.capture')), (error: unknown) => {
    assert.ok(error instanceof OperatorError)
    for (const part of [
      `${html}: it is a web page`,
      `${cut}: it begins like JSON`,
      `${text}: it is neither`,
      empty,
      `${foreign}: no transaction or trade in it (unknown_record 2)`,
    ])
      assert.ok(error.message.includes(part), error.message)
    return true
  })
  assert.ok(!readdirSync(dir).some((name) => name.startsWith('never')), 'nothing is left behind')
  await assert.rejects(importFiles([join(dir, 'absent')], join(dir, 'never.capture')), /absent: cannot be read/)
  const good = file(JSON.stringify(toJson(blocks[0]!.block.transactions[0]!, 5, 5)))
  const { report } = await imported([html, good])
  assert.match(report.files[0]!.problem!, /web page/)
})

test('slots and times map onto each other', () => {
  for (const slot of [1_000_000, 344_556_402, 350_000_000, 430_584_458, 500_000_000])
    assert.ok(Math.abs(slotAt(timeAt(slot)) - slot) <= 3 || slot === 1_000_000, String(slot))
  assert.equal(timeAt(435_948_490 + 10), 1_785_328_588)
})
