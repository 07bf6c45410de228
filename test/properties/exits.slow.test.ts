import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLOUR, COLOURS } from '@ti/core/base/verdict-codes.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { soldInHour } from '@ti/core/engine/exits.ts'
import { verdictOf } from '@ti/core/engine/verdict/said.ts'
import type { Token } from '@ti/core/model/state.ts'
import { createViews } from '@ti/core/query/view.ts'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { decodeEntry } from '@ti/service/log/codec.ts'
import { seeds } from '../support/chance.ts'
import { createMemoryStore } from '../support/memory-store.ts'

/** After an exit of a token's own people it is red for an hour: markets of the harder kind, a third by adversaries. */
const SLOTS = 12_000
const EXIT_PCT = 5

const MINUTE = 150

interface Look {
  readonly token: number
  readonly slot: number
  readonly colour: number
  /** of the latest change of colour before this block */
  readonly lastChange: number
  readonly score: number
  readonly hasReading: boolean
}

async function exitsOf(seed: number) {
  const source = createSimulator({ seed, tps: 8, slots: SLOTS, speed: 0, market: 2, adversary: 0.3 })
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 1_000_000 })
  const views = createViews(engine, { ...store, tradesBack: (no, limit) => back(no, limit) }, 1)
  const rows = new Map<number, ReturnType<typeof engine.takeTrades>[number]>()
  function back(no: number, limit: number) {
    const found = []
    for (let row = rows.get(no); row !== undefined && found.length < limit; row = rows.get(row.prev)) found.push(row)
    return found
  }
  const looks: Look[] = []
  const stream = createEntryStream(source)
  let seq = 0
  for await (const batch of stream.batches({ slot: -1, time: 0, facts: 0 }, new AbortController().signal)) {
    for (const bytes of batch) {
      const entry = decodeEntry(seq, bytes)
      engine.apply(seq++, entry)
      for (const row of engine.takeTrades()) rows.set(row.no, row)
      if (entry.kind !== 'block') continue
      for (const mint of new Set(entry.events.map((event) => event.mint))) {
        const live = engine.tokens.peek(mint)
        if (live !== undefined) look(live.token, entry.slot)
      }
    }
  }
  function look(token: Token, slot: number): void {
    if ((100 * soldInHour(token, slot)) / token.supply < EXIT_PCT) return
    const { score } = views.byId(token.id).reading()
    const lastChange = token.verdict.history.findLast((change) => change.slot < slot)?.slot ?? Number.NEGATIVE_INFINITY
    const { colour } = verdictOf(token)
    looks.push({ token: token.id, slot, colour, lastChange, score: score.value, hasReading: score.hasReading })
  }
  return looks
}

test('the verdict is red and the score at most 2.9 within the hour after an exit of 5 % of supply', async (t) => {
  for (const seed of seeds(2, 71)) {
    const looks = await exitsOf(seed)
    const tokens = new Set(looks.map(({ token }) => token)).size
    const waiting = looks.filter(({ colour }) => colour !== COLOUR.red)
    t.diagnostic(`seed ${seed}: ${looks.length} readings of ${tokens} tokens, ${waiting.length} wait for their minute`)
    assert.ok(tokens > 10)
    assert.ok(waiting.length < looks.length / 10)
    // the colour changes once a minute: it can wait for the rest of one
    for (const { token, slot, colour, lastChange } of waiting)
      assert.ok(slot - lastChange < MINUTE, `token ${token} is ${COLOURS[colour]} at ${slot}, since ${lastChange}`)
    for (const { colour, score, hasReading } of looks)
      if (colour === COLOUR.red && hasReading) assert.ok(score <= 2.9, `${score}`)
  }
})
