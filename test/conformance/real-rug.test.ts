import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { LIMITS } from '../../src/config/limits.ts'
import { ruggedBy } from '../../src/engine/drain.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { createEntryStream } from '../../src/ingest/entries.ts'
import { importFiles } from '../../src/lab/import/import.ts'
import { decodeEntry } from '../../src/log/codec.ts'
import { ratingsOf } from '../../src/query/ratings.ts'
import { createViews } from '../../src/query/view.ts'
import { openCapture } from '../../src/source/capture/capture.ts'
import { createMemoryStore } from '../support/memory-store.ts'

/**
 * A real rug, from its first trade to its end: the deployer and two others sell 4, 21 and 29 times what they were seen to buy, in
 * one slot, and 94 % of the SOL leaves.
 */
const CSV = resolve(import.meta.dirname, '../../../shared/data/trades/pumpfun_trades.csv')
const SKIP = existsSync(CSV) ? false : `real trades are not at ${CSV}`

const dir = mkdtempSync(join(tmpdir(), 'real-rug-'))
after(() => rmSync(dir, { recursive: true, force: true }))

test('a real rug is told in the slot of the sales, and its score is never green again', { skip: SKIP }, async (t) => {
  const capture = join(dir, 'trades.capture')
  await importFiles([CSV], capture, { solUsd: 200 })
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 10_000 })
  const views = createViews(engine, store, 100)
  const stream = createEntryStream(await openCapture(capture), LIMITS.batchBytes)
  const start = { slot: -1, time: 0, facts: 0 }
  const colours: [slot: number, id: number, colour: string, dead: boolean][] = []
  let seq = 0
  for await (const batch of stream.batches(start, new AbortController().signal)) {
    for (const bytes of batch) {
      engine.apply(seq, decodeEntry(seq, bytes))
      seq++
      store.write(engine.changes())
      engine.committed()
      for (let id = 0; id < engine.globals.nextToken; id++) {
        const view = views.byId(id)
        const reading = view.reading()
        colours.push([engine.globals.slot, id, ratingsOf(reading, view.conditions()).score, reading.life.dead])
      }
    }
  }
  const tokens = Array.from({ length: engine.globals.nextToken }, (_, id) => store.token(id)!)
  const rugged = tokens.filter(({ ruggedSlot }) => ruggedSlot >= 0)
  for (const token of tokens)
    t.diagnostic(`${token.id}: drained ${token.drainedSlot}, rugged ${token.ruggedSlot} by ${ruggedBy(token)}`)
  assert.equal(rugged.length, 1)
  const [rug] = rugged
  assert.deepEqual(ruggedBy(rug!), ['deployer', 'insiders'])
  assert.equal(rug!.drainedSlot, rug!.ruggedSlot)
  const later = colours.filter(([slot, id]) => id === rug!.id && slot >= rug!.ruggedSlot)
  assert.ok(later.length > 0)
  assert.deepEqual(
    later.filter(([, , colour]) => colour === 'green'),
    [],
  )
  assert.deepEqual(
    colours.filter(([, , colour, dead]) => dead && colour !== 'neutral'),
    [],
  )
})
