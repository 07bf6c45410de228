import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorError } from '../../base/errors.ts'
import { endpointsOf } from './spec.ts'
import { loadClient } from './transport.ts'

test('where the client is not installed, that is said', () =>
  assert.rejects(
    loadClient(() => Promise.reject(new Error('no native build'))),
    (error: unknown) => error instanceof OperatorError && /yellowstone-grpc cannot be loaded on/.test(error.message),
  ))

test('each endpoint has its own token', () => {
  assert.deepEqual(
    endpointsOf(['https://a.example:443/', 'http://127.0.0.1:9000', 'https://c.example/path'], 'one,,two'),
    [
      { url: 'https://a.example', token: 'one' },
      { url: 'http://127.0.0.1:9000', token: undefined },
      { url: 'https://c.example/path', token: 'two' },
    ],
  )
  assert.deepEqual(endpointsOf(['http://a.example'], undefined), [{ url: 'http://a.example', token: undefined }])
  assert.deepEqual(endpointsOf(['http://localhost:1'], 't'), [{ url: 'http://localhost:1', token: 't' }])
})
