import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDecoder } from '@ti/core/decode/block.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { LAUNCHPAD, VENUE } from '@ti/core/model/events.ts'
import { createSimulator, type SimulatorOptions } from '@ti/lab/simulator/simulator.ts'
import type { TruthToken } from '@ti/lab/simulator/truth.ts'
import { writeBlock } from '@ti/service/source/wire/writer.ts'
import { seeds } from '../support/chance.ts'
import { createMemoryStore } from '../support/memory-store.ts'

/** Each market all the way: wire format, decoder, engine. */
const START = { slot: -1, time: 0, facts: 0 }
const never = new AbortController().signal

async function fold(options: Partial<SimulatorOptions>) {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 100_000 })
  const decoder = createDecoder()
  const truth: TruthToken[] = []
  const venues = new Map<number, number>()
  const launchpads = new Map<number, number>()
  let seq = 0
  const apply = (entry: LogEntry) => {
    engine.apply(seq++, entry)
    if (seq % 500 !== 0) return
    store.write(engine.changes())
    engine.committed()
  }
  const items = createSimulator({ speed: 0, ...options }).items(START, never, (token) => truth.push(token))
  for await (const item of items) {
    if (item.kind === 'facts') apply({ ...item, byOperator: false })
    if (item.kind !== 'raw') continue
    const block = decoder.decodeBlock(item.block)
    for (const event of block.events) {
      if (event.kind === 'trade') venues.set(event.venue, (venues.get(event.venue) ?? 0) + 1)
      if (event.kind === 'create') launchpads.set(event.launchpad, (launchpads.get(event.launchpad) ?? 0) + 1)
    }
    apply(block)
  }
  return { engine, counts: decoder.counts, truth, venues, launchpads }
}

for (const [seed, market] of seeds(2, 3).flatMap(
  (one) =>
    [
      [one, 2],
      [one, 3],
    ] as const,
)) {
  test(`market ${market}, seed ${seed}: folded to its end, and the decoder leaves nothing out`, async (t) => {
    const { engine, counts, truth, venues, launchpads } = await fold({ market, seed, slots: 3_000 })
    assert.deepEqual([...counts.keys()], ['failed_transaction'])
    t.diagnostic(JSON.stringify([[...venues], [...launchpads], engine.globals.nextTrade]))
    for (const venue of [VENUE.pump, VENUE.pumpswap, VENUE.launchlab, VENUE.meteora_dbc])
      assert.ok(venues.get(venue)! > 100, `venue ${venue}`)
    for (const pad of [LAUNCHPAD.pumpfun, LAUNCHPAD.launchlab, LAUNCHPAD.meteora_dbc])
      assert.ok(launchpads.get(pad)! > 3, `launchpad ${pad}`)
    assert.equal(
      truth.length,
      [...launchpads.values()].reduce((a, b) => a + b, 0),
    )
    assert.equal(
      engine.globals.nextTrade,
      [...venues.values()].reduce((a, b) => a + b, 0),
    )
  })
}

test('the same seed gives the same bytes, another seed or another share of adversaries others', async () => {
  const bytesOf = async (options: Partial<SimulatorOptions>) => {
    const blocks: Buffer[] = []
    for await (const item of createSimulator({ speed: 0, slots: 120, ...options }).items(START, never))
      if (item.kind === 'raw') blocks.push(Buffer.from(writeBlock(item.block)))
    return Buffer.concat(blocks).toString('base64')
  }
  const bytes = await bytesOf({ seed: 8 })
  assert.equal(await bytesOf({ seed: 8 }), bytes)
  assert.notEqual(await bytesOf({ seed: 9 }), bytes)
  assert.notEqual(await bytesOf({ seed: 8, adversary: 0.5 }), bytes)
})

test('a restart goes on now: the slots of the pause are missing, of the market they are not', async () => {
  const seconds = Math.floor(Date.now() / 1000)
  const options = { seed: 3, speed: 1 as const, warmup: 50, startSlot: 1_000 }
  const firstOf = async (cursor: typeof START) => {
    for await (const item of createSimulator(options).items(cursor, never)) if (item.kind === 'raw') return item.block
    throw new Error('no block')
  }
  // 40 s ago: 100 slots
  const paused = await firstOf({ slot: 1_060, time: seconds - 40, facts: 0 })
  assert.ok(paused.slot >= 1_160 && paused.slot <= 1_190, `${paused.slot}`)
  const warming = await firstOf({ slot: 1_020, time: seconds - 40, facts: 0 })
  assert.ok(warming.slot <= 1_023, `${warming.slot}`)
})
