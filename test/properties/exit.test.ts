import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLOUR } from '@ti/core/base/verdict-codes.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { verdictOf } from '@ti/core/engine/verdict/said.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { FundingFact } from '@ti/core/model/facts.ts'
import { explain } from '@ti/core/query/explain.ts'
import { createViews } from '@ti/core/query/view.ts'
import { createMemoryStore } from '../support/memory-store.ts'
import { blockAt, CREW, createTape, keyOf, OTHERS, plantedRug } from '../support/planted-rug.ts'

/** A deployer's group with 29 % of supply sells all of it in one block: for an hour the verdict is red. */
const SOL = 1_000_000_000
const MINT = keyOf('mint')
const CREATED = 5_000
const EXIT = CREATED + 400
const HOUR = 9_000

/** The others have sold out of something before, so that there is a history to judge by. */
function past(): LogEntry[] {
  const tape = createTape(keyOf('early'))
  return [
    blockAt(1_000, [tape.create(), ...OTHERS.map((user, i) => tape.buy(user, SOL / 10, 1 + i))]),
    ...OTHERS.map((user, n) => blockAt(2_000 + 10 * n, [tape.sell(user)])),
  ]
}

/** Everybody of the group has the first SOL from the deployer. */
const funded: LogEntry = {
  ...{ kind: 'facts', time: 2_900, byOperator: false },
  facts: CREW.slice(1).map((wallet): FundingFact => {
    return { kind: 'funding', wallet, funder: CREW[0]!, slot: CREATED - 100, exchange: false, lamports: 1e12 }
  }),
}

function fold() {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 1_000 })
  let seq = 0
  const view = () => createViews(engine, store, 1).find(MINT)!
  const read = () => explain(view(), 5)
  const add = (entry: LogEntry) => {
    engine.apply(seq++, entry)
    store.write(engine.changes())
    engine.committed()
  }
  return { add, view, read }
}

test('a group of 29 % leaves in one block: red and a score of 2.9 at most for an hour, no green while 15 % were sold', () => {
  const { add, view, read } = fold()
  const blocks = plantedRug(MINT, CREATED, { crew: 2.78 * SOL, other: SOL / 2 })
  for (const entry of [...past(), funded, ...blocks.slice(0, -1)]) add(entry)
  const share = read().bundles.reduce((sum, { pct_of_supply }) => sum + pct_of_supply, 0)
  assert.ok(share > 28 && share < 30, `${share} %`)

  add(blocks.at(-1)!)
  for (const later of [58, 750, 4_000, HOUR]) {
    add(blockAt(EXIT + later, []))
    const { served, ratings, score } = read()
    const { name, code, sinceSlot, event } = verdictOf(view().live.token)
    assert.deepEqual([served.bundle_pct, ratings.bundle], [0, 'green'], 'the table is the table')
    assert.ok(score.value <= 2.9, `${later}: ${score.value}`)
    assert.equal(ratings.score, 'red')
    assert.equal(name, 'red', `${later}: ${code}`)
    assert.ok(sinceSlot <= EXIT + 150 && event !== null, `${later}: since ${sinceSlot} by ${event}`)
  }
  add(blockAt(EXIT + 3 * HOUR, []))
  const long = read()
  assert.deepEqual(long.memory.sold_in_hour_pct, 0)
  assert.notEqual(long.ratings.score, 'green')
  assert.ok(view().live.token.verdict.history.every(({ colour }) => colour !== COLOUR.green))
})
