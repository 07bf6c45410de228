import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildHistory, mintKey } from '../../../../test/support/histories.ts'
import { createMemoryStore, QUIET_AT_ONCE } from '../../../../test/support/memory-store.ts'
import fc from '../../../../test/support/property.ts'
import type { Key } from '../base/ids.ts'
import type { Fact } from '../model/facts.ts'
import { DUP, type DupFlags } from '../model/metadata.ts'
import type { Token } from '../model/state.ts'
import { isCopy, isTextCopied } from './duplication.ts'
import { createEngine } from './engine.ts'
import { newToken } from './tokens.ts'

const token = (createdSlot: number, changes: Partial<Token> = {}): Token => ({
  ...newToken(0, 'm'.repeat(32) as Key, createdSlot, 1),
  ...changes,
})

test('image and links are copies, names and symbols are not', () => {
  const having = (field: keyof DupFlags): boolean => {
    const one = token(0)
    one.dup = { ...one.dup, [field]: DUP.yes }
    return isCopy(one)
  }
  for (const field of ['image', 'twitter', 'telegram', 'website'] as const) assert.equal(having(field), true, field)
  for (const field of ['name', 'symbol', 'symbolName'] as const) assert.equal(having(field), false, field)
})

test('text counts as copied for a day, or while the first token is worth more', () => {
  const first = token(1_000, { mcap: 50 })
  assert.equal(isTextCopied(token(1_000 + 215_999, { mcap: 60 }), first), true)
  assert.equal(isTextCopied(token(1_000 + 216_000, { mcap: 60 }), first), false)
  assert.equal(isTextCopied(token(1_000 + 216_000, { mcap: 50 }), first), false)
  assert.equal(isTextCopied(token(1_000 + 216_000, { mcap: 49 }), first), true)
})

const TOKENS = 6
type Values = readonly (number | null)[]

/** Facts as observers report them: an image is hashed after the metadata named it, or it was named by somebody else. */
function factsOf(token: number, [twitter, telegram, website, image]: Values): Fact[] {
  const mint = mintKey(token)
  const text = (value: number | null | undefined): string | null => (value == null ? null : `x.com/${value}`)
  const links = { twitter: text(twitter), telegram: text(telegram), website: text(website) }
  const norms = { twitterNorm: links.twitter, telegramNorm: links.telegram, websiteNorm: links.website }
  const metadata: Fact = { kind: 'metadata', mint, description: null, image: text(image), ...links, ...norms }
  return image == null ? [metadata] : [metadata, { kind: 'image_hash', mint, sha256: `${image}` }]
}

/** Creates tokens that share values, folds the facts in their order, and returns the flags and those of the last events. */
function flagsAfter(facts: readonly Fact[], group: number) {
  const create = { gap: 3, wallet: 0, action: 'create', size: 1 } as const
  const launches = Array.from({ length: TOKENS }, (_, token) => ({ ...create, token }))
  const store = createMemoryStore()
  const start = () => createEngine({ reader: store, walletsCached: 4, quiet: QUIET_AT_ONCE })
  let engine = start()
  const told = new Map<number, DupFlags>()
  const entries = [
    ...buildHistory(launches),
    ...facts.map((fact) => ({ kind: 'facts' as const, time: 1, byOperator: false, facts: [fact] })),
  ]
  entries.forEach((entry, i) => {
    engine.apply(i, entry)
    if ((i + 1) % group !== 0 && i + 1 < entries.length) return
    store.write(engine.changes())
    engine.committed()
    engine = start()
  })
  for (const event of store.tokenEvents(0)) if (event.kind === 'duplication') told.set(event.token, event.dup)
  const flags = Array.from({ length: TOKENS }, (_, token) => store.token(store.tokenIdByMint(mintKey(token))!)!.dup)
  return { flags, told: flags.map((_, id) => told.get(id)!) }
}

test('which token is the copy follows from the order of creation, in whatever order the facts arrive', () => {
  const value = fc.option(fc.nat({ max: 2 }), { nil: null })
  const tokens = fc.array(fc.tuple(value, value, value, value), { minLength: TOKENS, maxLength: TOKENS })
  const arrivals = tokens.chain((values) => {
    const facts = values.flatMap((some, token) => factsOf(token, some))
    return fc.record({
      values: fc.constant(values),
      facts: fc.shuffledSubarray(facts, { minLength: facts.length }),
      group: fc.integer({ min: 1, max: 9 }),
    })
  })
  fc.assert(
    fc.property(arrivals, ({ values, facts, group }) => {
      const { flags, told } = flagsAfter(facts, group)
      const fields = ['twitter', 'telegram', 'website', 'image'] as const
      const expected = values.map((own, token) =>
        own.map((one, i) => one !== null && values.slice(0, token).some((earlier) => earlier[i] === one)),
      )
      assert.deepEqual(
        flags.map((dup) => fields.map((field) => dup[field] === DUP.yes)),
        expected,
      )
      for (const dup of flags) for (const field of fields) assert.notEqual(dup[field], DUP.unknown)
      assert.deepEqual(told, flags)
    }),
    { numRuns: 60 },
  )
})
