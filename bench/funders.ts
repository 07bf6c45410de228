import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { FunderFact } from '@ti/core/model/facts.ts'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { createBucket, perMinute } from '@ti/service/base/bucket.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { decodeEntry } from '@ti/service/log/codec.ts'
import { createBudgetedRpc } from '@ti/service/observe/budgeted-rpc.ts'
import { createFunderObserver } from '@ti/service/observe/funder/funder.ts'
import type { MissingFacts } from '@ti/service/observe/types.ts'
import { createMissingFacts, NEW_TOKENS } from '@ti/service/service/priorities/missing-facts.ts'
import { earlyBuyers } from '@ti/service/service/priorities/wallets-without-funder.ts'
import { createMemoryStore } from '../test/support/memory-store.ts'
import {
  createFakeClock,
  createFakeLogger,
  createFakeMissing,
  createFakeOutbound,
} from '../test/support/observe-scene.ts'
import { seededRandom } from '../test/support/random.ts'
import type { BenchRow } from './types.ts'

/**
 * The share of held supply with known funders at the default budget. Runs the real observer with a simulated clock on
 * the harder market's trades, at 60 a second (mainnet's mean is 120). Its node answers from the market's truth; wallets
 * without an entry were funded by an exchange. A wallet has 300 transactions per day of its age; like on a real node,
 * the observer gives up on histories longer than its page limit.
 */
const MINUTES = Number(process.env.BENCH_MINUTES ?? 30)
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 120)
const SEED = Number(process.env.BENCH_SEED ?? 41)
const TPS = Number(process.env.BENCH_TPS ?? 60)
const SLOT_MS = 400
const SLOTS = Math.round((MINUTES * 60_000) / SLOT_MS)
const DAY_SLOTS = 216_000
/** slots before the market during which exchange payments were followed (`FOLLOW_EXCHANGES`): two hours */
const FOLLOWED_SLOTS = 18_000
const TRANSACTIONS_A_DAY = 300
/** readings begin after the budget has been in use for a while, one per minute */
const FROM_SLOT = Math.round(SLOTS / 3)
const EVERY_SLOTS = 150
/** tokens that count: holders, and the most slots since the last trade */
const JUDGED = { holders: 10, quietSlots: 750 }
const BAR = { share: 0.25, gain: 2 }

type Order = 'newest buyers' | 'deployers and largest holders'

export async function benchFunders(): Promise<BenchRow[]> {
  const { entries, truth } = await market()
  const before = await spend(entries, truth, 'newest buyers')
  const after = await spend(entries, truth, 'deployers and largest holders')
  const followed = await spend(entries, truth, 'deployers and largest holders', FOLLOWED_SLOTS)
  const text = ({ mean, weighted, launches, deployers, asked, reported, seen, readings }: Spent): string =>
    `${pct(mean)}, weighted by SOL in the market ${pct(weighted)}, ${pct(launches)} 5 minutes after the launch, ${pct(deployers)} of the deployers then (${readings} readings; ${reported} wallets told in ${asked} requests, ${seen} seen as they were paid)`
  const detail = `${REQUESTS} requests a minute, ${MINUTES} minutes of ${TPS} trades a second, seed ${SEED}. First buyers of the newest tokens: ${text(before)}. Deployers, then by what is held: ${text(after)}. The same with exchanges followed: ${text(followed)}`
  return [
    {
      name: `share of a token's held supply whose funder is known, tokens with ${JUDGED.holders} holders (at least)`,
      ratio: after.mean,
      bar: BAR.share,
      pass: after.mean >= BAR.share,
      detail,
    },
    {
      name: 'the same against asking for the first buyers of the newest tokens (at least)',
      ratio: after.mean / before.mean,
      bar: BAR.gain,
      pass: after.mean >= BAR.gain * before.mean,
      detail: `${pct(after.mean)} : ${pct(before.mean)}`,
    },
    {
      name: 'the same with payments of exchanges followed for two hours, against without (at least)',
      ratio: followed.mean / after.mean,
      bar: 1,
      pass: followed.mean >= after.mean,
      detail: `${pct(followed.mean)} : ${pct(after.mean)}`,
    },
  ]
}

const pct = (share: number): string => `${(100 * share).toFixed(1)} %`

interface Market {
  readonly entries: readonly LogEntry[]
  /** The true funder of each wallet. */
  readonly truth: ReadonlyMap<Key, FunderFact>
}

/** The market's entries without funders, and the funders separately. */
async function market(): Promise<Market> {
  const source = createSimulator({ seed: SEED, tps: TPS, market: 2, traced: 1, speed: 0, slots: SLOTS })
  const stream = createEntryStream(source, 1 << 20)
  const truth = new Map<Key, FunderFact>()
  const entries: LogEntry[] = []
  for await (const batch of stream.batches({ slot: -1, time: 0, facts: 0 }, new AbortController().signal)) {
    for (const bytes of batch) {
      const entry = decodeEntry(0, bytes)
      if (entry.kind !== 'facts') {
        entries.push(entry)
        continue
      }
      for (const fact of entry.facts) if (fact.kind === 'funder') truth.set(fact.wallet, fact)
      entries.push({ ...entry, facts: entry.facts.filter(({ kind }) => kind !== 'funder') })
    }
  }
  return { entries, truth }
}

/** A wallet's history as a node sees it. */
interface History {
  readonly funder: Key
  readonly slot: number
  readonly exchange: boolean
  readonly transactions: number
}

function createHistories({ truth }: Market, startSlot: number) {
  const random = seededRandom(SEED)
  const histories = new Map<Key, History>()
  return (wallet: Key, now: number): History => {
    const known = histories.get(wallet)
    if (known !== undefined) return known
    const fact = truth.get(wallet)
    const slot = fact?.slot ?? startSlot - Math.floor(random() ** 3 * 20 * DAY_SLOTS)
    const transactions = 2 + Math.floor(((now - slot) / DAY_SLOTS) * TRANSACTIONS_A_DAY)
    const made = { funder: fact?.funder ?? EXCHANGE, slot, exchange: fact?.exchange ?? true, transactions }
    histories.set(wallet, made)
    return made
  }
}
const EXCHANGE = 'an exchange'.padEnd(32, '.') as Key

interface Spent {
  /** Mean of the tokens' shares; mean weighted by the SOL in the token's market; mean 750 slots after the launch. */
  readonly mean: number
  readonly weighted: number
  readonly launches: number
  /** Launches of that age with a known deployer's funder. */
  readonly deployers: number
  readonly readings: number
  readonly asked: number
  readonly reported: number
  /** Wallets whose funding was seen as it happened. */
  readonly seen: number
}

/** `followed`: slots before the market since which exchange payments were followed; null for none. */
async function spend(
  entries: readonly LogEntry[],
  truth: Market['truth'],
  order: Order,
  followed: number | null = null,
): Promise<Spent> {
  const engine = createEngine({ reader: createMemoryStore(), walletsCached: 10_000_000 })
  const clock = createFakeClock()
  const startSlot = entries.find((entry) => entry.kind === 'block')!.slot
  const historyOf = createHistories({ entries, truth }, startSlot)
  let seq = 0
  const outbound = createFakeOutbound(clock, ({ json }) => answer(JSON.parse(json!), engine.globals.slot, historyOf))
  const budget = createBucket(perMinute(REQUESTS), clock.ms)
  const rpc = createBudgetedRpc({ url: 'https://rpc.example', outbound, budget, clock })
  let reported = 0
  const paid = createPaid(truth, followed === null ? Number.POSITIVE_INFINITY : startSlot - followed)
  const exchanges = new Map([...truth.values()].flatMap(({ exchange, funder }) => (exchange ? [[funder, '']] : [])))
  exchanges.set(EXCHANGE, '')
  const observer = createFunderObserver({
    ...{ rpc, exchanges: () => exchanges, logger: createFakeLogger().logger, around: { clock, random: () => 1 } },
    missing: worldOf(engine, clock.ms, order),
    report(facts, time) {
      reported += facts.length
      engine.apply(seq++, { kind: 'facts', time, byOperator: true, facts })
    },
  })
  observer.start()
  const readings = createReadings(engine)
  for (const entry of entries) {
    if (entry.kind === 'block') await clock.pass((entry.slot - startSlot) * SLOT_MS - clock.ms())
    const facts = paid.by(entry)
    const time = (entry.kind === 'block' && entry.time) || 0
    if (facts.length > 0) engine.apply(seq++, { kind: 'facts', time, byOperator: true, facts })
    engine.apply(seq++, entry)
    engine.takeTrades()
    if (entry.kind === 'block') readings.notice(entry.slot - startSlot)
  }
  await observer.close()
  return { ...readings.result(), asked: outbound.asked.length, reported, seen: paid.count }
}

/** Exchange payments since slot `from` to wallets that trade in a block, each once. */
function createPaid(truth: Market['truth'], from: number) {
  const seen = new Set<Key>()
  return {
    by(entry: LogEntry): FunderFact[] {
      const facts: FunderFact[] = []
      if (entry.kind !== 'block') return facts
      for (const event of entry.events) {
        const fact = event.kind === 'trade' && !seen.has(event.user) ? truth.get(event.user) : undefined
        if (fact?.exchange !== true || fact.slot < from || fact.slot >= entry.slot) continue
        seen.add(fact.wallet)
        facts.push(fact)
      }
      return facts
    },
    get count() {
      return seen.size
    },
  }
}

/** The current order of requests, or the previous one. */
function worldOf(engine: Engine, now: () => number, order: Order): MissingFacts {
  if (order === 'deployers and largest holders') return createMissingFacts(engine, now)
  const importance = ({ token }: { token: { createdSlot: number; trades: number } }) => token.createdSlot + token.trades
  let sortedMs = -Infinity
  let sorted = [...engine.tokens.live()]
  return {
    ...createFakeMissing(),
    walletsWithoutFunder(limit) {
      if (now() - sortedMs >= 1_000) {
        sorted = [...engine.tokens.live()].sort((a, b) => importance(b) - importance(a)).slice(0, NEW_TOKENS)
        sortedMs = now()
      }
      const found = new Map<Key, { wallet: Key; before: number }>()
      for (const buyer of earlyBuyers(sorted, engine.wallet)) {
        if (found.size >= limit) break
        if (!found.has(buyer.wallet)) found.set(buyer.wallet, buyer)
      }
      return [...found.values()]
    },
  }
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly [string, { readonly limit?: number; readonly before?: string }]
}

/** Signatures encode the wallet and the index in its history, from 0. */
function answer({ id, method, params }: Call, now: number, historyOf: (wallet: Key, now: number) => History): object {
  const [text, { limit = 0, before }] = params
  const address = method === 'getTransaction' ? text.split(':')[0]! : text
  const { funder, slot, transactions } = historyOf(keyFromBase58(address)!, now)
  if (method === 'getTransaction') {
    const transfer = { source: keyToBase58(funder), destination: address, lamports: 1_000_000_000 }
    const keys = [{ pubkey: keyToBase58(funder) }, { pubkey: address }]
    const instructions = [{ program: 'system', parsed: { type: 'transfer', info: transfer } }]
    const meta = { err: null, preBalances: [9e9, 0], postBalances: [8e9, 1e9], innerInstructions: [] }
    return { id, result: { slot, meta, transaction: { message: { accountKeys: keys, instructions } } } }
  }
  const newest = before === undefined ? transactions - 1 : Number(before.split(':')[1]) - 1
  const count = Math.min(limit, newest + 1)
  const result = Array.from({ length: count }, (_, i) => ({ signature: `${address}:${newest - i}`, slot, err: null }))
  return { id, result }
}

/** Shares of held supply with a known funder, every minute, over active tokens with enough holders. */
function createReadings(engine: Engine) {
  let [weights, weighted, readings, shares, launches, launchShares, deployers, last] = [0, 0, 0, 0, 0, 0, 0, 0]
  const due = new Set<number>()

  function tracedOf(id: number): { traced: number; held: number } {
    const sums = { traced: 0, held: 0 }
    for (const { balance, wallet } of engine.tokens.peekId(id)!.positions.values()) {
      sums.held += balance
      if (engine.wallet(wallet).funder >= 0) sums.traced += balance
    }
    return sums
  }

  return {
    notice(slot: number): void {
      if (slot < FROM_SLOT || slot - last < EVERY_SLOTS) return
      last = slot
      const now = engine.globals.slot
      for (const { token } of engine.tokens.live()) {
        if (token.holders < JUDGED.holders || now - token.lastTradeSlot > JUDGED.quietSlots) continue
        const sums = tracedOf(token.id)
        const sol = Math.max(0, token.quoteReserve - token.startQuote)
        weights += sol
        weighted += (sol * sums.traced) / sums.held
        shares += sums.traced / sums.held
        readings++
        const age = now - token.createdSlot
        if (age < 750 || age >= 750 + 2 * EVERY_SLOTS || due.has(token.id)) continue
        due.add(token.id)
        launches++
        launchShares += sums.traced / sums.held
        if (token.deployer >= 0 && engine.wallet(token.deployer).funder >= 0) deployers++
      }
    },
    result: () => ({
      ...{
        mean: shares / readings,
        weighted: weighted / weights,
        launches: launchShares / launches,
        deployers: deployers / launches,
        readings,
      },
    }),
  }
}
