import assert from 'node:assert/strict'
import { test } from 'node:test'
import { probability } from '@ti/core/engine/bundles/pairs.ts'
import { type BundleBook, FAMILIES, type Group, type Pair, type RecentTrade } from '@ti/core/model/bundles.ts'
import { MalformedBytes } from '@ti/core/model/bytes.ts'
import { encodeBundleBook } from '@ti/core/model/generated/books.ts'
import { emptyBundleBook } from '@ti/core/model/generated/empty.ts'
import { evidenceOf, setEvidence } from '@ti/core/model/pair.ts'
import fc from '../../../../test/support/property.ts'
import { decodeBook } from './bundle-record.ts'

const num = fc.oneof(fc.constantFrom(-1, 0, Number.MAX_SAFE_INTEGER), fc.nat(), fc.maxSafeInteger())
const flag = fc.boolean()
const plain = { noNullPrototype: true } as const

const trade: fc.Arbitrary<RecentTrade> = fc.record(
  {
    wallet: num,
    slot: num,
    txIndex: num,
    isBuy: flag,
    paid: num,
    lamports: num,
    tipper: num,
    got: num,
    out: num,
    timingWeight: fc.constant(-1),
  },
  plain,
)

/** Families without evidence have no slot. */
const evidence = fc.array(
  fc.option(fc.tuple(fc.double({ min: 0, minExcluded: true, max: 1, noNaN: true }), num), { nil: null }),
  { minLength: FAMILIES.length, maxLength: FAMILIES.length },
)

const pair: fc.Arbitrary<Pair> = fc
  .record({ a: num, b: num, exits: num, exitSlot: num, linked: flag, evidence })
  .map(({ evidence: families, ...rest }) => {
    const found = { families: 0, evidence: [] }
    families.forEach((one, family) => {
      if (one !== null) setEvidence(found, family, ...one)
    })
    return { ...rest, ...found, p: probability(found) }
  })

const group: fc.Arbitrary<Omit<Group, 'no'>> = fc.record(
  {
    mergedInto: num,
    firstSlot: num,
    founder: num,
    members: fc.array(num, { maxLength: 8 }),
    remembered: num,
    balance: num,
    peak: num,
    confirmedSlot: num,
    bought: num,
    sold: num,
    flows: fc.array(fc.record({ index: num, bought: num, sold: num }, plain), { maxLength: 31 }),
    red: flag,
    netSellSlot: num,
  },
  plain,
)

const book: fc.Arbitrary<BundleBook> = fc.record(
  {
    recent: fc.array(trade, { maxLength: 32 }),
    pairs: fc.array(pair, { maxLength: 20 }),
    groups: fc.array(group, { maxLength: 6 }).map((groups) => groups.map((one, no) => ({ ...one, no }))),
    funded: fc.array(fc.record({ wallet: num, funder: num }, plain), { maxLength: 20 }),
    budgeted: fc.array(fc.record({ wallet: num, budget: num }, plain), { maxLength: 20 }),
  },
  plain,
)

test('a book comes back as it was, and equal books are equal bytes', () => {
  fc.assert(
    fc.property(book, (before) => {
      const bytes = Buffer.from(encodeBundleBook(before))
      const after = decodeBook(bytes)
      assert.deepEqual(after, before)
      assert.deepEqual(Buffer.from(encodeBundleBook(after)), bytes)
    }),
  )
})

test('a token without coordinated wallets takes five bytes', () => {
  assert.equal(encodeBundleBook(emptyBundleBook()).length, 5)
  assert.deepEqual(decodeBook(Buffer.from(encodeBundleBook(emptyBundleBook()))), emptyBundleBook())
})

test('cut or changed bytes give an error or a book, never anything else', () => {
  fc.assert(
    fc.property(book, fc.nat(), fc.nat(255), (before, at, value) => {
      const bytes = Buffer.from(encodeBundleBook(before))
      assert.throws(() => decodeBook(bytes.subarray(0, at % bytes.length)), MalformedBytes)
      bytes[at % bytes.length] = value
      try {
        const counts = decodeBook(bytes).pairs.map((pair) => [evidenceOf(pair).length, pair.evidence.length / 2])
        for (const [families, pieces] of counts) assert.equal(families, pieces)
      } catch (error) {
        assert.ok(error instanceof MalformedBytes, String(error))
      }
    }),
  )
})
