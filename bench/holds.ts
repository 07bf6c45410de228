import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { SNAPSHOT_GROUPS } from '@ti/core/contract/resources.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { createCuts } from '@ti/core/query/cuts.ts'
import { createStreams } from '@ti/core/query/streams.ts'
import { makeEverythingYoung } from '@ti/service/base/garbage.ts'
import { LIVE } from '@ti/service/faces/live/bounds.ts'
import { createHub } from '@ti/service/faces/live/hub.ts'
import { commitEntries } from '@ti/service/ingest/commit.ts'
import type { Store } from '@ti/service/store/store.ts'
import { createFolder, type Folder, queryOf } from '../test/properties/prefix.ts'
import { seededRandom } from '../test/support/random.ts'
import { type BenchMarket, createMarket, crowdedToken } from './reading.ts'
import { median } from './service.ts'
import { describeHeld, type Held, type Turns, watchTurns } from './turns.ts'
import type { BenchRow } from './types.ts'

/** Measures the longest turn of the event loop while a token with very many holders is read after every block. */
const SIZES = (process.env.HOLDERS ?? '20000,300000').split(',').map(Number)
const ROUNDS = 12
const UNSLICED = 5
/** milliseconds between two blocks, and trades of the token in each */
const BLOCK_MS = 400
const TRADES = 48
/** largest milliseconds of a turn, and largest share of an unsliced reading: as long as reading 20,000 holders */
const BAR = { ms: 15, shareOf: (holders: number): number => 20_000 / holders }
/** only one of this many holders has a history, because creating one for each takes minutes */
const ONE_OF = 5

export async function benchHolds(): Promise<BenchRow[]> {
  makeEverythingYoung()
  const rows: BenchRow[] = []
  for (const holders of SIZES) rows.push(...(await benchSize(holders)))
  return rows
}

async function benchSize(holders: number): Promise<BenchRow[]> {
  const folder = createFolder()
  try {
    const market = createMarket()
    folder.fold(crowdedToken(market, holders, ONE_OF), 1_000)
    // no wallet is cached, so the first reading loads all of them
    await folder.restart()
    // collects garbage of the preparation, 700 MB with 300,000 holders, so that it does not affect the readings
    global.gc?.()
    await sleep(500)
    const turns = watchTurns()
    const { longest, count, ahead, answers } = await readSliced(folder, market, holders, turns)
    const unsliced = readAtOnce(folder, market, holders, turns)
    turns.close()
    const atOnce = median(unsliced)
    const each = longest.map(({ ms }) => ms)
    const worst = longest.reduce((a, b) => (b.ms > a.ms ? b : a))
    // the maximum may be due to other load, so the median counts, and the first reading by itself
    const most = Math.max(median(each), each[0]!, ahead.ms)
    const detail = `${ROUNDS} readings in ${count} turns, a block of ${TRADES} trades after every ${BLOCK_MS} ms; longest turn of a reading ${median(each).toFixed(1)} ms (median), of the first ${describeHeld(longest[0]!)}, worst ${describeHeld(worst)}; what a commit read ahead at most ${describeHeld(ahead)}; an answer after ${median(answers).toFixed(0)} ms (median)`
    return [
      {
        name: `longest turn of a reading of ${holders} holders after every block, median and first, ms (at most)`,
        ratio: most,
        bar: BAR.ms,
        pass: most <= BAR.ms,
        detail,
      },
      {
        name: `the same against one reading at once (at most)`,
        ratio: most / atOnce,
        bar: BAR.shareOf(holders),
        pass: most <= BAR.shareOf(holders) * atOnce,
        detail: `${most.toFixed(1)} ms : ${atOnce.toFixed(1)} ms, median of ${unsliced.length}`,
      },
    ]
  } finally {
    await folder.remove()
  }
}

/** A block of trades by current holders, former holders and new wallets. */
function nextBlock(market: BenchMarket, holders: number, random: () => number): Buffer {
  return market.block((trade) => {
    for (let i = 0; i < TRADES; i++) {
      trade(0, Math.floor(random() * holders * 1.01), random() < 0.5 ? 1_000_000 : -1)
    }
  })
}

/** The service's own way: keyed snapshots and stream frames over slices. Every answer is of its block. */
async function readSliced({ engine, store }: Folder, market: BenchMarket, holders: number, turns: Turns) {
  let phase = ''
  const watched: Store = {
    ...store,
    token(id) {
      phase = 'the beginning'
      return store.token(id)
    },
    tradesBack(lastNo, limit) {
      phase ||= 'the end'
      return store.tradesBack(lastNo, limit)
    },
  }
  // no reading stands for longer than its block
  const cuts = createCuts({
    engine,
    store: watched,
    bounds: { ...QUERY_BOUNDS, readingOldMs: 0, readingWaitMs: 60_000 },
  })
  const query = createQuery({ engine, store: watched, now: Date.now, cuts })
  const hub = createHub({ streams: createStreams({ engine, store }), bounds: LIVE })
  let frames = 0
  hub.add(
    {
      topic: 'frames:live',
      wire: 2,
      pushRef: 'null',
      unread: () => 0,
      write: (_bytes, messages) => {
        frames += messages
      },
      tooSlow() {},
      lost() {
        throw new Error('frames cannot be read')
      },
    },
    null,
  )
  const random = seededRandom(holders)
  const mint = keyToBase58(engine.tokens.peekId(0)!.token.mint)
  const longest: Held[] = []
  const answers: number[] = []
  const ahead: Held[] = []
  let [count, blockAt] = [0, 0]

  /** only the part of a reading within the commit counts */
  function commit(): void {
    const beforeWrite: typeof cuts.beforeWrite = (changes) => {
      const stop = turns.start()
      cuts.beforeWrite(changes)
      stop(AHEAD)
    }
    commitEntries({ engine, store, beforeWrite }, [nextBlock(market, holders, random)], true)
    blockAt = performance.now() + BLOCK_MS
  }

  async function read(): Promise<void> {
    let isAnswered = false
    const asked = performance.now()
    let stop = turns.start()
    const reading = (async () => {
      await query.settled(() => query.snapshot(mint, SNAPSHOT_GROUPS)!.bytes)
      isAnswered = true
      answers.push(performance.now() - asked)
    })()
    hub.wake()
    phase = 'the request and the frames'
    while (!isAnswered) {
      await nextTurn()
      stop(phase || (isAnswered ? 'the answer' : 'a slice'))
      phase = ''
      count++
      const isDue = performance.now() >= blockAt
      if (isDue) commit()
      stop = turns.start()
      if (!isDue) continue
      phase = 'the frames and a slice'
      hub.wake()
    }
    await reading
  }

  for (let round = 0; round < ROUNDS; round++) {
    commit()
    await read()
    // collections are reported in a later turn
    await nextTurn()
    const all = turns.take()
    longest.push(all.find(({ what }) => what !== AHEAD)!)
    ahead.push(...all.filter(({ what }) => what === AHEAD))
  }
  cuts.close()
  if (frames === 0) throw new Error('no frame was handed out')
  return { longest, count, ahead: ahead.reduce((a, b) => (b.ms > a.ms ? b : a)), answers }
}

const AHEAD = 'within a commit'

/** Without slices: the whole token in one turn. */
function readAtOnce(folder: Folder, market: BenchMarket, holders: number, turns: Turns): number[] {
  const random = seededRandom(holders + 1)
  const query = queryOf(folder)
  const mint = keyToBase58(folder.engine.tokens.peekId(0)!.token.mint)
  for (let i = 0; i < UNSLICED; i++) {
    folder.fold([nextBlock(market, holders, random)], 1)
    const stop = turns.start()
    query.snapshot(mint, SNAPSHOT_GROUPS)
    stop('at once')
  }
  return turns.take().map(({ ms }) => ms)
}
