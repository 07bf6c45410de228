import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ratings } from '@ti/core/contract/resources.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { ratingsOf } from '@ti/core/query/ratings.ts'
import { createViews, type TokenView } from '@ti/core/query/view.ts'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { decodeEntry } from '@ti/service/log/codec.ts'
import { seeds } from '../support/chance.ts'
import { createMemoryStore } from '../support/memory-store.ts'

/** After an exit of a token's own people nothing of its verdict improves for an hour: markets of the harder kind, a third by adversaries. */
const SLOTS = 12_000
const EXIT_PCT = 5

interface Verdict {
  readonly score: number
  readonly ratings: Ratings
  readonly soldHourPct: number
}

/** Neutral is no pass: it is never better than what it stands for. */
const RANK = { red: 0, neutral: 0, yellow: 1, green: 2 } as const

function verdictOf(view: TokenView): Verdict {
  const reading = view.reading()
  const { soldHourPct } = reading.past
  return { score: reading.score.value, ratings: ratingsOf(reading, view.conditions()), soldHourPct }
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
  const last = new Map<number, Verdict>()
  const before = new Map<number, Verdict>()
  const exits: { readonly token: number; readonly before: Verdict; readonly after: Verdict }[] = []
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
        if (live !== undefined) look(live.token.id, verdictOf(views.of(live)))
      }
    }
  }
  function look(token: number, now: Verdict): void {
    const earlier = last.get(token)
    last.set(token, now)
    if (now.soldHourPct < EXIT_PCT) return void before.delete(token)
    if (!before.has(token) && earlier !== undefined) before.set(token, earlier)
    const was = before.get(token)
    if (was !== undefined) exits.push({ token, before: was, after: now })
  }
  return exits
}

test('no score and no rating improves within the hour after an exit of 5 % of supply', async (t) => {
  for (const seed of seeds(2, 71)) {
    const exits = await exitsOf(seed)
    const tokens = new Set(exits.map(({ token }) => token)).size
    const up = new Set(exits.flatMap(({ token, before, after }) => (after.score > before.score ? [token] : [])))
    t.diagnostic(`seed ${seed}: ${exits.length} readings of ${tokens} tokens after an exit`)
    t.diagnostic(`seed ${seed}: of ${up.size} tokens the score's value rises at some time, below its cap`)
    assert.ok(tokens > 10)
    for (const { before, after } of exits) {
      assert.ok(after.score <= 2.9, `${before.score} → ${after.score}`)
      for (const [name, rating] of Object.entries(after.ratings)) {
        const was = before.ratings[name as keyof Ratings]
        assert.ok(RANK[rating] <= RANK[was], `${name}: ${was} → ${rating}`)
      }
    }
  }
})
