import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BundleBook, FAMILIES, type Group, type Pair } from '@ti/core/model/bundles.ts'
import { MalformedBytes } from '@ti/core/model/bytes.ts'
import { decodeBundleBook, encodeBundleBook } from '@ti/core/model/generated/books.ts'
import { emptyBundleBook } from '@ti/core/model/generated/empty.ts'
import { addFamilies, evidenceOf } from '@ti/core/model/pair.ts'
import fc from '../../../../test/support/property.ts'

const num = fc.oneof(fc.constantFrom(-1, 0, Number.MAX_SAFE_INTEGER), fc.nat(), fc.maxSafeInteger())
const flag = fc.boolean()
const plain = { noNullPrototype: true } as const

/** Families without evidence have no slot. */
const evidence = fc.array(fc.option(num, { nil: null }), { minLength: FAMILIES.length, maxLength: FAMILIES.length })

const pair: fc.Arbitrary<Pair> = fc
  .record({ a: num, b: num, taker: num, bought: flag, evidence })
  .map(({ evidence: slots, ...rest }) => {
    const found = { families: 0, slots: [] }
    slots.forEach((slot, family) => {
      if (slot !== null) addFamilies(found, 1 << family, slot)
    })
    return { ...rest, ...found }
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
    recent: fc.array(fc.record({ wallet: num, slot: num, txIndex: num }, plain), { maxLength: 16 }),
    pairs: fc.array(pair, { maxLength: 20 }),
    groups: fc.array(group, { maxLength: 6 }).map((groups) => groups.map((one, no) => ({ ...one, no }))),
    backed: fc.array(fc.record({ wallet: num, backer: num }, plain), { maxLength: 20 }),
  },
  plain,
)

test('a book comes back as it was, and equal books are equal bytes', () => {
  fc.assert(
    fc.property(book, (before) => {
      const bytes = Buffer.from(encodeBundleBook(before))
      const after = decodeBundleBook(bytes)
      assert.deepEqual(after, before)
      assert.deepEqual(Buffer.from(encodeBundleBook(after)), bytes)
    }),
  )
})

test('a token without coordinated wallets takes four bytes', () => {
  assert.equal(encodeBundleBook(emptyBundleBook()).length, 4)
  assert.deepEqual(decodeBundleBook(Buffer.from(encodeBundleBook(emptyBundleBook()))), emptyBundleBook())
})

test('cut or changed bytes give an error or a book, never anything else', () => {
  fc.assert(
    fc.property(book, fc.nat(), fc.nat(255), (before, at, value) => {
      const bytes = Buffer.from(encodeBundleBook(before))
      assert.throws(() => decodeBundleBook(bytes.subarray(0, at % bytes.length)), MalformedBytes)
      bytes[at % bytes.length] = value
      try {
        for (const pair of decodeBundleBook(bytes).pairs)
          for (const { slot } of evidenceOf(pair)) assert.ok(Number.isFinite(slot))
      } catch (error) {
        assert.ok(error instanceof MalformedBytes, String(error))
      }
    }),
  )
})
