import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { Block, LogEntry } from '@ti/core/model/entries.ts'
import { type ChainEvent, FEE_CHANGE, QUOTE, type Quote, type Quoted } from '@ti/core/model/events.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import fc from '../../../../test/support/property.ts'
import { BadLogEntry, decodeEntry, encodeEntry, readHead } from './codec.ts'

const latin1 = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((bytes) => Buffer.from(bytes).toString('latin1'))
/** Few distinct keys, so that they repeat within an entry. */
const key = fc.oneof(
  fc.constantFrom('a', 'b').map((c) => c.repeat(32)),
  latin1(32),
) as fc.Arbitrary<Key>
const sig = fc.oneof(fc.constantFrom('', 's'.repeat(64)), latin1(64)) as fc.Arbitrary<Sig>
const how = fc.constantFrom(...Object.values(FEE_CHANGE))
const integer = fc.oneof(fc.constantFrom(-1, 0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER), fc.maxSafeInteger())
const finite = fc.oneof(integer, fc.double({ noNaN: true, noDefaultInfinity: true }))
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }))
const textOrNull = fc.option(text)
const inBits = fc.record({ quote: fc.constantFrom<Quote>(QUOTE.SOL, QUOTE.USDC) })
const asset = fc.record({ mint: key, decimals: fc.integer({ min: -1, max: 18 }) })
const inBytes = fc.oneof(
  fc.record({ quote: fc.constant(QUOTE.USD1) }),
  fc.record({ quote: fc.constant(QUOTE.other), asset }),
) as fc.Arbitrary<Quoted>
const quoted = fc.oneof(inBits, inBytes)
const position = { sig, txIndex: integer, outer: integer, inner: integer, mint: key }

const bareEvent = fc.oneof(
  fc.record({
    ...position,
    kind: fc.constant('trade' as const),
    venue: fc.constantFrom(0, 1, 2),
    pool: fc.option(key),
    user: key,
    isBuy: fc.boolean(),
    quoteAmount: integer,
    userQuote: integer,
    tokenAmount: integer,
    quoteReserve: integer,
    baseReserve: integer,
    quoteBefore: integer,
    realToken: integer,
    supply: integer,
    decimals: integer,
    creator: fc.option(key),
    mayhem: fc.boolean(),
    payer: fc.option(key),
    tipper: fc.option(key),
    solBefore: integer,
    solAfter: integer,
    hop: fc.boolean(),
    account: integer,
    held: integer,
  }),
  fc.record({
    ...position,
    kind: fc.constant('create' as const),
    launchpad: fc.constantFrom(0, 1, 2),
    pool: key,
    creator: key,
    user: key,
    name: text,
    symbol: text,
    uri: text,
    nameNorm: text,
    symbolNorm: text,
    supply: integer,
    decimals: integer,
    quoteReserve: integer,
    baseReserve: integer,
    mayhem: fc.boolean(),
    payer: fc.option(key),
    signed: fc.boolean(),
  }),
  fc.record({ ...position, kind: fc.constant('creator' as const), how, creator: key, pool: fc.option(key) }),
  fc.record({
    ...{ ...position, kind: fc.constant('shares' as const), how },
    owners: fc.array(key, { maxLength: 3 }),
    shares: fc.array(integer, { maxLength: 3 }),
  }),
  fc.record({ ...position, kind: fc.constant('complete' as const) }),
  fc.record({ ...position, kind: fc.constant('migrate' as const), pool: key }),
  fc.record({ ...position, kind: fc.constant('pool' as const), pool: key, decimals: integer }),
  fc.record({
    ...position,
    kind: fc.constant('balance' as const),
    program: fc.boolean(),
    swap: fc.boolean(),
    owner: key,
    account: integer,
    before: integer,
    after: integer,
    explained: integer,
  }),
  fc.record({
    ...{ ...position, kind: fc.constant('liquidity' as const), pool: key, owner: key, change: fc.nat({ max: 4 }) },
    program: fc.boolean(),
    ...{ tokens: integer, quoteAmount: integer, quoteReserve: integer, baseReserve: integer },
    ...{ units: finite, total: finite, locked: finite },
  }),
)
const graduate = fc.record({
  launchpad: fc.constantFrom(0, 1, 2),
  decimals: integer,
  quoteReserve: integer,
  baseReserve: integer,
  earlier: fc.boolean(),
})
/** Events with a quote in `quotes`; some migrations describe their token. */
const eventIn = (quotes: fc.Arbitrary<Quoted>): fc.Arbitrary<ChainEvent> =>
  fc.tuple(bareEvent, quotes, fc.option(graduate)).map(([bare, its, token]) => {
    const event: { kind: ChainEvent['kind'] } = { ...bare }
    if (event.kind === 'migrate') return (token ? { ...event, token: { ...token, ...its } } : event) as ChainEvent
    const hasQuote = ['trade', 'create', 'pool', 'liquidity'].includes(event.kind)
    return (hasQuote ? { ...event, ...its } : event) as ChainEvent
  })
const chainEvent = eventIn(quoted)

const fact = fc.oneof(
  fc.record({ kind: fc.constant('sol_price' as const), usd: finite }),
  fc.record({
    kind: fc.constant('metadata' as const),
    mint: key,
    description: textOrNull,
    image: textOrNull,
    twitter: textOrNull,
    telegram: textOrNull,
    website: textOrNull,
    twitterNorm: textOrNull,
    telegramNorm: textOrNull,
    websiteNorm: textOrNull,
  }),
  fc.record({ kind: fc.constant('image_hash' as const), mint: key, sha256: text }),
  fc.record({ kind: fc.constant('dex_paid' as const), mint: key, time: finite }),
  fc.record({
    kind: fc.constant('funding' as const),
    ...{ wallet: key, funder: key, slot: integer, exchange: fc.boolean(), lamports: integer },
  }),
  fc.record({
    kind: fc.constant('holders' as const),
    ...{ mint: key, slot: integer, owners: fc.array(key, { maxLength: 3 }), rest: integer },
    amounts: fc.array(integer, { maxLength: 3 }),
  }),
  fc.record({
    ...{ kind: fc.constant('launch' as const), mint: key, launcher: key, creator: key, payer: fc.option(key) },
    ...{ signed: fc.boolean(), slot: integer, sig, name: text, symbol: text, uri: text, nameNorm: text },
    ...{ symbolNorm: text, supply: finite, decimals: integer },
  }),
  fc.record({ kind: fc.constantFrom('kol' as const, 'agent' as const), wallet: key, name: textOrNull }),
) as fc.Arbitrary<Fact>

const terms = fc.record({
  version: fc.constantFrom('legacy' as const, 0 as const, 1 as const),
  priorityFee: integer,
  computeUnitLimit: integer,
  tip: fc.option(fc.record({ payer: key, lamports: integer, outer: integer, inner: integer })),
  tables: fc.array(key, { maxLength: 3 }),
  rents: fc.array(fc.record({ payer: key, owner: key, mint: key }), { maxLength: 2 }),
})
const blockOf = (event: fc.Arbitrary<ChainEvent>) =>
  fc.record({
    kind: fc.constant('block' as const),
    slot: integer,
    parent: integer,
    time: finite,
    events: fc.array(event),
  })
const bareBlock = blockOf(chainEvent)
/** Some of the events have terms, in order. */
const block: fc.Arbitrary<Block> = fc.tuple(bareBlock, fc.array(fc.option(terms))).map(([bare, drawn]) => {
  const all = bare.events.flatMap((_, event) => (drawn[event] ? [{ event, ...drawn[event] }] : []))
  return { ...bare, ...(all.length === 0 ? {} : { terms: all }) }
})
const entry: fc.Arbitrary<LogEntry> = fc.oneof(
  block,
  fc.record({
    kind: fc.constant('facts' as const),
    time: finite,
    byOperator: fc.boolean(),
    facts: fc.array(fact),
  }),
  fc.record({ kind: fc.constant('gap' as const), from: integer, to: integer }),
  fc.record({ kind: fc.constant('chain' as const), name: fc.string({ unit: 'grapheme' }) }),
)

const encoded = (value: LogEntry): Buffer => Buffer.from(encodeEntry(value))
/** A clone with prototypes, which fast-check's records lack and deepStrictEqual compares. */
const plain = (value: LogEntry): LogEntry => structuredClone(value)

test('every entry comes back as it was', () => {
  fc.assert(
    fc.property(entry, (value) => {
      assert.deepStrictEqual(decodeEntry(0, encodeEntry(value)), plain(value))
    }),
    { numRuns: 500 },
  )
})

test('equal entries give equal bytes, whatever was encoded in between', () => {
  fc.assert(
    fc.property(entry, entry, (value, other) => {
      const bytes = encoded(value)
      encodeEntry(other)
      assert.deepEqual(encoded(plain(value)), bytes)
      assert.deepEqual(encoded(decodeEntry(0, bytes)), bytes)
    }),
    { numRuns: 200 },
  )
})

/** Bytes changed, inserted or removed at some offset. */
const damage = fc.record({ at: fc.nat(), size: fc.nat({ max: 9 }), with: fc.uint8Array({ maxLength: 9 }) })

test('damaged bytes give an entry or BadLogEntry with the seq, nothing else', () => {
  let refused = 0
  fc.assert(
    fc.property(entry, damage, (value, hit) => {
      const bytes = encoded(value)
      const at = hit.at % (bytes.length + 1)
      const damaged = Buffer.concat([bytes.subarray(0, at), hit.with, bytes.subarray(at + hit.size)])
      try {
        encodeEntry(decodeEntry(77, damaged))
      } catch (error) {
        assert.ok(error instanceof BadLogEntry, String(error))
        assert.equal(error.seq, 77)
        assert.match(error.message, /log entry 77/)
        refused++
      }
    }),
    { numRuns: 3000 },
  )
  assert.ok(refused > 1000, `only ${refused} refused`)
})

test('random bytes are refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.throws(() => decodeEntry(1, Buffer.concat([Buffer.from([255]), bytes])), BadLogEntry)
    }),
  )
})

test('an entry of another version is refused with what begins a log anew', () => {
  for (const version of [5, 7]) {
    const bytes = encoded({ kind: 'gap', from: 1, to: 2 })
    bytes[0] = version
    const why = new RegExp(`log entry 5 .*version ${version}, this program reads 6.*\`serve\` with an empty DATA_DIR`)
    for (const read of [decodeEntry, readHead]) assert.throws(() => read(5, bytes), why)
  }
})

test('terms of an event that is not there are damage', () => {
  const terms = { event: 1, version: 0, priorityFee: 5, computeUnitLimit: 6, tip: null, tables: [], rents: [] } as const
  const event = {
    kind: 'complete',
    mint: 'm'.repeat(32) as Key,
    sig: '' as Sig,
    txIndex: 0,
    outer: 0,
    inner: 0,
  } as const
  const bytes = encoded({ kind: 'block', slot: 1, parent: 0, time: 0, events: [event], terms: [terms] })
  assert.throws(() => decodeEntry(4, bytes), /log entry 4 .*terms of event 1/)
})

test('what cannot be kept is a programmer’s error, and leaves the codec usable', () => {
  const block: LogEntry = { kind: 'block', slot: 1, parent: 0, time: Number.NaN, events: [] }
  assert.throws(() => encodeEntry(block), /not a number/)
  const short = { kind: 'complete', mint: 'short' as Key, sig: '' as Sig, txIndex: 0, outer: 0, inner: 0 } as const
  assert.throws(() => encodeEntry({ ...block, time: 0, events: [short] }), /32 bytes expected/)
  const gap: LogEntry = { kind: 'gap', from: 1, to: 2 }
  assert.deepEqual(decodeEntry(0, encodeEntry(gap)), gap)
})
