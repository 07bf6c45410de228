import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import type { ChainEvent } from '@ti/core/model/events.ts'
import {
  BOOP_TEXT,
  LAUNCHLAB_TEXT,
  MAYHEM,
  METEORA_DAMM_TEXT,
  METEORA_DBC,
  METEORA_DBC_TEXT,
  MOONIT_TEXT,
  PUMP,
  PUMP_TEXT,
  PUMPSWAP,
  PUMPSWAP_TEXT,
  WRAPPED_SOL,
} from '@ti/core/model/programs.ts'
import type { RawInstruction, RawTransaction } from '@ti/core/model/raw.ts'
import { blockFromGrpc, transactionFromGrpc, updateFromGrpc } from '@ti/service/source/shape/grpc.ts'
import { blockFromJson, fetchedFromJson, transactionFromJson } from '@ti/service/source/shape/json.ts'
import { notificationFromLogs } from '@ti/service/source/shape/logs.ts'
import { readBlock } from '@ti/service/source/wire/reader.ts'
import { writeBlock } from '@ti/service/source/wire/writer.ts'
import { transactionJson } from '../../fakes/rpc-json.ts'
import { wireOf } from '../../fakes/transaction-wire.ts'
import { runs, seed } from '../../support/chance.ts'
import { BUY, decode, instruction, keyOf, logOf, pumpTrade, rawTx, selfCpi, WHO } from '../../support/encode.ts'
import { BOOP, LAUNCHLAB, METEORA_DAMM, MOONIT } from '../../support/programs.ts'
import { listData, NO_DATA, parseCsv, readData } from './idl.ts'

/** TEST_DEPTH=10 makes ten times as many of everything: a million payloads and transactions. */
const TIMES = runs(10) / 10
const SEED = seed()

/** mulberry32: small, seeded. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
const random = createRandom(SEED)
const pick = <T>(list: readonly T[]): T => list[random(list.length)]!
const noise = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, () => random(256)))

const PROGRAMS = [PUMP, PUMPSWAP, LAUNCHLAB, METEORA_DBC, METEORA_DAMM, MOONIT, BOOP]
const TEXTS = [PUMP_TEXT, PUMPSWAP_TEXT, LAUNCHLAB_TEXT, METEORA_DBC_TEXT, METEORA_DAMM_TEXT, MOONIT_TEXT, BOOP_TEXT]
const TAGS = [
  'bddb7fd34ee661ee',
  '1b72a94ddeeb6376',
  '5f72619cd42e9808',
  'bde95db95c94ea94',
  '67f4521f2cf57777',
  '3e2f370aa503dc2a',
  'b1310cd2a076a774',
  '97d7e20976a173ae',
  '1b3c15d58aaabb93',
  'bd4233a826507599',
  'e432f655cb428625',
  'e5e756549c864b18',
  '6fb06d8b316cd5fb',
  '863ba8785e3372e7',
  'd589a435c14a0f6e',
  '3b2f6dcd0d1f2c9f',
  '4759de7cd7c0e68a',
  'ccefb64df1334d42',
  'e150b222d927b894',
  '49746f1a5cd9928d',
]

const real = NO_DATA
  ? []
  : parseCsv(readData('events/program_data_events.csv')).map((row) => Buffer.from(row.base64!, 'base64'))
const seeds = [
  pumpTrade(),
  pumpTrade({}, 2024),
  ...TAGS.map((tag) => Buffer.concat([Buffer.from(tag, 'hex'), Buffer.alloc(460, 1)])),
  ...real,
]

/** Of these only the quotient counts: with 9 decimals they exceed what is exact. */
const ROUNDED = new Set(['quoteReserve', 'baseReserve', 'supply'])

/** What every event must satisfy, whatever came in. */
function assertSound(event: ChainEvent): void {
  for (const [name, value] of Object.entries(event)) {
    if (typeof value !== 'number') continue
    if (ROUNDED.has(name) || event.kind === 'liquidity')
      assert.ok(Number.isFinite(value) && value >= -1, `${event.kind}.${name} = ${value}`)
    else assert.ok(Number.isInteger(value) && (value >= -1 || name === 'explained'), `${event.kind}.${name} = ${value}`)
  }
  assert.equal(event.mint.length, 32)
  if (event.kind === 'trade') assert.ok(event.quoteReserve > 0 && event.baseReserve > 0 && event.userQuote >= 0)
}

/** Moonit's and Boop's calls that make a token, and Boop's that sets up its curve. */
const LAUNCHES = ['032ca4b87b0df5b3', '5434cce4188cea4b', 'b459c74ca8ecd98a'].map((tag) => Buffer.from(tag, 'hex'))
/** Accounts under which the payload may be a trade: Moonit's curve is where its event has it. */
const accountsOf = (program: Key, pool: Key, payload: Buffer): Key[] =>
  program === MOONIT
    ? [WHO.user, pool, payload.subarray(48, 80).toString('latin1') as Key, pool, pool, pool, WHO.mint]
    : [pool, WHO.user, WHO.mint, WHO.mint, WRAPPED_SOL]

/** One payload through inner instructions and log of each program; every event sound. */
function through(payload: Buffer): number {
  let events = 0
  for (const [i, program] of PROGRAMS.entries()) {
    const keys: Key[] = []
    const pool = payload.subarray(120, 152).toString('latin1') as Key
    const outer = instruction(keys, program, accountsOf(program, pool, payload), BUY)
    const inner = instruction(keys, program, [], selfCpi(payload))
    // what a caller writes: launches of Moonit and Boop are read from it
    const launch = instruction(keys, program, keys, Buffer.concat([pick(LAUNCHES), payload]))
    const tx = rawTx({ keys, instructions: [outer], inner: [{ outer: 0, instructions: [inner, launch] }] })
    const logs = logOf([TEXTS[i]!, payload])
    for (const one of [tx, rawTx({ logs }), { ...tx, logs }]) {
      const decoded = decode(one).events
      decoded.forEach(assertSound)
      events += decoded.length
    }
  }
  return events
}

function mutated(payload: Buffer): Buffer {
  const bytes = Buffer.from(payload)
  for (let flips = random(4); flips >= 0 && bytes.length > 0; flips--) bytes[random(bytes.length)]! ^= 1 << random(8)
  const kind = random(6)
  if (kind === 0) return bytes.subarray(0, random(bytes.length + 1))
  if (kind === 1) return Buffer.concat([bytes, noise(random(64))])
  if (kind === 2 && bytes.length > 12)
    bytes.writeUInt32LE(pick([0, 1, 64, 65, 0x7fffffff, 0xffffffff]), random(bytes.length - 4))
  if (kind === 3 && bytes.length > 16) bytes.fill(pick([0, 255]), 8 + random(bytes.length - 8))
  return bytes
}

/** Bytes where a version 1 message has its version, header, mask and numbers of things, flipped now and then. */
function spoiledWire(wire: Buffer): Buffer {
  const bytes = Buffer.from(wire)
  for (let spoils = random(3); spoils > 0; spoils--) {
    const at = pick([random(8), 40 + random(2), random(bytes.length), bytes.length - 1 - random(70)])
    const kind = random(3)
    if (kind === 0) bytes[at]! ^= 1 << random(8)
    else if (kind === 1) bytes[at] = random(256)
    else bytes[at] = pick([0, 1, 0x1f, 0x7f, 0x80, 0x81, 0xff])
  }
  const kind = random(8)
  if (kind === 0) return bytes.subarray(0, random(bytes.length + 1))
  return kind === 1 ? Buffer.concat([bytes, noise(random(80))]) : bytes
}

describe(`random input never throws, hangs or yields an unsound event (seed ${SEED})`, () => {
  test('every prefix of every payload', () => {
    for (const payload of seeds)
      for (let length = 0; length <= payload.length; length++) through(payload.subarray(0, length))
  })

  test(`${61_000 * TIMES} mutated and random payloads`, () => {
    let events = 0
    for (let i = 0; i < 50_000 * TIMES; i++) events += through(mutated(pick(seeds)))
    for (let i = 0; i < 10_000 * TIMES; i++) through(noise(random(500)))
    for (let i = 0; i < 1_000 * TIMES; i++) through(Buffer.concat([Buffer.from(pick(TAGS), 'hex'), noise(random(600))]))
    assert.ok(events > 10_000, 'mutation must not hide every event')
  })

  test(`${30_000 * TIMES} wire transactions of all versions with spoiled masks, counts and tails`, () => {
    const pool = [...PROGRAMS, MAYHEM, ...[1, 2, 3, 4, 5, 6, 7, 8].map(keyOf)]
    const transaction = (): RawTransaction => {
      const keys = pool.slice(0, 3 + random(pool.length - 3))
      const instructions = Array.from({ length: random(4) }, () => ({
        program: random(3),
        accounts: Uint8Array.from({ length: random(9) }, () => random(keys.length)),
        data: noise(random(60)),
      }))
      const config = { priorityFee: random(2e9), computeUnitLimit: random(2e6) }
      const version = pick(['legacy', 0, 1] as const)
      const tables = version === 0 ? pool.slice(0, random(3)) : []
      return rawTx({ version, config: version === 1 ? config : null, tables, keys, instructions })
    }
    const counts = createCounts()
    let read = 0
    for (let i = 0; i < 30_000 * TIMES; i++) {
      const tx = transaction()
      const answer = transactionJson({ ...tx, logs: logOf([pick(TEXTS), mutated(pick(seeds))]) })
      const bytes = spoiledWire(wireOf(tx))
      const found = transactionFromJson({ ...answer, transaction: [bytes.toString('base64'), 'base64'] }, counts)
      if (found === null) continue
      read++
      assert.ok(found.keys.length <= 256 && (found.version !== 1 || (found.keys.length <= 64 && bytes.length <= 4_096)))
      assert.equal(found.version === 1, bytes[0] === 0x81)
      decode(found).events.forEach(assertSound)
      // what was read can be written and read again
      const block = { slot: i, parent: i - 1, time: 0, transactions: [found] }
      assert.deepEqual(readBlock(writeBlock(block)).transactions[0]!.config, found.config)
    }
    const refused = ['bad_wire', 'unknown_config', 'unknown_version', 'no_loaded_addresses']
    for (const reason of refused) assert.ok((counts.get(`shape:${reason}`) ?? 0) > 0, `nothing was ${reason}`)
    assert.ok(read > 5_000, `${read} were still readable`)
  })

  test(`${30_000 * TIMES} random transactions and blocks`, () => {
    const keys = [...PROGRAMS, MAYHEM, WRAPPED_SOL, ...[1, 2, 3, 4, 5].map(keyOf)]
    const one = (): RawInstruction => ({
      program: random(14),
      accounts: noise(random(14)),
      data: pick([() => noise(random(40)), () => selfCpi(mutated(pick(seeds))), () => BUY])(),
    })
    const many = <T>(most: number, make: () => T): T[] => Array.from({ length: random(most) }, make)
    const tokens = () =>
      many(5, () => ({
        account: random(9),
        mint: pick(keys),
        owner: pick([...keys, null]),
        amount: random(1e9),
        decimals: 6,
      }))
    const line = (): string =>
      pick([
        () => `Program ${pick(TEXTS)} invoke [${random(80)}]`,
        () => `Program ${pick(TEXTS)} success`,
        () => `Program data: ${mutated(pick(seeds)).toString('base64')}`,
        () => `Program data: ${noise(20).toString('latin1')}`,
        () =>
          pick([
            'Log truncated',
            '',
            'Program ',
            'Program data: ',
            'Program log: x',
            'Program failed',
            'Program x failed: y',
          ]),
      ])()
    const tx = (): RawTransaction => ({
      signature: pick([keyOf(random(50)).repeat(2), '']) as Sig,
      index: random(40) - 1,
      ...pick<Pick<RawTransaction, 'version' | 'config' | 'tables'>>([
        { version: null, config: null, tables: [] },
        { version: 'legacy', config: null, tables: [] },
        { version: 0, config: null, tables: [keyOf(9)] },
        { version: 1, config: { priorityFee: random(1e9), computeUnitLimit: random(2e6) }, tables: [] },
      ]),
      failed: random(10) === 0,
      signers: random(3),
      keys: random(5) === 0 ? [] : many(12, () => pick(keys)),
      instructions: many(4, one),
      inner: random(3) === 0 ? null : many(4, () => ({ outer: random(5), instructions: many(6, one) })),
      logs: random(3) === 0 ? null : many(12, line),
      preBalances: many(8, () => random(1e9)),
      postBalances: many(8, () => random(1e9)),
      preTokens: tokens(),
      postTokens: tokens(),
    })
    const decoder = createDecoder()
    for (let i = 0; i < 3_000 * TIMES; i++) {
      const { events } = decoder.decodeBlock({
        slot: i,
        parent: i - 1,
        time: 0,
        transactions: Array.from({ length: 10 }, tx),
      })
      events.forEach(assertSound)
      const places = events.map(({ txIndex, outer, inner }) => (txIndex * 0x10000 + outer + 1) * 0x10000 + inner)
      assert.deepEqual(
        places,
        [...places].sort((a, b) => a - b),
      )
    }
  })

  test(`${10_000 * TIMES} hostile objects through the shape converters`, () => {
    const samples: unknown[] = NO_DATA
      ? []
      : listData('raw_tx')
          .filter((file) => file.endsWith('.json'))
          .map((file) => JSON.parse(readData(`raw_tx/${file}`)) as unknown)
    const hostile = (): unknown =>
      pick<unknown>([
        null,
        -1,
        1e300,
        Number.NaN,
        '',
        'x'.repeat(200),
        '1'.repeat(90),
        [],
        {},
        [[]],
        true,
        { type: 'Buffer', hex: 'zz' },
        { hex: 'abc' },
        { data: [300] },
        [null],
        2n ** 70n,
        '99999999999999999999',
      ])
    const synthetic = {
      slot: 1,
      transaction: [noise(300).toString('base64'), 'base64'],
      meta: { err: null, innerInstructions: [] },
      version: 0,
    }
    const stated = {
      version: 1,
      transaction: {
        signatures: ['1'.repeat(64)],
        message: {
          accountKeys: ['1'.repeat(32)],
          instructions: [],
          config: { priorityFee: '7', computeUnitLimit: 9 },
          transactionConfig: { priorityFee: 7, computeUnitLimit: 9, heapSize: null },
        },
      },
      meta: { err: null },
    }
    const spoil = (value: unknown, depth: number): unknown => {
      if (random(12) === 0) return hostile()
      if (depth > 9 || typeof value !== 'object' || value === null) return value
      if (Array.isArray(value)) return value.map((one: unknown) => (random(3) === 0 ? spoil(one, depth + 1) : one))
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, random(2) === 0 ? spoil(one, depth + 1) : one]),
      )
    }
    const converters = [
      (input: unknown) => transactionFromJson(input, counts),
      (input: unknown) => transactionFromGrpc(input, counts),
      (input: unknown) => fetchedFromJson(input, counts)?.transaction,
      (input: unknown) => updateFromGrpc(input, counts)?.transaction,
      (input: unknown) => notificationFromLogs(input, counts)?.transaction,
      (input: unknown) => blockFromJson(input, 5, counts)?.transactions[0],
      (input: unknown) => blockFromGrpc(input, counts)?.transactions[0],
    ]
    const counts = createCounts()
    let read = 0
    for (let i = 0; i < 10_000 * TIMES; i++) {
      const sample =
        random(5) === 0
          ? stated
          : samples.length === 0
            ? synthetic
            : (pick(samples) as { tx?: unknown; blockSubscribe?: { block: unknown } })
      const inner =
        (sample as { tx?: unknown }).tx ??
        (sample as { blockSubscribe?: { block: unknown } }).blockSubscribe?.block ??
        sample
      const input = random(20) === 0 ? hostile() : spoil(inner, 0)
      for (const convert of converters) {
        const tx = convert(input)
        if (tx === null || tx === undefined) continue
        read++
        decode(tx).events.forEach(assertSound)
      }
    }
    assert.ok(counts.size > 3, 'refusals are counted by name')
    if (!NO_DATA) assert.ok(read > 100, 'some spoiled input is still readable')
  })
})
