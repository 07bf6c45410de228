import { setTimeout } from 'node:timers/promises'
import { encodeEntry } from '@ti/service/log/codec.ts'
import { openStoreToRead } from '@ti/service/store/open.ts'
import type { Store } from '@ti/service/store/store.ts'
import { createMarket, type Market, mix, randomFrom } from './market.ts'
import type { News, ReaderTask } from './roles.ts'

/** Values of one walk: the store is opened for each, as `explain` and `export` do. */
const WALK = 500
/** opening a store reads the newest segment of its log, some 40 MB: twice a second is as often as people do it */
const PAUSE_MS = 400
const TELL_EVERY = 5

/**
 * Reads the store from another process until it is ended: points and ranges, as `explain` and `export` do, some of them slowly.
 * Log entries and tokens are compared with what the market says. Throws at the first wrong answer.
 */
export async function readAlong(task: ReaderTask, tell: (news: News) => void): Promise<void> {
  const market = createMarket(task.seed, task.pattern)
  const random = randomFrom(mix(task.seed, task.no + 1))
  let values = 0
  let newest = -1
  for (let walk = 0; ; walk++) {
    const store = openStoreToRead(task.dir)
    const seq = store.log.newest()
    if (seq < newest) throw new Error(`the log ended at ${newest} before and at ${seq} now`)
    newest = seq
    values += readLog(store, market, Math.floor(random() * (seq + 1)))
    values += readPoints(store, market, random)
    values += await walkSlowly(store, random)
    await store.close()
    if (walk % TELL_EVERY === 0) tell({ kind: 'read', values, seq })
    await setTimeout(PAUSE_MS)
  }
}

function readLog(store: Store, market: Market, from: number): number {
  let seq = from
  for (const bytes of store.log.bytes(from, 50)) {
    if (!encodeEntry(market.entry(seq)).equals(bytes)) throw new Error(`log entry ${seq} is not what was fed`)
    seq++
  }
  return seq - from
}

function readPoints(store: Store, market: Market, random: () => number): number {
  const globals = store.globals()
  if (globals === null) return 0
  // what was launched before is there
  const launched = market.launched(globals.seq) - 1
  let values = 0
  for (let i = 0; i < 8; i++) {
    const mint = market.mint(Math.floor(random() * launched))
    const id = store.tokenIdByMint(mint)
    if (id === undefined) continue
    const token = store.token(id)
    if (token?.mint !== mint) throw new Error(`token ${id} has another mint than the one it is found by`)
    if (token.lastTradeNo >= 0) {
      for (const row of store.tradesBack(token.lastTradeNo, 30)) {
        if (row.token !== id) throw new Error(`trade row ${row.no} of token ${id} says token ${row.token}`)
        values++
      }
    }
    values += 1 + store.positions(id).length
  }
  return values
}

/** A range read with a pause in the middle: what it sees stays as of one commit for as long. */
async function walkSlowly(store: Store, random: () => number): Promise<number> {
  const trades = store.globals()?.nextTrade ?? 0
  const slow = random() < 0.1
  const from = Math.floor(random() * trades)
  let before = -1
  let values = 0
  for (const row of store.trades(from)) {
    if (before >= 0 && row.no !== before + 1) throw new Error(`trade row ${row.no} follows ${before}`)
    before = row.no
    if (++values === WALK / 2 && slow) await setTimeout(random() * 3_000)
    if (values >= WALK) break
  }
  for (const position of store.positionsFrom(Math.floor(random() * 1_000), 0)) {
    if (position.wallet < 0 || ++values >= 2 * WALK) break
  }
  return values
}
