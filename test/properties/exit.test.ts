import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ratings } from '@ti/core/contract/resources.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { FunderFact } from '@ti/core/model/facts.ts'
import { explain } from '@ti/core/query/explain.ts'
import { createViews } from '@ti/core/query/view.ts'
import { createMemoryStore } from '../support/memory-store.ts'
import { blockAt, CREW, createTape, keyOf, OTHERS, plantedRug } from '../support/planted-rug.ts'

/** A deployer's group with 29 % of supply sells all of it in one block: 23 seconds later nothing looks better than before. */
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
  facts: CREW.slice(1).map((wallet): FunderFact => {
    return { kind: 'funder', wallet, funder: CREW[0]!, slot: CREATED - 100, exchange: false }
  }),
}

function fold() {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 1_000 })
  let seq = 0
  const read = () => explain(createViews(engine, store, 1).find(MINT)!, 5)
  const add = (entry: LogEntry) => {
    engine.apply(seq++, entry)
    store.write(engine.changes())
    engine.committed()
  }
  return { add, read }
}

/** Neutral is no pass. */
const RANK = { neutral: 0, red: 0, yellow: 1, green: 2 } as const

test('a group of 29 % leaves in one block: no colour and no score is better for an hour, green not while 15 % were sold', () => {
  const { add, read } = fold()
  const blocks = plantedRug(MINT, CREATED, { crew: 2.78 * SOL, other: SOL / 2 })
  for (const entry of [...past(), funded, ...blocks.slice(0, -1)]) add(entry)
  const before = read()
  const share = before.bundles.reduce((sum, { pct_of_supply }) => sum + pct_of_supply, 0)
  assert.ok(share > 28 && share < 30, `${share} %`)
  assert.ok(before.score.value >= 3, 'yellow, were it not for the outlook')
  assert.ok(Object.values(before.ratings).includes('green'))

  add(blocks.at(-1)!)
  for (const later of [58, 750, 4_000, HOUR]) {
    add(blockAt(EXIT + later, []))
    const after = read()
    assert.equal(after.served.bundle_pct, 0)
    assert.ok(after.score.value <= before.score.value, `${later}: ${before.score.value} → ${after.score.value}`)
    assert.ok(after.ratings_held_back.includes('sold_in_hour'))
    for (const [name, rating] of Object.entries(after.ratings)) {
      const was = before.ratings[name as keyof Ratings]
      assert.ok(RANK[rating] <= RANK[was], `${later}: ${name} ${was} → ${rating}`)
    }
  }
  add(blockAt(EXIT + 3 * HOUR, []))
  const long = read()
  assert.deepEqual(long.memory.sold_in_hour_pct, 0)
  assert.ok(long.ratings_held_back.includes('sold_ever'))
  assert.ok(!Object.values(long.ratings).includes('green'))
})
