import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { createMatcher } from './matcher.ts'

const match = createMatcher(ENDPOINTS.map(({ path, id }) => [path, id] as const))

const shown = (url: string) => {
  const found = match(url)
  return found === null || found === 'malformed' ? found : [found.value, found.argument, { ...found.query }]
}

test('literal paths come before parameters', () => {
  assert.deepEqual(shown('/v1/tokens/new'), ['new', '', {}])
  assert.deepEqual(shown('/v1/tokens/newer'), ['snapshot', 'newer', {}])
  assert.deepEqual(shown('/v1/tokens/new/trades'), ['trades', 'new', {}])
  assert.deepEqual(shown('/v1/traders/A'), ['trader', 'A', {}])
  assert.deepEqual(shown('/v1/devs/A/tokens'), ['deployer', 'A', {}])
})

test('a parameter is one segment, decoded once', () => {
  assert.deepEqual(shown('/v1/tokens/%41%2542'), ['snapshot', 'A%42', {}])
  assert.deepEqual(shown('/v1/tokens/'), ['snapshot', '', {}])
  assert.deepEqual(shown('/v1/tokens//trades'), ['trades', '', {}])
  for (const none of [
    '/v1/tokens',
    '/v1/tokens/a/b',
    '/v1/tokens/a/trades/',
    '/v1/devs/tokens',
    '/V1/tokens/new',
    '',
    '*',
  ]) {
    assert.equal(match(none), null, none)
  }
  for (const bad of ['/v1/tokens/%', '/v1/tokens/%zz', '/v1/devs/%F0%9F/tokens']) assert.equal(match(bad), 'malformed')
})

test('queries: the last question mark is text, repeats are lists, names of Object are only names', () => {
  assert.deepEqual(shown('/v1/tokens/a?fields=x?y'), ['snapshot', 'a', { fields: 'x?y' }])
  assert.deepEqual(shown('/v1/tokens/a?fields=x&fields=y'), ['snapshot', 'a', { fields: ['x', 'y'] }])
  const found = match('/v1/tokens/a?__proto__=x&toString=1')
  assert.ok(found !== null && found !== 'malformed')
  assert.equal(found.query.fields, undefined)
  const plain = match('/v1/tokens/a')
  assert.ok(plain !== null && plain !== 'malformed' && plain.query.limit === undefined)
})
