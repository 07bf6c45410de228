import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeLink } from './links.ts'

test('web addresses are links, with their host as it really is', () => {
  assert.deepEqual(safeLink(' https://x.com/moth '), { href: 'https://x.com/moth', host: 'x.com' })
  assert.equal(safeLink('http://t.me:8080/a')?.host, 't.me:8080')
  assert.equal(
    safeLink('https://раypal.com/')?.host,
    'xn--ypal-43d9g.com',
    'letters of another alphabet show themselves',
  )
})

test('nothing else is', () => {
  for (const href of [
    'javascript:alert(1)',
    ' javascript:alert(1)//https://x.com',
    'data:text/html,<script>1</script>',
    '//evil.example',
    'ftp://a.example',
    'https://',
    'https://user:pass@evil.example/',
    'https://x.com@evil.example/',
    'moth',
    '',
    `https://x.com/${'a'.repeat(3000)}`,
  ]) {
    assert.equal(safeLink(href), null, href.slice(0, 60))
  }
})
