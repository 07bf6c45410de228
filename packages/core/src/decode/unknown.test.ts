import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  BUY,
  hex,
  instruction,
  join,
  keyOf,
  pumpTrade,
  rawTx,
  selfCpi,
  sigOf,
  u64,
  WHO,
} from '../../../../test/support/encode.ts'
import fc from '../../../../test/support/property.ts'
import { keyToBase58 } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'
import { PUMP, PUMP_TEXT, PUMPSWAP } from '../model/programs.ts'
import type { RawTransaction } from '../model/raw.ts'
import { createDecoder } from './block.ts'
import { createUnknownBook, exampleOf, isWhole, type Met, type UnknownKind } from './unknown.ts'

const BOUNDS = { kinds: 6, lengths: 4, bytes: 400 }
const NEW_EVENT = hex('00112233445566aa')
const OTHER_WORD = hex('ffeeddccbbaa9988')

/** A pump transaction whose instruction `data` emits the payloads. */
function txOf(n: number, payloads: readonly Buffer[], data = join(BUY, u64(1), u64(2))): RawTransaction {
  const keys: Key[] = [WHO.user]
  const outer = instruction(keys, PUMP, [keyOf(50), keyOf(51), WHO.mint, WHO.curve, WHO.user], data)
  const inner = [
    { outer: 0, instructions: payloads.map((payload) => instruction(keys, PUMP, [keyOf(52)], selfCpi(payload))) },
  ]
  return rawTx({ signature: sigOf(n), version: 'legacy', keys, instructions: [outer], inner })
}

function met(transactions: readonly RawTransaction[], after = -1, slots = transactions.map((_, i) => 100 + i)) {
  const book = createUnknownBook(BOUNDS, after)
  const decoder = createDecoder({ unknown: book })
  const trades = transactions.flatMap((tx, i) =>
    decoder
      .decodeBlock({ slot: slots[i]!, parent: -1, time: 1_790_000_000 + i, transactions: [tx] })
      .events.filter(({ kind }) => kind === 'trade'),
  )
  return { kinds: book.kinds(), counts: decoder.counts, trades, book }
}

const short = (kinds: readonly UnknownKind[]) =>
  kinds.map(({ what, why, name, discriminator, length, count }) => [what, why, name, discriminator, length, count])

describe('what the decoder notes', () => {
  test('a known trade is no news, in any of its layouts', () => {
    const all = ([2024, 2025, 2026] as const).map((era, i) => txOf(i, [pumpTrade({}, era)]))
    const newest = txOf(9, [join(pumpTrade(), u64(1), u64(2), u64(3))])
    const { kinds, trades } = met([...all, newest])
    assert.deepEqual(kinds, [])
    assert.equal(trades.length, 4)
  })

  test('an event that nobody published', () => {
    const payload = join(NEW_EVENT, Buffer.alloc(40, 7))
    const { kinds, counts } = met([txOf(1, [payload]), txOf(2, [payload, pumpTrade()])])
    assert.deepEqual(kinds, [
      {
        program: PUMP_TEXT,
        what: 'event',
        why: 'unknown',
        name: '',
        discriminator: NEW_EVENT.toString('hex'),
        length: 48,
        count: 2,
        firstSlot: 100,
        lastSlot: 101,
        lastTime: 1_790_000_001,
        signature: kinds[0]!.signature,
        bytes: payload.toString('base64'),
      },
    ])
    assert.equal(Buffer.from(exampleOf(kinds).signature, 'latin1').equals(Buffer.from(sigOf(1), 'latin1')), true)
    assert.equal(counts.get('unknown_event:pump'), 2)
  })

  test('a known event with more, with less, and with a tail that cannot be true', () => {
    const longer = join(pumpTrade(), Buffer.alloc(29))
    const { kinds, trades } = met([
      txOf(1, [longer]),
      txOf(2, [pumpTrade({}, 2024).subarray(0, 100)]),
      // its name's length exceeds the payload
      txOf(3, [join(pumpTrade({}, 2026).subarray(0, 258), Buffer.alloc(40, 255))]),
      // ends between two fields of the known part
      txOf(4, [pumpTrade({}, 2025).subarray(0, 140)]),
    ])
    const word = 'bddb7fd34ee661ee'
    assert.deepEqual(short(kinds), [
      ['event', 'length', 'TradeEvent', word, longer.length, 1],
      ['event', 'too_short', 'TradeEvent', word, 100, 1],
      ['event', 'guard', 'TradeEvent', word, 298, 1],
      ['event', 'length', 'TradeEvent', word, 140, 1],
    ])
    assert.equal(trades.length, 3, 'what is known of three of them was read')
  })

  test('an instruction that nobody published, though its event is known', () => {
    const { kinds, trades } = met([txOf(1, [pumpTrade()], join(OTHER_WORD, u64(5)))])
    assert.deepEqual(short(kinds), [['instruction', 'unknown', '', OTHER_WORD.toString('hex'), 16, 1]])
    assert.equal(trades.length, 1)
  })

  test('events that are left out on purpose are counted by name and are no news', () => {
    const { kinds, counts } = met([txOf(1, [join(hex('6161d7905d92167c'), Buffer.alloc(80))])])
    assert.deepEqual(kinds, [])
    assert.deepEqual([...counts], [['not_needed:pump.ExtendAccountEvent', 1]])
  })

  test('failed transactions and foreign programs are none of it', () => {
    const foreign = txOf(1, [join(NEW_EVENT, u64(1))])
    const keys = foreign.keys.map((key) => (key === PUMP ? keyOf(77) : key))
    const { kinds } = met([
      { ...foreign, keys },
      { ...txOf(2, [join(NEW_EVENT, u64(1))]), failed: true },
    ])
    assert.deepEqual(kinds, [])
  })

  test('logs alone show the same as inner instructions', () => {
    const payload = join(NEW_EVENT, Buffer.alloc(9))
    const { kinds } = met([txOf(1, [payload])])
    const example = { ...exampleOf(kinds), signature: sigOf(2) }
    assert.equal(example.keys.length, 0)
    assert.deepEqual(short(met([example]).kinds), short(kinds))
  })

  test('a slot that comes again, after a restart too, counts once', () => {
    const tx = (n: number) => txOf(n, [join(NEW_EVENT, u64(n))])
    assert.equal(met([tx(1), tx(1), tx(2)], -1, [5, 5, 6]).kinds[0]!.count, 2)
    assert.equal(met([tx(1), tx(2), tx(3)], 6, [5, 6, 7]).kinds[0]!.count, 1)
  })
})

test('each kind is shown again by its example, several of one transaction together', () => {
  const payloads = [join(NEW_EVENT, u64(1)), join(pumpTrade(), Buffer.alloc(100)), join(OTHER_WORD, Buffer.alloc(60))]
  const { kinds } = met([txOf(1, payloads, join(OTHER_WORD, u64(5)))])
  assert.equal(kinds.length, 4)
  // the trade of more than 400 bytes was not stored whole
  assert.deepEqual(
    kinds.filter((kind) => !isWhole(kind)).map(({ name }) => name),
    ['TradeEvent'],
  )
  const whole = kinds.filter(isWhole)
  assert.deepEqual(new Set(short(met([exampleOf(whole)]).kinds).map(String)), new Set(short(whole).map(String)))
})

const arbitraryMet: fc.Arbitrary<Met> = fc.record({
  program: fc.constantFrom(PUMP, PUMPSWAP),
  what: fc.constantFrom('event' as const, 'instruction' as const),
  why: fc.constantFrom('unknown' as const, 'length' as const),
  name: fc.constant(''),
  sig: fc.constantFrom(sigOf(1), sigOf(2)),
  payload: fc
    .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 12 }))
    .map(([word, rest]) => Buffer.alloc(8 + rest, word)),
})

test('a book is bounded, loses no count, and is the same in one piece or as the sum of its drained pieces', () => {
  let most = 0
  fc.assert(
    fc.property(fc.array(arbitraryMet, { maxLength: 120 }), fc.array(fc.nat(120)), (all, cuts) => {
      const whole = createUnknownBook(BOUNDS)
      const piece = createUnknownBook(BOUNDS)
      const sum = createUnknownBook(BOUNDS)
      for (const [i, one] of all.entries()) {
        for (const book of [whole, piece]) {
          book.begin(i, i)
          book.note(one)
        }
        if (cuts.includes(i)) sum.add(piece.drain())
      }
      sum.add(piece.drain())
      for (const book of [whole, sum]) {
        const kinds = book.kinds()
        assert.equal(
          kinds.reduce((n, { count }) => n + count, 0),
          all.length,
        )
        // besides kinds with a discriminator there is one merged entry per program and type
        assert.ok(kinds.filter(({ discriminator }) => discriminator !== '').length <= BOUNDS.kinds)
        assert.ok(kinds.length <= BOUNDS.kinds + 4)
        assert.ok(kinds.every(({ bytes }) => Buffer.from(bytes, 'base64').length <= BOUNDS.bytes))
      }
      most = Math.max(most, whole.size)
      const programs = new Set(whole.kinds().map(({ program }) => program))
      assert.ok([...programs].every((text) => [PUMP, PUMPSWAP].some((key) => keyToBase58(key) === text)))
    }),
    { numRuns: 300 },
  )
  assert.ok(most > BOUNDS.kinds, 'it was full at least once')
})

test('few kinds are the same in one piece and in several', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 40 }), fc.array(fc.nat(40)), (words, cuts) => {
      const whole = createUnknownBook(BOUNDS)
      const piece = createUnknownBook(BOUNDS)
      const sum = createUnknownBook(BOUNDS)
      for (const [i, word] of words.entries()) {
        const one: Met = {
          program: PUMP,
          what: 'event',
          why: 'unknown',
          name: '',
          sig: sigOf(i),
          payload: Buffer.alloc(20, word),
        }
        for (const book of [whole, piece]) {
          book.begin(i, i + 1)
          book.note(one)
        }
        if (cuts.includes(i)) sum.add(piece.drain())
      }
      sum.add(piece.drain())
      assert.deepEqual(sum.kinds(), whole.kinds())
    }),
  )
})

test('a hostile payload costs its kept bytes and nothing more', () => {
  const { kinds } = met([txOf(1, [join(NEW_EVENT, Buffer.alloc(4_000, 1))])])
  assert.equal(Buffer.from(kinds[0]!.bytes, 'base64').length, BOUNDS.bytes)
  assert.equal(kinds[0]!.length, 4_008)
})
