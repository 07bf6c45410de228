import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeEntry, encodeEntry } from '@ti/service/log/codec.ts'
import { createMarket, PATTERNS } from './market.ts'

const ENTRIES = 4_000
const SEED = 5

for (const pattern of PATTERNS) {
  test(`${pattern}: an entry depends on its seq alone, can be logged, and slots rise`, (t) => {
    t.diagnostic(`seed ${SEED}`)
    const market = createMarket(SEED, pattern)
    let slot = -1
    let events = 0
    const kinds = new Set<string>()
    for (let seq = 0; seq < ENTRIES; seq++) {
      const entry = market.entry(seq)
      const bytes = Buffer.from(encodeEntry(entry))
      assert.deepEqual(decodeEntry(seq, bytes), entry)
      kinds.add(entry.kind)
      if (entry.kind === 'facts') {
        for (const fact of entry.facts) kinds.add(fact.kind)
        continue
      }
      const [first, last] = entry.kind === 'gap' ? [entry.from, entry.to] : [entry.slot, entry.slot]
      assert.ok(first > slot, `slot ${first} after ${slot}`)
      slot = last
      if (entry.kind !== 'block') continue
      events += entry.events.length
      for (const event of entry.events) kinds.add(event.kind)
    }
    // asked in another order, of another market of the same seed
    const again = createMarket(SEED, pattern)
    for (const seq of [ENTRIES - 1, 17, 2_048, 0]) assert.deepEqual(again.entry(seq), market.entry(seq))
    assert.notDeepEqual(createMarket(SEED + 1, pattern).entry(17), market.entry(17))
    assert.ok(events > 3 * ENTRIES, `${events} events`)
    const wanted =
      'block facts gap create trade complete migrate balance sol_price metadata funding kol agent dex_paid image_hash'
    for (const kind of wanted.split(' ')) assert.ok(kinds.has(kind), `no ${kind} in ${ENTRIES} entries`)
  })
}
