import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { runs, seed } from '../support/chance.ts'
import { seededRandom } from '../support/random.ts'
import { createFolder, differing, drawCuts, drawTokens, serve } from './prefix.ts'

/** Snapshots, cards, lists, trades, traders and deployers at a cut of the log equal those of the whole run at that slot. */
const SEED = seed()
const CUTS = runs(50)
const TRADES = Math.max(2_000, runs(10_000))
const TOKENS = 24

async function marketEntries(seed: number): Promise<Buffer[]> {
  const stream = createEntryStream(createSimulator({ seed, speed: 0, trades: TRADES }), 1 << 20)
  const entries: Buffer[] = []
  for await (const batch of stream.batches({ slot: -1, time: 0, facts: 0 }, new AbortController().signal))
    entries.push(...batch)
  return entries
}

test(`no look-ahead: ${CUTS} cuts serve the bytes of the whole run`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const entries = await marketEntries(SEED)
  const cuts = drawCuts(entries, CUTS, random)
  assert.equal(cuts.length, CUTS)
  const whole = createFolder()
  let at = 0
  let compared = 0
  try {
    for (const cut of cuts) {
      // the whole run goes on in small commits and never restarts; each cut is a log of its own, folded at once
      whole.fold(entries.slice(at, cut), 7)
      at = cut
      const tokens = drawTokens(whole.engine.globals.nextToken, TOKENS, random)
      const expected = serve(whole, tokens)
      const part = createFolder()
      try {
        part.fold(entries.slice(0, cut), Number.POSITIVE_INFINITY)
        assert.deepEqual(differing(serve(part, tokens), expected), [], `cut after entry ${cut}`)
      } finally {
        await part.remove()
      }
      compared += expected.size
    }
    assert.ok(compared > CUTS * TOKENS, `${compared} answers compared`)
    t.diagnostic(`${compared} answers compared at ${CUTS} cuts of ${whole.engine.globals.nextTrade} trades`)
  } finally {
    await whole.remove()
  }
})

test('two runs, and one with a restart after every cut, end in one state hash', async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED + 1)
  const entries = await marketEntries(SEED)
  const hashes: string[] = []
  for (const restarts of [false, false, true]) {
    const folder = createFolder()
    try {
      let at = 0
      for (const cut of restarts ? drawCuts(entries, 20, random) : []) {
        folder.fold(entries.slice(at, cut), 13)
        at = cut
        // a service that is asked in between must not fold differently
        serve(folder, drawTokens(folder.engine.globals.nextToken, TOKENS, random))
        await folder.restart()
      }
      folder.fold(entries.slice(at), 1_000)
      hashes.push(folder.store.stateHash())
    } finally {
      await folder.remove()
    }
  }
  assert.equal(new Set(hashes).size, 1, hashes.join(' '))
})
