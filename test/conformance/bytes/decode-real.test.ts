import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createCounts } from '@ti/core/base/counts.ts'
import { type Key, keyAt } from '@ti/core/base/ids.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import type { ChainEvent, TradeEvent } from '@ti/core/model/events.ts'
import { PUMP, PUMPSWAP, WRAPPED_SOL } from '@ti/core/model/programs.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { blockFromGrpc, transactionFromGrpc } from '@ti/service/source/shape/grpc.ts'
import { transactionFromJson } from '@ti/service/source/shape/json.ts'
import { notificationFromLogs } from '@ti/service/source/shape/logs.ts'
import { decode, hex, instruction, keyOf, rawTx, selfCpi, WHO } from '../../support/encode.ts'
import { LAUNCHLAB } from '../../support/programs.ts'
import { comparable, expectedOf, oracles } from './expected.ts'
import { listData, NO_DATA, parseCsv, readData } from './idl.ts'
import { asGrpc, asParsed, asPlain, namesOf, slowPayloads } from './reshape.ts'

const PROGRAMS: Record<string, Key> = { pump: PUMP, pump_amm: PUMPSWAP, launchlab: LAUNCHLAB }
const table: string[] = []
after(() => {
  if (table.length > 0) console.log(['file | found | skipped', ...table].join('\n'))
})

function note(file: string, events: readonly ChainEvent[], counts: ReadonlyMap<string, number>): void {
  const found = new Map<string, number>()
  for (const { kind } of events) found.set(kind, (found.get(kind) ?? 0) + 1)
  const list = (map: ReadonlyMap<string, number>) => [...map].map(([name, n]) => `${name} ${n}`).join(', ') || '-'
  table.push(`${file} | ${list(found)} | ${list(counts)}`)
}

/** Fails unless `event` is what the interface says `payload` is. */
function assertAgrees(program: string, payload: Buffer, event: ChainEvent): void {
  const said = oracles[program as keyof typeof oracles]!(payload)
  const expected = said === null ? null : expectedOf(program, said)
  assert.ok(expected !== null, `${program}: an event where the interface has none`)
  // spaces around what strangers write are taken off
  for (const field of ['name', 'symbol']) if (field in expected) expected[field] = String(expected[field]).trim()
  const decoded = comparable(event)
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((field) => [field, decoded[field]])), expected)
}

/** A payload as its program would emit it: in a call whose accounts name `mint` and, where needed, the pool in it. */
function emitted(program: string, payload: Buffer): RawTransaction {
  const keys: Key[] = []
  const pool =
    program === 'pump_amm' && payload.length >= 152
      ? keyAt(payload, 120)
      : keyAt(Buffer.concat([payload, Buffer.alloc(40)]), 8)
  const swap = [pool, WHO.user, WHO.other, WHO.mint, WRAPPED_SOL]
  const lab = [
    WHO.user,
    WHO.other,
    WHO.other,
    WHO.other,
    pool,
    ...[1, 2, 3, 4].map((n) => keyOf(30 + n)),
    WHO.mint,
    WRAPPED_SOL,
  ]
  const outer = instruction(keys, PROGRAMS[program]!, program === 'pump_amm' ? swap : lab, hex('66063d1201daebea'))
  const event = instruction(keys, PROGRAMS[program]!, [], selfCpi(payload))
  return rawTx({ keys, instructions: [outer], inner: [{ outer: 0, instructions: [event] }] })
}

const rows = NO_DATA ? [] : parseCsv(readData('events/program_data_events.csv'))

describe('every recorded event payload', { skip: NO_DATA }, () => {
  test('decodes to what the interface says or is skipped for a named reason', () => {
    assert.equal(rows.length, 132)
    const tally = new Map<string, number>()
    for (const row of rows) {
      const payload = Buffer.from(row.base64!, 'base64')
      assert.equal(payload.length, Number(row.payload_len))
      const own = row.event!.split('.')[0]!
      // a foreign payload must not pass for an event of ours, whichever of our programs were to emit its bytes
      for (const program of own in PROGRAMS ? [own] : Object.keys(PROGRAMS)) {
        const { events, counts } = decode(emitted(program, payload))
        const reasons = [...counts.keys()]
        if (events.length === 1) assertAgrees(program, payload, events[0]!)
        else assert.ok(events.length === 0 && reasons.length === 1, `${row.event} through ${program}: ${reasons}`)
        if (own === program)
          assert.ok(events.length === 1 || /^not_needed:/.test(reasons[0]!), `${row.event}: ${reasons}`)
        const line = `${row.event} ${row.payload_len}${own === program ? '' : ` (as ${program})`} | ${events[0]?.kind ?? '-'} | ${reasons.join(', ') || '-'}`
        tally.set(line, (tally.get(line) ?? 0) + 1)
      }
    }
    for (const [line, n] of tally) table.push(`events × ${n}: ${line}`)
    assert.equal(rows.filter((row) => row.event === 'pump.TradeEvent').length, 80)
  })
})

interface RawFile {
  tx: unknown
}

const rawFiles = NO_DATA ? [] : listData('raw_tx').filter((file) => /^\d\d_.*\.json$/.test(file))
const rawOf = (file: string): { tx: RawTransaction; json: unknown } => {
  const counts = createCounts()
  const json = (JSON.parse(readData(`raw_tx/${file}`)) as RawFile).tx
  const tx = transactionFromJson(json, counts)
  assert.ok(tx !== null && counts.size === 0, `${file}: ${[...counts.keys()]}`)
  return { tx, json }
}

/** Every self-CPI payload of our programs, found the slow way. */
function payloadsOf(tx: RawTransaction): { program: string; payload: Buffer; outer: number; inner: number }[] {
  const found = []
  for (const { outer, instructions } of tx.inner ?? []) {
    for (const [inner, { program, data }] of instructions.entries()) {
      const name = Object.keys(PROGRAMS).find((one) => PROGRAMS[one] === tx.keys[program])
      if (name !== undefined && data.toString('hex').startsWith('e445a52e51cb9a1d'))
        found.push({ program: name, payload: data.subarray(8), outer, inner })
    }
  }
  return found
}

describe('every recorded transaction', { skip: NO_DATA }, () => {
  test('each of its events decodes to what the interface says or is skipped by name', () => {
    assert.equal(rawFiles.length, 12)
    for (const file of rawFiles) {
      const { tx } = rawOf(file)
      const { events, counts } = decode(tx)
      note(file, events, counts)
      const payloads = payloadsOf(tx)
      assert.ok(payloads.length > 0, file)
      let skipped = 0
      for (const { program, payload, outer, inner } of payloads) {
        const event = events.find((one) => one.outer === outer && one.inner === inner)
        if (event === undefined) skipped++
        else assertAgrees(program, payload, event)
      }
      const trades = events.filter((event) => event.kind !== 'balance')
      assert.equal(trades.length + skipped, payloads.length, file)
      assert.equal(
        skipped,
        [...counts.values()].reduce((a, b) => a + b, 0),
        file,
      )
    }
  })

  test('the reading from inner instructions equals the reading from the log', () => {
    for (const file of rawFiles) {
      const { tx } = rawOf(file)
      const facts = (one: RawTransaction) =>
        decode(one).events.flatMap((event) => (event.kind === 'balance' ? [] : [{ ...comparable(event), pool: null }]))
      const bare = { ...tx, inner: null }
      // LaunchLab writes no event lines: its log says nothing, it never says something else
      if (file.startsWith('00_') || file.startsWith('01_')) assert.deepEqual(facts(bare), [], file)
      else assert.deepEqual(facts(bare), facts(tx), file)
    }
  })

  test('curve, balances and holders fit what the node recorded', () => {
    for (const file of rawFiles) {
      const { tx } = rawOf(file)
      const { events } = decode(tx)
      for (const event of events) {
        if (event.kind !== 'trade') continue
        const account = (key: Key | null) => tx.postTokens.filter((row) => row.owner === key && row.mint === event.mint)
        assert.ok(event.pool !== null, file)
        if (event.venue === 0)
          assert.equal(account(event.pool).length, 1, `${file}: the curve owns one account of the mint`)
        const index = tx.keys.indexOf(event.user)
        assert.equal(event.solAfter, tx.postBalances[index] ?? -1, file)
        assert.equal(event.solBefore, tx.preBalances[index] ?? -1, file)
      }
      for (const event of events)
        if (event.kind === 'balance')
          assert.notEqual(event.owner, events.find((one) => one.kind === 'trade')?.pool, file)
    }
  })

  test('the same transaction in every shape gives the same events', () => {
    for (const file of rawFiles) {
      const { tx, json } = rawOf(file)
      const expected = decode(tx)
      const { meta } = json as { meta: Record<string, unknown> }
      for (const shaped of [asParsed(tx, meta), asPlain(tx, meta)])
        assert.deepEqual(decode(transactionFromJson(shaped, createCounts())!), expected, file)
      assert.deepEqual(decode(transactionFromGrpc(asGrpc(tx, meta), createCounts())!).events, expected.events, file)
    }
  })

  test('recordings of other shapes', () => {
    const grpc = (JSON.parse(readData('raw_tx/cxcx_grpc-block.json')) as { blockSubscribe: { block: unknown } })
      .blockSubscribe
    const counts = createCounts()
    const block = blockFromGrpc(grpc.block, counts)
    assert.deepEqual(
      [block?.slot, block?.parent, block?.time, block?.transactions.length],
      [344556402, 344556401, 1749038413, 3],
    )
    const decoder = createDecoder()
    note('cxcx_grpc-block.json', decoder.decodeBlock(block!).events, new Map([...counts, ...decoder.counts]))

    const shreds = JSON.parse(readData('raw_tx/cxcx_shred-tx.json')) as { txs: { transaction: unknown }[] }
    const refused = createCounts()
    for (const { transaction } of shreds.txs) assert.equal(transactionFromGrpc(transaction, refused), null)
    assert.deepEqual([...refused], [['shape:no_meta', shreds.txs.length]])
    note('cxcx_shred-tx.json', [], refused)

    const moonshot = JSON.parse(readData('raw_tx/carbon_simple_tx.json')) as { logMessages: string[] }
    // the log names the curve, which nobody has seen, and not the token
    const alone = decode(rawTx({ logs: moonshot.logMessages }))
    assert.deepEqual(alone, { events: [], counts: new Map([['no_instruction:moonit.TradeEvent', 1]]) })
    note('carbon_simple_tx.json', alone.events, alone.counts)
  })
})

describe('the recorded log stream', { skip: NO_DATA }, () => {
  test('47 failures dropped, every event line of the good ones read as the interface says', () => {
    const counts = createCounts()
    const notifications = readData('streams/helius_logs_subscribe_pumpfun.jsonl')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => notificationFromLogs(JSON.parse((JSON.parse(line) as { raw: string }).raw), counts))
      .filter((one) => one !== null)
    assert.equal(notifications.length, 100)
    assert.deepEqual([...counts], [['shape:not_a_logs_notification', 1]])
    const decoder = createDecoder()
    const transactions = notifications.map((one) => one.transaction)
    const { events } = decoder.decodeBlock({ slot: 430727484, parent: -1, time: 0, transactions })
    note('helius_logs_subscribe_pumpfun.jsonl', events, decoder.counts)
    assert.equal(decoder.counts.get('failed_transaction'), 47)
    assert.equal(decoder.counts.has('log_truncated'), false)

    const slow = transactions.flatMap((tx) => (tx.failed ? [] : slowPayloads(tx.logs!)))
    const said = slow.flatMap((payload) => {
      const event = oracles.pump!(payload)
      const expected = event === null ? null : expectedOf('pump', event)
      return expected === null ? [] : [expected]
    })
    assert.equal(events.length, said.length)
    for (const [i, expected] of said.entries()) {
      const decoded = comparable(events[i]!)
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((field) => [field, decoded[field]])), expected)
    }
    const kinds = (kind: string) => events.filter((event) => event.kind === kind).length
    assert.equal(kinds('create'), 1)
    // the manifest counts instruction names of every program; those that pump itself logged are the trades
    const good = transactions.filter((tx) => !tx.failed)
    const named = good.flatMap((tx) => tx.logs!.filter((line) => /^Program log: Instruction: (Buy|Sell)/.test(line)))
    assert.equal(named.length, 38 + 10 + 6 + 4 + 1)
    assert.equal(
      kinds('trade'),
      good.flatMap((tx) => namesOf(tx.logs!)).filter((name) => /^(Buy|Sell)/.test(name)).length,
    )
  })
})

describe('arithmetic of the recorded trades', { skip: NO_DATA }, () => {
  const trades = (program: string): { event: TradeEvent; fields: Record<string, bigint> }[] =>
    rows.flatMap((row) => {
      if (!row.event!.startsWith(`${program}.`)) return []
      const payload = Buffer.from(row.base64!, 'base64')
      const [event] = decode(emitted(program, payload)).events
      const fields = oracles[program as keyof typeof oracles]!(payload)!.fields as Record<string, bigint>
      return event?.kind === 'trade' ? [{ event, fields }] : []
    })

  test('pump: the curve keeps its product through every trade outside mayhem mode', () => {
    const plain = trades('pump').filter(({ fields }) => !(fields.mayhem_mode as unknown as boolean))
    assert.ok(plain.length > 60)
    for (const { event } of plain) {
      const sign = event.isBuy ? 1n : -1n
      const k = BigInt(event.quoteReserve) * BigInt(event.baseReserve)
      const quoteBefore = BigInt(event.quoteReserve) - sign * BigInt(event.quoteAmount)
      const before = quoteBefore * (BigInt(event.baseReserve) + sign * BigInt(event.tokenAmount))
      // rounding of one unit on either side, in the curve's favour
      const slack = BigInt(event.quoteReserve) + BigInt(event.baseReserve) + BigInt(event.tokenAmount)
      assert.ok(k >= before - slack && k <= before + 2n * slack, `${k} ${before}`)
    }
  })

  test('PumpSwap: the amounts fit the reserves with the virtual quote, and not without', () => {
    let withVirtual = 0
    for (const { event, fields } of trades('pump_amm')) {
      const v = fields.virtual_quote_reserves ?? 0n
      const quote = (virtual: bigint): bigint => {
        const reserve = fields.pool_quote_token_reserves! + virtual
        const pool = fields.pool_base_token_reserves!
        const base = BigInt(event.tokenAmount)
        return event.isBuy ? (reserve * base + pool - base - 1n) / (pool - base) : (reserve * base) / (pool + base)
      }
      assert.equal(quote(v), BigInt(event.quoteAmount))
      if (v !== 0n) {
        withVirtual++
        assert.notEqual(quote(0n), BigInt(event.quoteAmount))
      }
    }
    assert.equal(withVirtual, 1)
  })
})
