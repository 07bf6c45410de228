import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { walletKey } from '../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import { OperatorError } from '../base/errors.ts'
import { agentFacts } from './agents-file.ts'
import type { Node } from './node.ts'

function setUp(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'agents-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'agents.json')
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 10 })
  const node = { engine, store } as unknown as Node
  const say = (list: unknown) => {
    writeFileSync(file, typeof list === 'string' ? list : JSON.stringify(list))
    const facts = agentFacts(file, node)
    engine.apply(engine.globals.seq + 1, { kind: 'facts', time: 1, byOperator: true, facts })
    store.write(engine.changes())
    engine.committed()
    return facts
  }
  return { say, engine, node, store }
}

const wallet = (n: number): string => keyToBase58(walletKey(n))

test('the file’s changes become facts: new, renamed, gone; nothing when nothing changed', (t) => {
  const { say, engine, store, node } = setUp(t)
  assert.deepEqual(agentFacts(null, node), [])
  const list = [
    { wallet: wallet(1), name: 'one' },
    { wallet: wallet(2), name: 'two' },
  ]
  assert.equal(say(list).length, 2)
  assert.equal(engine.globals.factsSince, 0, 'the source’s cursor does not count them')
  assert.deepEqual(say(list), [])
  assert.deepEqual(
    say([{ wallet: wallet(1), name: 'uno' }]).map(({ name }) => name),
    [null, 'uno'],
  )
  const named = store.wallet(store.walletIdByAddress(walletKey(1))!)!
  assert.deepEqual([named.name, named.agent], ['uno', true])
  const gone = store.wallet(store.walletIdByAddress(walletKey(2))!)!
  assert.deepEqual([gone.name, gone.agent], [null, false])
})

test('a file that cannot be read as a list of agents is refused with what it should hold', (t) => {
  const { say, node } = setUp(t)
  const many = Array.from({ length: 51 }, (_, n) => ({ wallet: wallet(n % 5), name: 'x' }))
  for (const bad of [
    '{',
    '{}',
    [{ wallet: 'x', name: 'x' }],
    [{ wallet: wallet(1), name: ' ' }],
    many,
    '"'.repeat(70_000),
  ])
    assert.throws(
      () => say(bad),
      (error) => error instanceof OperatorError && error.message.includes('"wallet"'),
    )
  assert.throws(() => agentFacts('/nowhere/agents.json', node), OperatorError)
})
