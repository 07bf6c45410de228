import { setImmediate as nextTurn } from 'node:timers/promises'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { SNAPSHOT_GROUPS } from '@ti/core/contract/resources.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { type ChainEvent, QUOTE, VENUE } from '@ti/core/model/events.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { createCuts } from '@ti/core/query/cuts.ts'
import { LIST_NAMES, type Query } from '@ti/core/query/query.ts'
import { makeEverythingYoung } from '@ti/service/base/garbage.ts'
import { encodeEntry } from '@ti/service/log/codec.ts'
import { createFolder, type Folder, queryOf } from '../test/properties/prefix.ts'
import { seededRandom } from '../test/support/random.ts'
import { median } from './service.ts'
import { describeHeld, type Held, watchTurns } from './turns.ts'
import type { BenchRow } from './types.ts'

/** The cost of answers: one token with very many holders, and all lists over very many tokens. */
const HOLDERS = 20_000
const LIVE_TOKENS = 3_000
const HOLDERS_EACH = 60
const ROUNDS = 40
const BAR = { render: 10, lists: 0.1, turnMs: 15 }
/** mean blocks per second of the chain */
const BLOCKS_PER_SECOND = 2.5

export async function benchReading(): Promise<BenchRow[]> {
  makeEverythingYoung()
  return [...(await benchSnapshot()), ...(await benchLists())]
}

async function benchSnapshot(): Promise<BenchRow[]> {
  const folder = createFolder()
  try {
    folder.fold(crowdedToken(createMarket(), HOLDERS), 1_000)
    const live = folder.engine.tokens.peekId(0)!
    const query = queryOf(folder)
    const mint = keyToBase58(live.token.mint)
    const cold = time(() => query.snapshot(mint, SNAPSHOT_GROUPS))
    const rendering: number[] = []
    const bare: number[] = []
    let sum = 0
    for (let round = 0; round < ROUNDS; round++) {
      nextBlock(folder)
      rendering.push(processorMs(() => query.snapshot(mint, SNAPSHOT_GROUPS)))
      bare.push(
        processorMs(() => {
          for (const { balance } of live.positions.values()) sum += balance
        }),
      )
    }
    if (sum <= 0) throw new Error('the bare loop found nothing')
    const ratio = median(rendering) / median(bare)
    const held = await longestTurn(folder, (query) => query.snapshot(mint, SNAPSHOT_GROUPS))
    const who = await longestTurn(folder, (query) => query.who(mint))
    return [
      {
        name: `snapshot of a token with ${HOLDERS} holders against a bare loop that sums their balances (at most)`,
        ratio,
        bar: BAR.render,
        pass: ratio <= BAR.render,
        detail: `${median(rendering).toFixed(3)} ms : ${median(bare).toFixed(3)} ms of processors, ${holdersOf(folder)} holders; the first time, with every wallet read from the store, ${cold.toFixed(1)} ms; as the service reads it, in slices, longest turn of ${ROUNDS} readings ${describeHeld(held)}`,
      },
      {
        name: `who is behind a token with ${HOLDERS} holders: longest turn of the event loop, ms (at most)`,
        ratio: who.ms,
        bar: BAR.turnMs,
        pass: who.ms <= BAR.turnMs,
        detail: `longest of ${ROUNDS} answers ${describeHeld(who)}`,
      },
    ]
  } finally {
    await folder.remove()
  }
}

/** The longest turn of the event loop while the token is read in slices after each block. */
async function longestTurn(folder: Folder, ask: (query: Query) => unknown): Promise<Held> {
  const { engine, store } = folder
  const cuts = createCuts({ engine, store, bounds: { ...QUERY_BOUNDS, readingOldMs: 0 } })
  const query = createQuery({ engine, store, now: () => 0, cuts })
  const turns = watchTurns()
  for (let round = 0; round < ROUNDS; round++) {
    nextBlock(folder)
    let isAnswered = false
    let stop = turns.start()
    const reading = (async () => {
      await query.settled(() => ask(query))
      isAnswered = true
    })()
    while (!isAnswered) {
      await nextTurn()
      stop(isAnswered ? 'the answer' : 'a slice, the beginning or the end')
      stop = turns.start()
    }
    await reading
  }
  await nextTurn()
  turns.close()
  cuts.close()
  return turns.take()[0]!
}

async function benchLists(): Promise<BenchRow[]> {
  const folder = createFolder()
  try {
    const empty = heapBytes()
    folder.fold(manyTokens(LIVE_TOKENS, HOLDERS_EACH), 1_000)
    // after a restart, live tokens are in memory with all positions but without wallets
    await folder.restart()
    const loaded = heapBytes()
    const query = queryOf(folder)
    const refresh = (): number => {
      let cards = 0
      for (const name of LIST_NAMES) cards += JSON.parse(query.list(name).bytes.toString()).length
      return cards
    }
    const cards = refresh()
    const spent: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      nextBlock(folder)
      spent.push(
        processorMs(() => {
          for (const name of LIST_NAMES) query.list(name)
        }),
      )
    }
    const share = (median(spent) * BLOCKS_PER_SECOND) / 1_000
    const { tokens, wallets } = folder.engine.sizes()
    const perToken = (loaded - empty) / tokens
    const perWallet = (heapBytes() - loaded) / wallets
    return [
      {
        name: `all lists over ${tokens} live tokens at ${BLOCKS_PER_SECOND} blocks/s, share of one core (at most)`,
        ratio: share,
        bar: BAR.lists,
        pass: share < BAR.lists && tokens >= LIVE_TOKENS && cards > 0,
        detail: `${median(spent).toFixed(1)} ms of CPU a refresh, ${cards} cards; memory: ${(perToken / 1024).toFixed(1)} KiB a live token of ${HOLDERS_EACH} traders, ${perWallet.toFixed(0)} bytes a known wallet in memory (${tokens} tokens, ${wallets} wallets)`,
      },
    ]
  } finally {
    await folder.remove()
  }
}

/** after a collection, if the process allows it */
function heapBytes(): number {
  global.gc?.()
  return process.memoryUsage().heapUsed
}

function time(work: () => void): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

/** CPU milliseconds of all threads of this process, including the collector's. Wall time would include other load. */
function processorMs(work: () => void): number {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1_000
}

function holdersOf({ engine }: Folder): number {
  return engine.tokens.peekId(0)!.token.holders
}

/** Folds an empty block, which invalidates every cached answer. */
function nextBlock(folder: Folder): void {
  const { slot, time: at } = folder.engine.globals
  folder.fold([encoded({ kind: 'block', slot: slot + 1, parent: slot, time: at + 0.4, events: [] })], 1)
}

const encoded = (entry: LogEntry): Buffer => Buffer.from(encodeEntry(entry))

/** A token with many holders; one in `oneOf` has traded elsewhere before and so has a history. */
export function* crowdedToken(market: BenchMarket, holders: number, oneOf = 1): Iterable<Buffer> {
  yield encoded({ kind: 'facts', time: 1, byOperator: false, facts: [{ kind: 'sol_price', usd: 150 }] })
  yield market.block((trade) => trade(0, 0, 1_000_000))
  for (let wallet = 1; wallet < holders; wallet += 20) {
    const some = Array.from({ length: Math.min(20, holders - wallet) }, (_, i) => wallet + i)
    const old = some.filter((one) => one % oneOf === 0)
    yield market.block((trade) => {
      for (const one of old) trade(1 + (one % 40), one, 20_000_000)
      for (const one of old) trade(1 + (one % 40), one, -1)
    })
    yield market.block((trade) => {
      for (const one of some) trade(0, one, 1_000_000)
    })
  }
}

/** Traded tokens of all ages: candidates for every list. */
function* manyTokens(tokens: number, traders: number): Iterable<Buffer> {
  const market = createMarket()
  const random = seededRandom(11)
  yield encoded({ kind: 'facts', time: 1, byOperator: false, facts: [{ kind: 'sol_price', usd: 150 }] })
  for (let n = 0; n < tokens * traders; n += 30) {
    yield market.block((trade) => {
      for (let i = 0; i < 30; i++) {
        // one trade per token and block: joint buys would be bundled and keep the token off the lists
        const token = Math.floor(n / (30 * traders)) * 30 + i
        // recurring traders, so that holders have histories
        trade(token, Math.floor(random() * random() * 60_000), 50_000_000 + Math.floor(random() * 400_000_000))
        if (random() < 0.4) trade(Math.max(0, token - 1), Math.floor(random() * random() * 60_000), -1)
      }
    })
  }
  for (let n = 0; n < tokens; n += 30) {
    yield market.block((trade) => {
      for (let i = 0; i < 30; i++) trade(n + i, Math.floor(random() * 60_000), 30_000_000)
    })
  }
}

export type BenchMarket = ReturnType<typeof createMarket>

/** Curves with exact constant-product arithmetic; a negative amount sells everything the wallet has. */
export function createMarket() {
  const curves = new Map<number, { sol: number; token: number; held: Map<number, number> }>()
  let slot = 1_000
  let n = 0
  const keyOf = (name: string, id: number): Key => `${name}-${id}`.padEnd(32, '.') as Key
  return {
    block(act: (trade: (token: number, wallet: number, lamports: number) => void) => void): Buffer {
      const events: ChainEvent[] = []
      slot++
      act((token, wallet, lamports) => {
        const at = { sig: `s${n}`.padEnd(64, '.') as Sig, txIndex: n++, outer: 1, inner: 0 }
        let curve = curves.get(token)
        if (curve === undefined) {
          curve = { sol: 30e9, token: 1_073_000_000e6, held: new Map() }
          curves.set(token, curve)
          events.push(creation(at, keyOf('mint', token), keyOf('curve', token), keyOf('dev', token), `token ${token}`))
        }
        const held = curve.held.get(wallet) ?? 0
        const isBuy = lamports > 0
        const tokens = isBuy ? curve.token - Math.ceil((curve.sol * curve.token) / (curve.sol + lamports)) : held
        if (tokens <= 0) return
        const quote = isBuy ? lamports : curve.sol - Math.ceil((curve.sol * curve.token) / (curve.token + tokens))
        curve.sol += isBuy ? quote : -quote
        curve.token += isBuy ? -tokens : tokens
        curve.held.set(wallet, isBuy ? held + tokens : 0)
        const user = keyOf('wallet', wallet)
        events.push({
          kind: 'trade',
          ...at,
          inner: 1,
          venue: VENUE.pump,
          mint: keyOf('mint', token),
          pool: keyOf('curve', token),
          user,
          isBuy,
          quote: QUOTE.SOL,
          quoteAmount: quote,
          userQuote: isBuy ? Math.ceil(quote * 1.0125) : Math.floor(quote * 0.9875),
          tokenAmount: tokens,
          quoteReserve: curve.sol,
          baseReserve: curve.token,
          quoteBefore: -1,
          realToken: curve.token - 279_900_000e6,
          supply: 1e15,
          decimals: 6,
          creator: keyOf('dev', token),
          mayhem: false,
          payer: user,
          tipper: null,
          solBefore: 5e9,
          solAfter: 4e9,
          hop: false,
          account: -1,
          held: 0,
        })
      })
      return encoded({ kind: 'block', slot, parent: slot - 1, time: slot * 0.4, events })
    },
  }
}

const creation = (
  at: { sig: Sig; txIndex: number; outer: number; inner: number },
  mint: Key,
  curve: Key,
  creator: Key,
  name: string,
): ChainEvent => ({
  kind: 'create',
  ...at,
  launchpad: 1,
  mint,
  pool: curve,
  creator,
  user: creator,
  payer: creator,
  signed: true,
  name,
  symbol: name,
  uri: '',
  nameNorm: name,
  symbolNorm: name,
  quote: QUOTE.SOL,
  supply: 1e15,
  decimals: 6,
  quoteReserve: 30e9,
  baseReserve: 1_073_000_000e6,
  mayhem: false,
})
