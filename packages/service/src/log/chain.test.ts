import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXIT, OperatorError } from '../base/errors.ts'
import { isLogToBeNamed } from './chain.ts'

test('a log is named once, and then takes only sources of that name', () => {
  assert.equal(isLogToBeNamed('', null), false)
  assert.equal(isLogToBeNamed('', 'a'), true)
  assert.equal(isLogToBeNamed('a', 'a'), false)
  const refusal = (source: string | null, words: RegExp) =>
    assert.throws(
      () => isLogToBeNamed('main', source),
      (error) => error instanceof OperatorError && error.exitCode === EXIT.otherLog && words.test(error.message),
    )
  refusal('test', /the chain test, and the log is of the chain main/)
  refusal(null, /does not say which chain it brings, and the log is of the chain main.*SOURCE_RPC_URL/)
})
