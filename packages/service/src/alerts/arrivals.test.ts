import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { type Actor, NAMED_BY } from '@ti/core/model/actors.ts'
import type { TokenEventRow, TradeRow } from '@ti/core/model/rows.ts'
import type { Token } from '@ti/core/model/state.ts'
import { indexWatches } from '../../../../test/support/watchers.ts'
import type { WatchRow } from '../access/sql/schema.ts'
import { arrivalsOf } from './arrivals.ts'
import type { AlertSource, Batch } from './batch.ts'
import { alertId, draftOf } from './events.ts'

const MINT = 'mint'.padEnd(32, '.') as Key
const [TOKEN, SLOT] = [4, 70]
const watch = (kind: 'token' | 'actor', target: string, from_slot = 0, id = `watch_${kind}`): WatchRow => ({
  ...{ id, account_id: 'acct_1', name: 'n', kind, target, min_lamports: 0, paused: false },
  ...{ from_trade: 0, from_event: 0, from_slot, minute: 0, sent: 0, folded: 0, changed: 1 },
  created_at: new Date(0),
})
const onToken = watch('token', base58Encode(MINT))

/** Actors 1 and 2 with founders 11 and 12; `merged`: 2 is part of 1. */
function scene(rows: readonly WatchRow[], named: Token['actors'], merged = false) {
  const one = { id: 1, mergedInto: -1, founder: 11, wallets: merged ? [11, 12] : [11] } as unknown as Actor
  const other = merged ? one : ({ id: 2, mergedInto: -1, founder: 12, wallets: [12] } as unknown as Actor)
  const token = { id: TOKEN, mint: MINT, name: 'Name', symbol: 'SYM', actors: named } as Token
  const source = {
    ...{ token: () => token, rootOf: (id: number) => (id === 1 ? one : other) },
    ...{ globals: {}, tokenId: () => TOKEN },
    founderOf: (id: number) => (id < 3 ? 10 + id : undefined),
    arrival: ({ id }: Actor, by: number) => ({ actor: `crew-${id}`, actor_id: `act_${id}`, how: by }),
  } as unknown as AlertSource
  const index = indexWatches(rows, source)
  const of = (change: Partial<Batch> = {}): string[] => {
    const trades = [{ token: TOKEN, slot: SLOT, time: 1_000 } as TradeRow]
    return found({ trades, events: [], ...change } as Batch).map(({ watch: { id }, key }) => `${id} ${key}`)
  }
  const found = (batch: Batch) => arrivalsOf(batch, index, source)
  return { of, found }
}
const named = (actor: number, slot = SLOT) => ({ actor, slot, by: NAMED_BY.group })

test('a watch on the token reports each actor, a watch on an actor reports its tokens', () => {
  const rows = [onToken, watch('actor', '1'), watch('actor', '2', 0, 'watch_other')]
  assert.deepEqual(scene(rows, [named(1)]).of(), ['watch_token actor 1 4', 'watch_actor actor in 4'])
  assert.deepEqual(scene(rows, [named(1), named(2)]).of().length, 4)
  assert.deepEqual(scene(rows, []).of(), [])
  assert.deepEqual(scene([], [named(1)]).of(), [])
})

test('a merged actor is reported as the one it became part of, once a token', () => {
  const rows = [watch('actor', '2')]
  assert.deepEqual(scene(rows, [named(1)]).of(), [])
  assert.deepEqual(scene(rows, [named(1)], true).of(), ['watch_actor actor in 4'])
  assert.deepEqual(scene(rows, [named(1), named(2)], true).of(), ['watch_actor actor in 4'])
  assert.deepEqual(scene([watch('actor', '1')], [named(2)], true).of(), ['watch_actor actor in 4'])
})

test('only what was named from the watch’s first slot on and up to what happened last', () => {
  const of = (from: number, slot: number): number =>
    scene([watch('token', base58Encode(MINT), from), watch('actor', '1', from)], [named(1, slot)]).of().length
  assert.deepEqual([of(SLOT, SLOT), of(SLOT + 1, SLOT), of(0, SLOT + 1)], [2, 0, 0])
  // a launch names its deployer's actor before anybody trades
  const events = [{ token: TOKEN, slot: SLOT, time: 1_000 } as TokenEventRow]
  assert.equal(scene([onToken], [named(1)]).of({ trades: [], events }).length, 1)
  assert.deepEqual(scene([onToken], [named(1)]).of({ trades: [], events: [] }), [])
})

test('an actor that nobody has seen is found once it is there', () => {
  let isThere = false
  const founderOf = (id: number) => (isThere ? id + 10 : undefined)
  const index = indexWatches([watch('actor', '7')], { globals: {}, founderOf } as never)
  assert.equal(index.actors.size, 0)
  isThere = true
  index.resolve()
  assert.deepEqual([...index.actors.keys()], [17])
})

test('the alert names the actor and leads to its page', () => {
  const trades = [{ token: TOKEN, slot: SLOT, time: 1_000 } as TradeRow]
  const [happening] = scene([watch('actor', '1')], [named(1)]).found({ trades, events: [] } as unknown as Batch)
  const draft = draftOf(happening!, { page: 'https://page.example', explorer: null })
  assert.equal(draft.id, alertId('watch_actor', 'actor_arrived', 'actor in 4'))
  assert.equal(draft.title, '“SYM” (“Name”): crew-1 again')
  assert.deepEqual(draft.links.at(-1), { label: 'actor', url: 'https://page.example/actor/act_1' })
  assert.deepEqual([draft.mint, draft.wallet, draft.why.actor], [base58Encode(MINT), null, 'crew-1'])
})
