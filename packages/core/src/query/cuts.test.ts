import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildHistory, mintKey, type Step, TRADERS } from '../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import { keyToBase58 } from '../base/base58.ts'
import { SNAPSHOT_GROUPS } from '../contract/resources.ts'
import { createEngine } from '../engine/engine.ts'
import type { Positions } from '../engine/position-map.ts'
import { createAppQuery } from './app.ts'
import { QUERY_BOUNDS, type QueryBounds } from './bounds.ts'
import { createQuery } from './create-query.ts'
import { createCutScan } from './cut-scan.ts'
import { createCuts } from './cuts.ts'
import { LIST_NAMES } from './query.ts'

const step = (action: Step['action'], wallet: number, token = 0): Step => ({ gap: 1, token, wallet, action, size: 50 })
const mint = (token: number): string => keyToBase58(mintKey(token))

interface Given {
  readonly list: readonly Step[]
  readonly bounds?: Partial<QueryBounds>
}

/** A service that records, for each turn of the event loop, the positions and wallets read in it. */
function serve({ list, bounds = {} }: Given) {
  const store = createMemoryStore()
  let engine = createEngine({ reader: store, walletsCached: 1_000 })
  for (const entry of buildHistory(list)) {
    engine.apply(engine.globals.seq + 1, entry)
    store.write(engine.changes())
    engine.committed()
  }
  const turns: number[] = [0]
  /** Turns in which a reading began or ended. */
  const ends: number[] = []
  const look = (count: number): void => {
    turns[turns.length - 1]! += count
  }
  const counted = {
    ...store,
    tradesBack(lastNo: number, limit: number) {
      ends.push(turns.length - 1)
      return store.tradesBack(lastNo, limit)
    },
    wallets(ids: readonly number[]) {
      look(4 * ids.length)
      return store.wallets(ids)
    },
    positionsAfter(token: number, wallet: number, limit: number) {
      const found = store.positionsAfter(token, wallet, limit)
      look(found.length)
      return found
    },
  }
  // reopened, so no wallet is cached
  engine = createEngine({ reader: counted, walletsCached: 1_000 })
  let visits = 0
  for (const { positions } of engine.tokens.live()) {
    countVisits(positions, () => {
      visits++
      look(1)
    })
  }
  const clock = { ms: 0, isWhole: true }
  let seen = 0
  const cuts = createCuts({
    engine,
    store: counted,
    bounds: { ...QUERY_BOUNDS, readingPositions: 3, readingSlice: 2, ...bounds },
    isWhole: () => clock.isWhole,
    now: () => clock.ms,
    turn: async () => {
      await Promise.resolve()
      turns.push(0)
      if (++seen > 10_000) throw new Error('this has no end')
    },
  })
  const parts = { engine, store: counted, now: () => 0 }
  const query = createQuery({ ...parts, cuts })
  const app = createAppQuery({ ...parts, lists: query, cuts })
  const plain = createQuery({ engine, store })
  return { store, engine, cuts, query, app, plain, clock, turns, ends, visits: () => visits }
}

/** Calls `look` for every position taken from the map. */
function countVisits(positions: Positions, look: () => void): void {
  const values = positions.values.bind(positions)
  positions.values = function* () {
    for (const position of values()) {
      look()
      yield position
    }
  } as typeof positions.values
}

const crowd = (token: number): Step[] => [
  step('create', 0, token),
  ...Array.from({ length: TRADERS }, (_, wallet) => step('buy', wallet, token)),
]

const answerOf = (query: ReturnType<typeof serve>['query'], of: string) =>
  query.settled(() => query.snapshot(of, SNAPSHOT_GROUPS)!.bytes.toString())

test('no turn reads more of a large token than its slice, and the answer is the one of a reading at once', async () => {
  const { query, plain, turns, visits, engine } = serve({ list: crowd(0) })
  assert.equal(engine.tokens.peekId(0)!.positions.size, TRADERS)
  const later = answerOf(query, mint(0))
  assert.ok(later instanceof Promise)
  const answer = await later
  // slightly over, because a slice's last position may need its wallet read
  assert.ok(Math.max(...turns) <= 2 + 4, turns.join())
  assert.equal(visits(), TRADERS, 'everybody is read once')
  assert.equal(answer, plain.snapshot(mint(0), SNAPSHOT_GROUPS)!.bytes.toString())
  // and is cached now
  assert.equal(answerOf(query, mint(0)), answer)
})

test('beginning and end of a reading, and the answer, are in turns without a slice', async () => {
  const { query, turns, ends } = serve({ list: crowd(0) })
  await answerOf(query, mint(0))
  const [began, ended] = [ends[0], ends.at(-1)]
  assert.deepEqual([...new Set(ends)], [began, ended])
  assert.deepEqual([turns[began!], turns[ended!]], [0, 0])
  // the answer is ready in the turn that returns it
  assert.ok(began! < ended! - 1 && ended! < turns.length - 1, `${ends} of ${turns.length}`)
})

test('what a commit reads ahead is read at once, and added in slices', () => {
  const { engine, store } = serve({ list: crowd(0) })
  const calls = { wallets: 0, positions: 0 }
  const counted = {
    ...store,
    wallets(ids: readonly number[]) {
      if (ids.length > 0) calls.wallets++
      return store.wallets(ids)
    },
    positionOf(token: number, wallet: number) {
      calls.positions++
      return store.positionOf(token, wallet)
    },
  }
  const positions = [...engine.tokens.peekId(0)!.positions.values()]
  const scan = createCutScan({ engine, store: counted, token: 0, shares: null, metMost: 0 })
  scan.beforeWrite({ positions: new Set(positions), wallets: new Set() })
  assert.deepEqual(calls, { wallets: 1, positions: TRADERS })
  let slices = 1
  while (!scan.slice(2)) slices++
  assert.ok(slices >= TRADERS / 2, `${slices} slices of two`)
  assert.equal(scan.finish().reading.holders.count, TRADERS)
  assert.deepEqual(calls, { wallets: 1, positions: TRADERS }, 'nobody is read twice')
})

test('a token that left memory is read in slices too, from the store', async () => {
  const { query, engine, store, plain, turns } = serve({ list: [...crowd(0), { ...step('buy', 0, 1), gap: 50_000 }] })
  assert.equal(engine.tokens.peekId(0), undefined)
  assert.equal(store.positionCount(0), TRADERS)
  const answer = await answerOf(query, mint(0))
  const expected = plain.snapshot(mint(0), SNAPSHOT_GROUPS)!.bytes.toString()
  assert.equal(answer, expected)
  assert.ok(turns.length > TRADERS / 2)
})

test('what tells nothing of the holders waits for nobody, and neither do trades', () => {
  const { query, plain } = serve({ list: crowd(0) })
  const groups = ['meta', 'status', 'market'] as const
  assert.deepEqual(
    query.settled(() => query.snapshot(mint(0), groups)!.bytes),
    plain.snapshot(mint(0), groups)!.bytes,
  )
  assert.deepEqual(
    query.settled(() => query.trades(mint(0))!.bytes),
    plain.trades(mint(0))!.bytes,
  )
})

test('lists, searches, shares and explanations wait for the large tokens in them', async () => {
  const { query, app, plain, turns } = serve({ list: [...crowd(0), ...crowd(1), ...crowd(2)] })
  for (const name of LIST_NAMES) {
    const bytes = await query.settled(() => query.list(name).bytes)
    assert.deepEqual(bytes, plain.list(name).bytes, name)
  }
  assert.equal(JSON.parse(plain.list('new').bytes.toString()).length, 3, 'they were in a list')
  assert.equal(JSON.parse((await app.board('launches'))!).columns[0].cards.length, 3)
  assert.equal(JSON.parse(await app.search('token')).tokens.length, 3)
  const before = turns.length
  const explained = JSON.parse((await app.explain(mint(1)))!)
  assert.ok(turns.length > before, 'who is behind the shares was read')
  assert.equal(explained.shares.in_profit_pct.wallets + explained.shares.diamond_hands_pct.wallets > 0, true)
  assert.ok(typeof app.explain(mint(1)) === 'string', 'and is at hand')
})

test('everybody who waits for a token waits for one reading', async () => {
  const { query, visits } = serve({ list: crowd(0) })
  const answers = await Promise.all(Array.from({ length: 20 }, () => answerOf(query, mint(0))))
  assert.equal(new Set(answers).size, 1)
  assert.equal(visits(), TRADERS)
})

test('many small readings of one answer are spread over turns', async () => {
  const list = [0, 1, 2, 3].flatMap(crowd)
  const wide = serve({ list, bounds: { readingPositions: 1_000, readingTurn: 1_000 } })
  const expected = await wide.query.settled(() => wide.query.list('new').bytes)
  assert.equal(wide.turns.length, 1)
  const { query, turns } = serve({ list, bounds: { readingPositions: 1_000, readingTurn: 1 } })
  assert.deepEqual(await query.settled(() => query.list('new').bytes), expected)
  assert.ok(turns.length >= 4, `${turns.length} turns`)
  // after the last allowed turn the rest is read in one
  const few = serve({ list, bounds: { readingPositions: 1_000, readingTurn: 1, readingTurns: 0 } })
  assert.deepEqual(await few.query.settled(() => few.query.list('new').bytes), expected)
  assert.equal(few.turns.length, 2)
})

const isBusy = (error: NodeJS.ErrnoException): boolean => error.code === 'EAGAIN'

test('so many tokens may wait, and answers so long; nothing is read once memory is ahead of the store', async () => {
  const { query, clock } = serve({ list: [0, 1, 2].flatMap(crowd), bounds: { readingsWaiting: 1 } })
  const first = answerOf(query, mint(0))
  await assert.rejects(async () => answerOf(query, mint(1)), isBusy)
  await first
  const late = answerOf(query, mint(1))
  clock.ms += QUERY_BOUNDS.readingWaitMs
  await late
  clock.isWhole = false
  await assert.rejects(async () => answerOf(query, mint(2)), isBusy)
  const stopping = serve({ list: crowd(0) })
  const waiting = answerOf(stopping.query, mint(0))
  stopping.cuts.close()
  await assert.rejects(async () => waiting, isBusy)
})

test('a list leaves out the token whose reading does not come in time, and does not fail for it', async () => {
  const { query, plain } = serve({ list: [0, 1].flatMap(crowd) })
  const busy = serve({ list: [0, 1].flatMap(crowd), bounds: { readingWaitMs: 0 } })
  const cards = (bytes: Buffer) => (JSON.parse(bytes.toString()) as { mint: string }[]).map((card) => card.mint)
  const all = cards(plain.list('new').bytes)
  assert.equal(all.length, 2)
  assert.deepEqual(cards(await busy.query.settled(() => busy.query.list('new').bytes)), [])
  assert.deepEqual(cards(await query.settled(() => query.list('new').bytes)).sort(), [...all].sort())
})

test('a reading that is due is given again while the next one is made', async () => {
  const { query, clock, engine, store, cuts, turns } = serve({ list: crowd(0) })
  const first = await answerOf(query, mint(0))
  const { slot } = engine.globals
  const entry = { kind: 'block', slot: slot + 2_000, parent: slot, time: 1_000_900, events: [] } as const
  engine.apply(engine.globals.seq + 1, entry)
  cuts.beforeWrite(engine.changes())
  store.write(engine.changes())
  engine.committed()
  assert.equal(answerOf(query, mint(0)), first, 'of the slot at which it was read, all of it')
  clock.ms += QUERY_BOUNDS.readingRenewMs
  const before = turns.length
  assert.equal(answerOf(query, mint(0)), first)
  for (let i = 0; i < 100; i++) await Promise.resolve()
  assert.ok(turns.length > before)
  // rendered answers are cached until the next entry; the reading is the new one
  assert.notDeepEqual(cuts.find(0, false)!.seq, engine.globals.seq - 1)
  assert.equal(cuts.find(0, false)!.market.slot, slot + 2_000)
  clock.ms += QUERY_BOUNDS.readingOldMs
  assert.equal(cuts.find(0, false), undefined, 'nobody asked for long')
})
