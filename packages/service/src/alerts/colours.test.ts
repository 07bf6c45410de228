import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { TradeRow } from '@ti/core/model/rows.ts'
import type { Token } from '@ti/core/model/state.ts'
import type { WatchRow } from '../access/sql/schema.ts'
import type { AlertSource, Batch } from './batch.ts'
import { coloursOf, type Shown, shownOf, waitingTokens } from './colours.ts'
import { draftOf, type Happening } from './events.ts'
import { indexWatches } from './watch-index.ts'

const [TOKEN, QUIET] = [4, 100]
const MINT = 'mint'.padEnd(32, '.') as Key
const watch = (id: string, change: Partial<WatchRow> = {}): WatchRow =>
  ({
    ...{
      id,
      account_id: 'acct_1',
      name: 'n',
      kind: 'token',
      target: base58Encode(MINT),
      min_lamports: 0,
      paused: false,
    },
    ...{ from_trade: 0, from_event: 0, from_slot: 0, colour: null, colour_score: null, colour_slot: null, colours: 0 },
    ...change,
  }) as WatchRow

/** Watches on one token; each turn is a batch that ends at a slot and finds a colour. */
function scene(rows: readonly WatchRow[], looks = 10) {
  let colour: string | null = null
  let reads = 0
  const source = {
    ...{
      globals: {},
      tokenId: () => TOKEN,
      token: () => ({ id: TOKEN, mint: MINT, name: 'Name', symbol: 'SYM' }) as Token,
    },
    colour: () => {
      reads++
      return colour === null ? null : { colour, score: 5, why: { holders: 7 } }
    },
  } as unknown as AlertSource
  const index = indexWatches(rows, source)
  const shown = new Map<string, Shown | null>(rows.map((row) => [row.id, shownOf(row)]))
  const of = (id: string): Shown | null => shown.get(id) ?? null
  const waiting = waitingTokens(index, of, 0, QUIET)
  async function turn(slot: number, is: string | null, traded = true): Promise<readonly Happening[]> {
    colour = is
    const lasts = traded ? [{ token: TOKEN, slot } as TradeRow] : []
    const batch = { lasts, next: { slot }, time: slot } as unknown as Batch
    const asked = { source, index, shown: of, waiting, quietSlots: QUIET, looks, now: () => 0, sliceMs: 5 }
    const { found, changed } = await coloursOf(batch, asked)
    for (const [id, one] of changed) shown.set(id, one)
    return found
  }
  const said = async (...given: Parameters<typeof turn>): Promise<string[]> =>
    (await turn(...given)).map(({ watch: { id }, key, why }) => {
      const { before, after } = why as { before: string; after: string }
      return `${id} ${key} ${before} ${after}`
    })
  return { turn, said, of, reads: () => reads }
}

test('the first colour is what later ones are compared with', async () => {
  const { said, of } = scene([watch('a')])
  assert.deepEqual(await said(10, 'green', false), [])
  assert.deepEqual(of('a'), { colour: 'green', score: 5, slot: -1, count: 0 })
  assert.deepEqual(await said(11, 'green'), [])
  assert.deepEqual(await said(12, 'red'), ['a colour 4 1 green red'])
})

test('at an edge there is one report in a quiet time, and at its end what is different then', async () => {
  const { said, reads } = scene([watch('a')])
  await said(10, 'yellow')
  assert.deepEqual(await said(20, 'green'), ['a colour 4 1 yellow green'])
  for (let slot = 21; slot < 120; slot++)
    assert.deepEqual(await said(slot, slot % 2 === 0 ? 'green' : 'yellow'), [], `${slot}`)
  const before = reads()
  assert.deepEqual(await said(120, 'yellow', false), ['a colour 4 2 green yellow'], 'without a trade')
  assert.deepEqual([await said(121, 'red', false), reads() - before], [[], 1], 'nothing is due')
  assert.deepEqual(await said(220, 'yellow', false), [], 'what came and went is not reported')
  assert.deepEqual([await said(400, 'red', false), reads() - before], [[], 2], 'a token at rest is not read')
  assert.deepEqual(await said(401, 'red'), ['a colour 4 3 yellow red'])
})

test('each watch compares with what it knows, also from before a restart', async () => {
  const known = { colour: 'green', colour_score: 6, colour_slot: -1, colours: 3 }
  const quiet = { ...known, colour_slot: 5, colours: 4 }
  const { said, of } = scene([watch('a', known), watch('b', quiet), watch('c')])
  assert.deepEqual(await said(50, 'red'), ['a colour 4 4 green red'])
  assert.deepEqual(of('c'), { colour: 'red', score: 5, slot: -1, count: 0 })
  assert.deepEqual(await said(105, 'red', false), ['b colour 4 5 green red'])
})

test('a token that is too large to be read is left out until it trades', async () => {
  const { said, reads } = scene([watch('a')])
  assert.deepEqual([await said(10, null, false), await said(11, null, false), reads()], [[], [], 1])
  await said(12, 'green')
  assert.deepEqual(await said(13, 'red'), ['a colour 4 1 green red'])
})

test('tokens at rest are looked at a few in a turn', async () => {
  const { said, reads } = scene([watch('a')], 0)
  await said(10, 'green', false)
  assert.equal(reads(), 0)
  await said(11, 'green')
  assert.equal(reads(), 1)
})

test('the alert has both colours and the numbers', async () => {
  const { turn } = scene([watch('a')])
  await turn(10, 'green')
  const [happening] = await turn(20, 'red')
  const draft = draftOf(happening!, { page: 'https://page.example', explorer: null })
  assert.equal(draft.title, '“SYM” (“Name”) has another colour: red after green')
  assert.deepEqual(draft.why, { before: 'green', after: 'red', score_before: 5, score: 5, holders: 7 })
  assert.deepEqual([draft.slot, draft.at], [20, 20_000])
})
