import { setImmediate as nextTurn } from 'node:timers/promises'
import { keyToBase58 } from '../src/base/base58.ts'
import { LIMITS } from '../src/config/limits.ts'
import { SNAPSHOT_GROUPS } from '../src/contract/resources.ts'
import { commitEntries } from '../src/ingest/commit.ts'
import { createQuery } from '../src/query/answers.ts'
import { createCuts } from '../src/query/cuts.ts'
import { createStreams } from '../src/query/streams.ts'
import { createFolder, type Folder, queryOf } from '../test/properties/prefix.ts'
import { seededRandom } from '../test/support/random.ts'
import { type BenchMarket, createMarket, crowdedToken } from './reading.ts'
import { median } from './service.ts'
import type { BenchRow } from './types.ts'

/** How long one turn of the event loop is while a token with very many holders is read after every block. */
const SIZES = (process.env.HOLDERS ?? '20000,300000').split(',').map(Number)
const ROUNDS = 12
const UNSLICED = 5
/** milliseconds between two blocks, and trades of each in the token that is read */
const BLOCK_MS = 400
const TRADES = 48
/** milliseconds of a turn, and what a turn is against a reading at once: no longer than one of 20,000 holders */
const BAR = { ms: 15, shareOf: (holders: number): number => 20_000 / holders }
/** of so many holders one has a history: to make one for each takes minutes */
const ONE_OF = 5

export async function benchHolds(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const holders of SIZES) rows.push(...(await benchSize(holders)))
  return rows
}

async function benchSize(holders: number): Promise<BenchRow[]> {
  const folder = createFolder()
  try {
    const market = createMarket()
    folder.fold(crowdedToken(market, holders, ONE_OF), 1_000)
    // nobody is known by name: the first reading meets them all
    await folder.restart()
    const { longest, turns, readings, ahead, answers } = await readSliced(folder, market, holders)
    const unsliced = readAtOnce(folder, market, holders)
    const atOnce = median(unsliced)
    // the worst of all is a collection of garbage, or whatever else the machine did: each reading has its longest turn
    const most = Math.max(median(longest), ahead)
    const detail = `${readings} readings in ${turns} turns, a block of ${TRADES} trades after every ${BLOCK_MS} ms; longest turn of a reading ${median(longest).toFixed(1)} ms (median), ${Math.max(...longest).toFixed(1)} ms (worst), what a commit read ahead at most ${ahead.toFixed(1)} ms, an answer after ${median(answers).toFixed(0)} ms (median)`
    return [
      {
        name: `longest turn of a reading of ${holders} holders after every block, median ms (at most)`,
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

/** A block of trades of those who hold the token, of those who sold it, and of some who never had it. */
function nextBlock(market: BenchMarket, holders: number, random: () => number): Buffer {
  return market.block((trade) => {
    for (let i = 0; i < TRADES; i++) {
      trade(0, Math.floor(random() * holders * 1.01), random() < 0.5 ? 1_000_000 : -1)
    }
  })
}

/**
 * Milliseconds for which this thread worked without a pause: those of the clock, or those of the processor where they are
 * fewer, because then something else had it.
 */
function stopwatch(): () => number {
  const [start, used] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(used)
    return Math.min(performance.now() - start, (user + system) / 1_000)
  }
}

/** The service's own way: keyed snapshots, and the frames of the streams, on cuts; every answer is of its block. */
async function readSliced({ engine, store }: Folder, market: BenchMarket, holders: number) {
  // no reading stands for longer than its block
  const cuts = createCuts({ engine, store, bounds: { ...LIMITS, readingOldMs: 0, readingWaitMs: 60_000 } })
  const query = createQuery({ engine, store, now: Date.now, bounds: LIMITS, cuts })
  const streams = createStreams({ engine, store, bounds: LIMITS })
  const frames = streams['frames:live']
  const random = seededRandom(holders)
  const mint = keyToBase58(engine.tokens.peekId(0)!.token.mint)
  const longest: number[] = []
  const answers: number[] = []
  let [ahead, turns, sent] = [0, 0, frames.newest()]

  /** what committing takes is not a reading's; what a reading does within it is */
  function commit(): void {
    const beforeWrite: typeof cuts.beforeWrite = (changes) => {
      const spent = stopwatch()
      cuts.beforeWrite(changes)
      ahead = Math.max(ahead, spent())
    }
    commitEntries({ engine, store, beforeWrite }, [nextBlock(market, holders, random)], true)
  }

  function render(): void {
    for (;;) {
      const messages = frames.read(sent, LIMITS.liveMessagesPerTurn)
      if (messages.length === 0) return
      sent = messages.at(-1)!.seq
    }
  }

  for (let round = 0; round < ROUNDS; round++) {
    let most = 0
    let isAnswered = false
    commit()
    const asked = performance.now()
    let blockAt = asked + BLOCK_MS
    let spent = stopwatch()
    const reading = (async () => {
      await query.settled(() => query.snapshot(mint, SNAPSHOT_GROUPS)!.bytes)
      isAnswered = true
      answers.push(performance.now() - asked)
    })()
    render()
    while (!isAnswered) {
      await nextTurn()
      turns++
      most = Math.max(most, spent())
      if (performance.now() >= blockAt) {
        commit()
        await nextTurn()
        blockAt = performance.now() + BLOCK_MS
        spent = stopwatch()
        render()
        continue
      }
      spent = stopwatch()
    }
    await reading
    // the last turn has rendered the answer
    longest.push(Math.max(most, spent()))
  }
  cuts.close()
  return { longest, turns, readings: ROUNDS, ahead, answers }
}

/** Without slices: the whole token in one turn. */
function readAtOnce(folder: Folder, market: BenchMarket, holders: number): number[] {
  const random = seededRandom(holders + 1)
  const query = queryOf(folder)
  const mint = keyToBase58(folder.engine.tokens.peekId(0)!.token.mint)
  return Array.from({ length: UNSLICED }, () => {
    folder.fold([nextBlock(market, holders, random)], 1)
    const spent = stopwatch()
    query.snapshot(mint, SNAPSHOT_GROUPS)
    return spent()
  })
}
