import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { FEE_CHANGE, LAUNCHPAD, QUOTE, VENUE } from '@ti/core/model/events.ts'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import fc from '../../../../../test/support/property.ts'
import { EXIT, OperatorError } from '../../base/errors.ts'
import type { DecodedItem, FactsItem, SourceCursor, SourceItem } from '../source.ts'
import { blockBytes } from '../wire/writer.ts'
import { openCapture } from './capture.ts'
import { createCaptureWriter } from './writer.ts'

const dir = mkdtempSync(join(tmpdir(), 'capture-test-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const EMPTY: SourceCursor = { slot: -1, time: 0, facts: 0 }
const HEADER = { created_at: '2026-01-01T00:00:00Z', source: 'test', chain: null, holds: 'test material' }
const key = (letter: string) => letter.repeat(32) as Key
const position = { sig: 's'.repeat(64) as Sig, txIndex: 3, outer: -1, inner: 2 }

const decoded = (slot: number): DecodedItem => ({
  kind: 'decoded',
  slot,
  parent: -1,
  time: 1_750_000_000.5,
  events: [
    {
      ...position,
      kind: 'trade',
      venue: VENUE.pump,
      mint: key('m'),
      pool: null,
      user: key('\xff'),
      isBuy: true,
      quote: QUOTE.SOL,
      quoteAmount: 2 ** 53 - 1,
      userQuote: 7,
      tokenAmount: 1,
      quoteReserve: 30_000_000_001,
      baseReserve: 1_073_000_000_000_000,
      quoteBefore: -1,
      realToken: -1,
      supply: -1,
      decimals: 6,
      creator: key('c'),
      mayhem: false,
      payer: null,
      tipper: null,
      solBefore: -1,
      solAfter: -1,
      hop: false,
      account: -1,
      held: 0,
    },
    {
      ...position,
      sig: '' as Sig,
      kind: 'create',
      launchpad: LAUNCHPAD.pumpfun,
      mint: key('m'),
      pool: key('p'),
      creator: key('c'),
      user: key('u'),
      name: 'ünïcode 🐸',
      symbol: '',
      uri: 'x',
      nameNorm: 'n',
      symbolNorm: 's',
      quote: QUOTE.USDC,
      supply: 1e15,
      decimals: 6,
      quoteReserve: 0,
      baseReserve: 0,
      mayhem: true,
      payer: key('u'),
      signed: false,
    },
    { ...position, kind: 'complete', mint: key('m') },
    { ...position, kind: 'migrate', mint: key('m'), pool: key('p') },
    { ...position, kind: 'pool', mint: key('m'), pool: key('p'), quote: QUOTE.SOL, decimals: 9 },
    {
      ...position,
      kind: 'balance',
      mint: key('m'),
      program: true,
      swap: true,
      owner: key('o'),
      account: 7,
      before: 2 ** 60,
      after: 0,
      explained: -5,
    },
    { ...position, kind: 'creator', mint: key('m'), how: FEE_CHANGE.takeover, creator: key('c'), pool: null },
    { ...position, kind: 'shares', mint: key('m'), how: FEE_CHANGE.shares_set, owners: [key('o')], shares: [10_000] },
  ],
})

const facts = (usd: number): FactsItem => ({
  kind: 'facts',
  time: 12.5,
  facts: [
    { kind: 'sol_price', usd },
    { kind: 'image_hash', mint: key('m'), sha256: 'ab' },
    { kind: 'dex_paid', mint: key('m'), time: 5 },
    {
      kind: 'metadata',
      mint: key('m'),
      description: null,
      image: 'i',
      twitter: 't',
      telegram: null,
      website: null,
      twitterNorm: 't',
      telegramNorm: null,
      websiteNorm: null,
    },
  ],
})

const collect = async (source: { items: Awaited<ReturnType<typeof openCapture>>['items'] }, cursor = EMPTY) => {
  const items: SourceItem[] = []
  for await (const item of source.items(cursor, new AbortController().signal)) items.push(item)
  return items
}

const plain = (item: SourceItem) => (item.kind === 'raw' ? blockBytes(item.block).toString('base64') : item)

async function write(name: string, items: readonly SourceItem[]): Promise<string> {
  const path = join(dir, name)
  const writer = await createCaptureWriter(path, HEADER)
  for (const item of items) await writer.write(item)
  await writer.finish()
  return path
}

/** Raw blocks over several chunks, facts in between and at both ends, decoded blocks after them. */
const material: SourceItem[] = []
for await (const item of createSimulator({ seed: 1, speed: 0, slots: 220 }).items(EMPTY, new AbortController().signal))
  material.push(item)
const gap = (from: number, to: number): SourceItem => ({ kind: 'gap', from, to })
material.push(facts(1), gap(390_000_000, 390_000_009), facts(2), decoded(400_000_000), gap(400_000_001, 400_000_001))
material.push(facts(3), decoded(400_000_002), facts(4), gap(400_000_003, 400_000_004))
const path = await write('whole.capture', material)
const whole = readFileSync(path)

test('what is written is read back, and said in the info', async () => {
  const capture = await openCapture(path)
  assert.deepEqual((await collect(capture)).map(plain), material.map(plain))
  const { info } = capture
  assert.equal(info.bytes, whole.length)
  assert.deepEqual(info.header, HEADER)
  assert.equal(info.firstSlot, 300_000_000)
  assert.equal(info.lastSlot, 400_000_004)
  assert.equal(info.counts.decoded, 2)
  assert.equal(info.counts.gap, 3)
  assert.equal(info.counts.facts, material.filter((it) => it.kind === 'facts').length)
  assert.equal(info.counts.raw, material.filter((it) => it.kind === 'raw').length)
  assert.ok(whole.length > 4_000_000 && whole.length < 12_000_000, 'several chunks')
})

test('after any item it goes on with the next one', async () => {
  const capture = await openCapture(path)
  let had = 0
  for (const [i, item] of material.entries()) {
    if (item.kind === 'facts') had++
    else had = 0
    if (i % 37 !== 0 && i < material.length - 12) continue
    const last = material.slice(0, i + 1).findLast((it) => it.kind !== 'facts')
    const slot =
      last === undefined ? -1 : last.kind === 'raw' ? last.block.slot : last.kind === 'gap' ? last.to : last.slot
    const rest = await collect(capture, { slot, time: 0, facts: had })
    assert.deepEqual(rest.map(plain), material.slice(i + 1).map(plain), `after item ${i}`)
  }
  assert.deepEqual(await collect(capture, { slot: 500_000_000, time: 0, facts: 0 }), [])
})

test('an empty capture and one of facts only are fine', async () => {
  const empty = await openCapture(await write('empty.capture', []))
  assert.deepEqual(await collect(empty), [])
  assert.equal(empty.info.lastSlot, -1)
  const only = await openCapture(await write('facts.capture', [facts(1), facts(2)]))
  assert.deepEqual(await collect(only), [facts(1), facts(2)])
  assert.deepEqual(await collect(only, { ...EMPTY, facts: 1 }), [facts(2)])
})

test('it stops at an abort, and reports progress up to the end', async () => {
  const progress: number[] = []
  const capture = await openCapture(path, { onProgress: ({ bytes, total }) => progress.push(bytes / total) })
  const stop = new AbortController()
  let items = 0
  for await (const _ of capture.items(EMPTY, stop.signal)) if (++items === 50) stop.abort()
  assert.equal(items, 50)
  await collect(capture)
  assert.ok(progress.length > 2 && progress.at(-1) === 1)
  assert.deepEqual(
    progress,
    [...progress].sort((a, b) => a - b),
  )
})

test('played at 200 times real time, seconds pass in their proportion', async () => {
  const capture = await openCapture(await write('paced.capture', material.slice(0, 150)), { speed: 200 })
  const started = performance.now()
  await collect(capture)
  // about 130 slots of 0.4 s
  assert.ok(performance.now() - started >= 150)
})

/** Opens and reads it all; the error must be an OperatorError that names the file, and the file stays as it is. */
async function refusal(name: string, bytes: Uint8Array): Promise<string> {
  const file = join(dir, name)
  writeFileSync(file, bytes)
  try {
    await collect(await openCapture(file))
  } catch (error) {
    assert.ok(error instanceof OperatorError, String(error))
    assert.equal(error.exitCode, EXIT.badFile)
    assert.ok(error.message.startsWith(`${file}: `), error.message)
    assert.ok(readFileSync(file).equals(bytes), 'left untouched')
    return error.message
  }
  assert.fail(`${name} was read`)
}

test('a file cut anywhere is refused by name', async () => {
  const ends = [0, 1, 7, 8, 12, 15, 16, 40, 110, 150, 1_000, 3_000_000, whole.length - 1_000]
  ends.push(whole.length - 100, whole.length - 65, whole.length - 64, whole.length - 8, whole.length - 1)
  for (const end of ends)
    assert.match(await refusal('cut.capture', whole.subarray(0, end)), /cut off|damaged/, `at ${end}`)
})

test('foreign, newer and glued files are refused by name', async () => {
  assert.match(await refusal('foreign', Buffer.from('<!doctype html>')), /does not start like a capture/)
  const newer = Buffer.from(whole)
  newer[8] = 9
  assert.match(await refusal('newer', newer), /version 9/)
  assert.match(await refusal('glued', Buffer.concat([whole, whole])), /size is not what its end states/)
  assert.match(await refusal('torn', Buffer.concat([whole.subarray(0, 2_000_000), whole.subarray(2_100_000)])), /size/)
  await assert.rejects(openCapture(dir), /not a regular file/)
  await assert.rejects(openCapture(join(dir, 'absent')), /cannot be opened/)
})

test('a flipped bit anywhere is noticed', async () => {
  const places = fc.oneof(
    fc.nat(whole.length - 1),
    fc.nat(200),
    fc.integer({ min: whole.length - 300, max: whole.length - 1 }),
  )
  await fc.assert(
    fc.asyncProperty(places, fc.nat(7), async (place, bit) => {
      const flipped = Buffer.from(whole)
      flipped[place]! ^= 1 << bit
      await refusal('flipped.capture', flipped)
    }),
    { numRuns: 60 },
  )
})

test('a writer leaves nothing behind when discarded and never overwrites', async () => {
  const writer = await createCaptureWriter(join(dir, 'gone.capture'), HEADER)
  await writer.write(material[0]!)
  await writer.discard()
  assert.ok(!readdirSync(dir).some((name) => name.startsWith('gone')))
  await assert.rejects(createCaptureWriter(path, HEADER), /exists already/)
  const first = await createCaptureWriter(join(dir, 'twice.capture'), HEADER)
  await assert.rejects(createCaptureWriter(join(dir, 'twice.capture'), HEADER), /another run is writing it/)
  await first.discard()
  const order = await createCaptureWriter(join(dir, 'order.capture'), HEADER)
  await order.write(decoded(5))
  await assert.rejects(order.write(decoded(5)), /slot 5 after slot 5/)
  await assert.rejects(order.write(gap(5, 9)), /slot 5 after slot 5/)
  await order.write(gap(6, 9))
  await assert.rejects(order.write(decoded(9)), /slot 9 after slot 9/)
  await order.discard()
})
