import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unbounded } from '../../../../test/support/bounds.ts'
import { ACTOR, ACTOR_EDGES } from './actors.ts'
import { AGENT_BOOK } from './agents.ts'
import { BUNDLE_BOOK } from './bundles.ts'
import { list, num, table } from './field.ts'
import { GLOBALS, POSITION, TOKEN, WALLET } from './state.ts'

test('every list of a state record has a bound', () => {
  const tables = [GLOBALS, TOKEN, POSITION, WALLET, BUNDLE_BOOK, AGENT_BOOK, ACTOR, ACTOR_EDGES]
  assert.deepEqual(tables.flatMap(unbounded), [])
  assert.deepEqual(unbounded(table('Some', { all: list(table('One', { n: num })) })), ['Some.all'])
})
