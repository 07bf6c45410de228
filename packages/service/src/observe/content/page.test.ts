import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../../test/support/property.ts'
import { RED_TEAM, unseenIn } from '../../../../../test/support/red-team.ts'
import { DESCRIPTION_LENGTH, LINK_LENGTH, readPage } from './page.ts'

const page = (value: unknown) => readPage(Buffer.from(JSON.stringify(value)))
const NOTHING = {
  description: null,
  image: null,
  twitter: null,
  telegram: null,
  website: null,
  twitterNorm: null,
  telegramNorm: null,
  websiteNorm: null,
}

test('a page as launchpads write it', () => {
  const V0 = `Qm${'a1'.repeat(22)}`
  assert.deepEqual(
    page({
      name: 'Moon',
      symbol: 'MOON',
      description: ' To the moon\u202e\u0000 ',
      image: `ipfs://${V0}/1.png`,
      twitter: 'https://X.com/Moon/',
      telegram: 't.me/moon',
      website: 'https://www.moon.example/?ref=1',
      showName: true,
      createdOn: 'https://pump.fun',
    }),
    {
      description: 'To the moon',
      image: `https://ipfs.io/ipfs/${V0}/1.png`,
      twitter: 'https://x.com/Moon/',
      telegram: 'https://t.me/moon',
      website: 'https://www.moon.example/?ref=1',
      twitterNorm: 'twitter.com/Moon',
      telegramNorm: 't.me/moon',
      websiteNorm: 'moon.example',
    },
  )
})

test('missing fields, fields of other types, and pages that are none', () => {
  assert.deepEqual(page({}), NOTHING)
  assert.deepEqual(page({ description: 1, image: {}, twitter: [], telegram: true, website: null }), NOTHING)
  assert.deepEqual(page({ description: '', image: '', twitter: '', telegram: ' ', website: '\u200e' }), NOTHING)
  for (const text of ['', '[]', 'null', '1', '"x"', '<!doctype html><title>x</title>', '{', '{"a":1}}', '\u0000'])
    assert.equal(readPage(Buffer.from(text)), null, text)
  assert.deepEqual(readPage(Buffer.from(`\ufeff${JSON.stringify({})}`)), NOTHING, 'a byte order mark')
  assert.deepEqual(readPage(Buffer.from('{"__proto__":{"description":"x"},"constructor":1}')), NOTHING)
})

test('deep and broken JSON is no trouble', () => {
  const depth = 100_000
  assert.equal(readPage(Buffer.from('['.repeat(depth) + ']'.repeat(depth))), null)
  assert.deepEqual(readPage(Buffer.from(`{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`)), NOTHING)
  assert.equal(readPage(Buffer.from('['.repeat(depth))), null)
  assert.equal(readPage(Buffer.from([0xff, 0xfe, 0x7b])), null)
})

test('links are http(s) or nothing, and safe where they are shown', () => {
  const nothing = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///x',
    'https://',
    'moon',
    '@moon',
    'https://localhost',
    'mailto:a@b.c',
    'https://x.com@evil.example/',
    `https://x.com/${'a'.repeat(2_000)}`,
    ' javascript:x',
    'java\nscript:x',
    'vbscript:x',
    '//evil',
  ]
  for (const website of nothing) assert.equal(page({ website })!.website, null, website)
  const image = page({ image: 'https://i.example/"><script>\'`' })!.image!
  assert.equal(/["'<>` \n]/.test(image), false, image)
})

test('whatever a page holds, what comes out keeps its form', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3_000 }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc
      .tuple(fc.constantFrom('https://', 'ipfs://', 'ar://', 'x.com/', 'HTTP://'), fc.string({ unit: 'binary' }))
      .map(([a, b]) => a + b),
  )
  const value = fc.oneof(text, fc.jsonValue())
  const hostile = fc.record(
    { description: value, image: value, twitter: value, telegram: value, website: value },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(hostile, fc.jsonValue()), (given) => {
      const found = page(given)
      if (found === null) return
      assert.ok((found.description ?? '').length <= DESCRIPTION_LENGTH * 2, 'the description is bounded')
      assert.equal(unseenIn((found.description ?? '').replace(/[\u200c\u200d]/g, '')), null)
      for (const link of [found.image, found.twitter, found.telegram, found.website]) {
        if (link === null) continue
        assert.match(link, /^https?:\/\/[^/@\s]+\.?[^\s"'<>]*$/)
        assert.ok(link.length <= LINK_LENGTH, 'links are bounded')
      }
    }),
    { numRuns: 2_000 },
  )
})

test('the red team’s pages: nothing invisible in any field', () => {
  for (const given of RED_TEAM)
    for (const text of Object.values(page(given)!)) assert.equal(unseenIn(text ?? ''), null, JSON.stringify(text))
})
