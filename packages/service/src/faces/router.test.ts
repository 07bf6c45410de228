import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { createRouter, type Handler, type Route, rowFor } from './router.ts'

const handlers = new Map(ENDPOINTS.map(({ id }) => [(() => {}) as Handler, id] as const))
const named = new Map([...handlers].map(([handle, id]) => [id, handle]))
const operations: readonly Route[] = ENDPOINTS.map(({ path, id }) => ({ method: 'GET', path, handle: named.get(id)! }))

const find = createRouter(operations)
const GET = { method: 'GET', headers: {} } as never
const shown = (path: string) => {
  const found = find(path)
  return found === null || found === 'malformed' ? found : [handlers.get(rowFor(found, GET)!.handle), ...found.args]
}

test('literal paths come before parameters', () => {
  assert.deepEqual(shown('/v1/tokens/new'), ['new'])
  assert.deepEqual(shown('/v1/tokens/newer'), ['snapshot', 'newer'])
  assert.deepEqual(shown('/v1/tokens/new/trades'), ['trades', 'new'])
  assert.deepEqual(shown('/v1/traders/A'), ['trader', 'A'])
  assert.deepEqual(shown('/v1/devs/A/tokens'), ['deployer', 'A'])
})

test('a parameter is one segment, decoded once', () => {
  assert.deepEqual(shown('/v1/tokens/%41%2542'), ['snapshot', 'A%42'])
  assert.deepEqual(shown('/v1/tokens/'), ['snapshot', ''])
  assert.deepEqual(shown('/v1/tokens//trades'), ['trades', ''])
  for (const none of [
    '/v1/tokens',
    '/v1/tokens/a/b',
    '/v1/tokens/a/trades/',
    '/v1/devs/tokens',
    '/V1/tokens/new',
    '',
    '*',
    '/',
    '/v1/tokens/a\n/b',
  ]) {
    assert.equal(find(none), null, none)
  }
  for (const bad of ['/v1/tokens/%', '/v1/tokens/%zz', '/v1/devs/%F0%9F/tokens']) assert.equal(find(bad), 'malformed')
})

const row = (method: Route['method'], path: string, more: Partial<Route> = {}): Route => {
  return { method, path, handle: () => {}, ...more }
}
const rowOf = (table: readonly Route[], method: string, path: string, accept?: string) => {
  const found = createRouter(table)(path)
  if (found === null || found === 'malformed') return found
  return rowFor(found, { method, headers: { accept } } as never)
}

test('a row is found by method; GET also answers HEAD, and `*` what no other row does', () => {
  const table = [row('GET', '/a/{id}'), row('POST', '/a/{id}'), row('*', '/b'), row('GET', '/b')]
  const [read, write, any, readB] = table
  assert.deepEqual(
    ['GET', 'HEAD', 'POST', 'DELETE'].map((method) => rowOf(table, method, '/a/1')),
    [read, read, write, null],
  )
  assert.deepEqual(
    ['GET', 'POST', 'OPTIONS'].map((method) => rowOf(table, method, '/b')),
    [readB, any, any],
  )
  const found = createRouter(table)('/a/1')
  assert.ok(found !== null && found !== 'malformed')
  assert.equal(found.rows.asks, 'GET')
})

test('a row may leave requests to the next one, and then names no method that others are referred to', () => {
  const page = row('GET', '/', { when: ({ headers }) => headers.accept === 'text/html' })
  const table = [page, row('GET', '/')]
  assert.equal(rowOf(table, 'GET', '/', 'text/html'), page)
  assert.equal(rowOf(table, 'GET', '/'), table[1])
  assert.equal(rowOf([page], 'GET', '/'), null)
  const found = createRouter([page])('/')
  assert.ok(found !== null && found !== 'malformed')
  assert.equal(found.rows.asks, null)
})

test('several parameters, raw ones, and all that begins alike', () => {
  const table = [row('GET', '/raw/*'), row('GET', '/a/{x}/b/{y}.png'), row('GET', '/raw/{x}', { raw: true })]
  const args = (path: string) => {
    const found = createRouter(table)(path)
    return found === null || found === 'malformed' ? found : found.args
  }
  assert.deepEqual(args('/a/1/b/2.png'), ['1', '2'])
  assert.equal(args('/a/1/b/2xpng'), null)
  assert.deepEqual(args('/raw/%zz'), ['%zz'])
  assert.deepEqual(args('/raw/a/%zz\n'), [])
  assert.equal(args('/raw'), null)
})
