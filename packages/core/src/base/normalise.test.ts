import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { normaliseLink, normaliseText } from './normalise.ts'

describe('normaliseText', () => {
  test('case, width, ligatures, white space and zero-width characters do not make a new name', () => {
    for (const name of [
      'Moon Cat',
      'MOONCAT',
      'ｍｏｏｎｃａｔ',
      'moon\u200bcat',
      '\ufeffMoon\u2060 \tCat\u00ad',
      'moon\u3164cat',
    ])
      assert.equal(normaliseText(name), 'mooncat', JSON.stringify(name))
    assert.equal(normaliseText('STRASSE'), normaliseText('straße'))
    assert.equal(normaliseText('ΟΔΥΣΣΕΥΣ'), normaliseText('οδυσσευς'))
    assert.equal(normaliseText('❤\ufe0f'), normaliseText('❤'))
    assert.equal(normaliseText(' \u200b '), '')
  })

  test('different letters stay different', () => {
    assert.notEqual(normaliseText('cat'), normaliseText('cät'))
    assert.notEqual(normaliseText('а'), normaliseText('a'))
  })

  test('idempotent on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (s) => {
        const once = normaliseText(s)
        assert.equal(normaliseText(once), once)
        assert.equal(normaliseText(s.toUpperCase()), normaliseText(s.toUpperCase().toLowerCase()))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('normaliseLink', () => {
  test('the same page in several spellings', () => {
    const spellings = [
      'https://x.com/SomeOne',
      'http://twitter.com/SomeOne/',
      'HTTPS://WWW.Twitter.com/SomeOne?s=21#top',
      'x.com/SomeOne',
      ' www.x.com/SomeOne// ',
    ]
    for (const link of spellings) assert.equal(normaliseLink(link), 'twitter.com/SomeOne', link)
    assert.equal(normaliseLink('https://example.org'), 'example.org')
    assert.equal(normaliseLink('example.org:8080/a'), 'example.org:8080/a')
  })

  test('what is not a web link is null', () => {
    for (const link of [
      '',
      '   ',
      'javascript:alert(1)',
      'ipfs://abc',
      '@handle',
      'nothing',
      'https://',
      `https://a.b/${'x'.repeat(3_000)}`,
    ])
      assert.equal(normaliseLink(link), null, link.slice(0, 30))
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (s) => {
        const link = normaliseLink(s)
        assert.ok(link === null || link.length > 0)
      }),
      { numRuns: 2_000 },
    )
  })
})
