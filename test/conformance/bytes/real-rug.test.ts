import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { Ratings } from '@ti/core/contract/resources.ts'
import { FAMILY } from '@ti/core/engine/bundles/evidence.ts'
import { CLASS, classOf } from '@ti/core/engine/class-memory.ts'
import { resultOf, ruggedBy } from '@ti/core/engine/drain.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import type { TradeEvent } from '@ti/core/model/events.ts'
import { explain } from '@ti/core/query/explain.ts'
import { createViews, type TokenView } from '@ti/core/query/view.ts'
import { importFiles } from '@ti/lab/import/import.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { decodeEntry } from '@ti/service/log/codec.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import { createMemoryStore } from '../../support/memory-store.ts'

/**
 * A real exit, from the first trade to the end: the deployer and two others sell 4, 21 and 29 times what they were seen to buy, in
 * one slot, and 94 % of the SOL leaves.
 */
const CSV = resolve(import.meta.dirname, '../../../../shared/data/trades/pumpfun_trades.csv')
const SKIP = existsSync(CSV) ? false : `real trades are not at ${CSV}`

const dir = mkdtempSync(join(tmpdir(), 'real-rug-'))
after(() => rmSync(dir, { recursive: true, force: true }))

interface Read {
  readonly slot: number
  readonly id: number
  readonly ratings: Ratings
  readonly dead: boolean
  readonly score: number
  /** share of the trades of 5 minutes that the busiest wallet made, percent */
  readonly busiest: number
}

/** Every token after every entry, as it was served then. */
async function readAll() {
  const capture = join(dir, 'trades.capture')
  await importFiles([CSV], capture, { solUsd: 200 })
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 10_000 })
  const views = createViews(engine, store, 100)
  const stream = createEntryStream(await openCapture(capture))
  const start = { slot: -1, time: 0, facts: 0 }
  const reads: Read[] = []
  const trades: { readonly slot: number; readonly event: TradeEvent }[] = []
  let seq = 0
  for await (const batch of stream.batches(start, new AbortController().signal)) {
    for (const bytes of batch) {
      const entry = decodeEntry(seq, bytes)
      engine.apply(seq, entry)
      if (entry.kind === 'block')
        for (const event of entry.events) if (event.kind === 'trade') trades.push({ slot: entry.slot, event })
      seq++
      store.write(engine.changes())
      engine.committed()
      for (let id = 0; id < engine.globals.nextToken; id++) reads.push(readOf(views.byId(id), engine.globals.slot))
    }
  }
  const givenTo = (id: number, address: string): string[] => givers(views.byId(id), address)
  return {
    store,
    givenTo,
    reads,
    trades,
    tokens: Array.from({ length: engine.globals.nextToken }, (_, id) => store.token(id)!),
  }
}

/** Wallets that the one at `address` got whole bags from. */
function givers({ live, wallet }: TokenView, address: string): string[] {
  const ends = live.bundles.pairs
    .filter(({ families }) => (families & (1 << FAMILY.consolidation)) !== 0)
    .map(({ a, b }) => [a, b].map((id) => keyToBase58(wallet(id).address)))
  return ends.filter((pair) => pair.includes(address)).map(([a, b]) => (a === address ? b! : a!))
}

function readOf(view: TokenView, slot: number): Read {
  const { score, one_wallet, ratings, life } = explain(view, 1)
  return {
    ...{ slot, id: view.live.token.id, ratings, dead: life.dead },
    score: score.value,
    busiest: one_wallet?.busiest?.trades_pct ?? 0,
  }
}

const coloursOf = ({ ratings }: Read): string[] => Object.values(ratings)

test('a real exit is told in the slot of the sales, and nothing of it is ever green again', {
  skip: SKIP,
}, async (t) => {
  const { reads, trades, tokens, givenTo } = await readAll()
  for (const token of tokens)
    t.diagnostic(`${token.id}: drained ${token.drainedSlot}, rugged ${token.ruggedSlot} by ${ruggedBy(token)}`)
  const rug = tokens.find(({ mint }) => keyToBase58(mint).startsWith('FCuk4X'))
  // the wallets behind the three paid more than the three got: an exit that drains it, and by money no rug
  assert.deepEqual([rug!.ruggedSlot, ruggedBy(rug!)], [-1, []])
  const result = resultOf(rug!, CLASS.signed)
  t.diagnostic(`its own people: ${classOf(rug!, CLASS.signed).wallets} wallets, result ${result / 1e9} SOL`)
  assert.ok(result < 0 && classOf(rug!, CLASS.signed).wallets >= 24)
  const own = reads.filter(({ id }) => id === rug!.id)

  // before: none of what the three sold was seen to be theirs, so that no number could say it; of the trades it was seen that
  // they were one wallet's
  const ofRug = trades.filter(({ event }) => event.mint === rug!.mint)
  const sellers = new Set(
    ofRug.flatMap(({ slot, event }) => (slot === rug!.drainedSlot && !event.isBuy ? [event.user] : [])),
  )
  const pct = (isBuy: boolean, user: Key): number => {
    const list = ofRug.filter(
      ({ slot, event }) => event.user === user && event.isBuy === isBuy && slot <= rug!.drainedSlot,
    )
    return list.reduce((sum, { event }) => sum + (100 * event.tokenAmount) / rug!.supply, 0)
  }
  for (const user of sellers)
    t.diagnostic(
      `${keyToBase58(user)}: bought ${pct(true, user).toFixed(2)} %, sold ${pct(false, user).toFixed(2)} % of supply`,
    )
  assert.equal([...sellers].filter((user) => pct(false, user) > 3 * pct(true, user)).length, 3)
  // what each of the three sold beyond its own is, to the base unit, what seven others had bought and never sold
  const given = [...sellers]
    .filter((user) => pct(false, user) > 3 * pct(true, user))
    .map((user) => givenTo(rug!.id, keyToBase58(user)))
  assert.deepEqual(
    given.map((wallets) => wallets.length),
    [7, 7, 7],
  )
  assert.equal(new Set(given.flat()).size, 21)
  const before = own.filter(({ slot }) => slot < rug!.drainedSlot)
  const last = before.at(-1)!
  t.diagnostic(
    `${rug!.drainedSlot - last.slot} slots before: ${last.busiest} % of the trades are one wallet's, ${JSON.stringify(last.ratings)}`,
  )
  assert.ok(last.busiest > 70)
  assert.ok(before.every(({ ratings }) => ratings.score !== 'green'))

  // in the slot of the sales
  const [at] = own.filter(({ slot }) => slot === rug!.drainedSlot)
  assert.equal(at!.ratings.score, 'red')
  // no higher than what was sold allows, with or without the group they are by now
  assert.ok(at!.score <= 2.9, `${at!.score}`)
  t.diagnostic(`score in the slot of the sales: ${at!.score}`)

  // from then on
  const later = own.filter(({ slot }) => slot >= rug!.drainedSlot)
  assert.ok(later.length > 10)
  assert.ok(later.every((read) => !coloursOf(read).includes('green')))
  const inHour = later.filter(({ slot }) => slot <= rug!.drainedSlot + 9_000)
  assert.ok(inHour.every((read) => !coloursOf(read).includes('yellow')))

  // and of all three tokens: once dead, the score is red
  const dead = reads.filter((read) => read.dead)
  assert.ok(dead.length > 0)
  assert.ok(dead.every((read) => read.ratings.score === 'red'))
})
