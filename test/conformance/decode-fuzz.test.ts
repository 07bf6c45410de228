import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCounts } from '../../src/base/counts.ts'
import type { Key, Sig } from '../../src/base/ids.ts'
import { createDecoder } from '../../src/decode/block.ts'
import type { ChainEvent } from '../../src/decode/events.ts'
import {
  LAUNCHLAB,
  LAUNCHLAB_TEXT,
  MAYHEM,
  PUMP,
  PUMP_TEXT,
  PUMPSWAP,
  PUMPSWAP_TEXT,
  WRAPPED_SOL,
} from '../../src/decode/programs.ts'
import { blockFromGrpc, transactionFromGrpc, updateFromGrpc } from '../../src/source/shape/grpc.ts'
import { blockFromJson, fetchedFromJson, transactionFromJson } from '../../src/source/shape/json.ts'
import { notificationFromLogs } from '../../src/source/shape/logs.ts'
import type { RawInstruction, RawTransaction } from '../../src/source/types.ts'
import { BUY, decode, instruction, keyOf, logOf, pumpTrade, rawTx, selfCpi, WHO } from './encode.ts'
import { listData, NO_DATA, parseCsv, readData } from './idl.ts'

const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
console.log(`FUZZ_SEED=${SEED}`)

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

const PROGRAMS = [PUMP, PUMPSWAP, LAUNCHLAB]
const TEXTS = [PUMP_TEXT, PUMPSWAP_TEXT, LAUNCHLAB_TEXT]
const TAGS = [
  'bddb7fd34ee661ee',
  '1b72a94ddeeb6376',
  '5f72619cd42e9808',
  'bde95db95c94ea94',
  '67f4521f2cf57777',
  '3e2f370aa503dc2a',
  'b1310cd2a076a774',
  '97d7e20976a173ae',
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

/** What every event must satisfy, whatever came in. */
function assertSound(event: ChainEvent): void {
  for (const [name, value] of Object.entries(event)) {
    if (typeof value !== 'number') continue
    assert.ok(Number.isSafeInteger(value) && value >= -1, `${event.kind}.${name} = ${value}`)
  }
  assert.equal(event.mint.length, 32)
  if (event.kind === 'trade') assert.ok(event.quoteReserve > 0 && event.baseReserve > 0 && event.userQuote >= 0)
}

/** One payload through inner instructions and log of each program; every event sound. */
function through(payload: Buffer): number {
  let events = 0
  for (const [i, program] of PROGRAMS.entries()) {
    const keys: Key[] = []
    const pool = payload.subarray(120, 152).toString('latin1') as Key
    const outer = instruction(keys, program, [pool, WHO.user, WHO.mint, WHO.mint, WRAPPED_SOL], BUY)
    const inner = instruction(keys, program, [], selfCpi(payload))
    const tx = rawTx({ keys, instructions: [outer], inner: [{ outer: 0, instructions: [inner] }] })
    for (const one of [tx, rawTx({ logs: logOf([TEXTS[i]!, payload]) })]) {
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

describe(`random input never throws, hangs or yields an unsound event (FUZZ_SEED=${SEED})`, () => {
  test('every prefix of every payload', () => {
    for (const payload of seeds)
      for (let length = 0; length <= payload.length; length++) through(payload.subarray(0, length))
  })

  test('60,000 mutated and random payloads', () => {
    let events = 0
    for (let i = 0; i < 50_000; i++) events += through(mutated(pick(seeds)))
    for (let i = 0; i < 10_000; i++) through(noise(random(500)))
    for (let i = 0; i < 1_000; i++) through(Buffer.concat([Buffer.from(pick(TAGS), 'hex'), noise(random(600))]))
    assert.ok(events > 10_000, 'mutation must not hide every event')
  })

  test('30,000 random transactions and blocks', () => {
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
      failed: random(10) === 0,
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
    for (let i = 0; i < 3_000; i++) {
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

  test('10,000 hostile objects through the shape converters', () => {
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
    for (let i = 0; i < 10_000; i++) {
      const sample =
        samples.length === 0 ? synthetic : (pick(samples) as { tx?: unknown; blockSubscribe?: { block: unknown } })
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
