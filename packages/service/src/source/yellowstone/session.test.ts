import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { key, keyToBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { TOKEN_2022_TEXT } from '@ti/core/model/programs.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import { createVirtualClock } from '../../../../../test/fakes/yellowstone-clock.ts'
import { rawTx } from '../../../../../test/support/encode.ts'
import { associatedTokenKey } from '../../base/token-account.ts'
import type { BlockFiller, NewestBlock } from '../block-filler.ts'
import { createFollowed } from '../followed.ts'
import { createFollowedFunders } from '../followed-funders.ts'
import { createFollowedHolders } from '../followed-holders.ts'
import { createFollowedMints } from '../followed-mints.ts'
import { createSession, type Sink } from './session.ts'
import type { Connection, SubscribeRequest, Transport } from './transport.ts'
import { YELLOWSTONE } from './yellowstone.ts'

const TOKEN_2022 = key(TOKEN_2022_TEXT)
const START_MS = 1_760_000_000_000

/** What one attempt does: refuse to connect, or send these updates and then stay silent. */
type Attempt =
  | 'refuse'
  | 'hang'
  | {
      readonly first?: unknown
      readonly updates: readonly unknown[]
      readonly everyMs?: number
      readonly fail?: string
    }

const blockAt = (slot: number) => ({ block: { slot: String(slot), parentSlot: String(slot - 1), transactions: [] } })
const DAMAGED = { block: { slot: '101', parentSlot: '100', transactions: [{ index: '0' }] } }

function setUp(
  t: TestContext,
  script: readonly Attempt[],
  takesDamaged = true,
  mints = createFollowedMints(100),
  holders = createFollowedHolders(0),
  funders = createFollowedFunders(),
  isOnChain: BlockFiller['isOnChain'] | null = null,
) {
  const clock = createVirtualClock(START_MS)
  const stop = new AbortController()
  const counts = createCounts()
  const requests: SubscribeRequest[] = []
  const written: SubscribeRequest[] = []
  const pauses: number[] = []
  const taken: number[] = []
  let closed = 0
  let attempt = 0
  const transport: Transport = {
    async connect() {
      const step = script[Math.min(attempt++, script.length - 1)]!
      if (step === 'refuse') throw new Error('transport error')
      const connection: Connection = {
        firstAvailable: async () => (step === 'hang' ? null : (step.first ?? null)),
        newestBlock: async () => ({ slot: '90', blockhash: 'hash' }),
        async subscribe(request) {
          requests.push(request)
          const updates = step === 'hang' ? [] : [...step.updates]
          return {
            read: async () => {
              if (step !== 'hang' && step.everyMs !== undefined) await clock.sleep(step.everyMs, stop.signal)
              if (updates.length > 0) return updates.shift()
              if (step !== 'hang' && step.fail !== undefined) throw new Error(step.fail)
              return new Promise(() => {})
            },
            write: (reply) => void written.push(reply),
            close: () => {},
          }
        },
        close: () => {
          closed++
        },
      }
      if (step !== 'hang') return connection
      return new Promise((resolve) => {
        void clock.sleep(60_000, stop.signal).then(() => resolve(connection))
      })
    },
  }
  const sink: Sink = {
    settled: 100,
    has: (slot) => slot <= 100,
    take: async ({ slot }: RawBlock) => void taken.push(slot),
    dead: () => {},
    seen: (slot) => slot < 1e6,
  }
  const session = createSession({
    transport,
    accounts: ['a'],
    followed: createFollowed([], mints, holders, funders),
    isOnChain,
    takesDamaged,
    sink,
    clock: {
      now: clock.now,
      sleep(ms, signal) {
        if (signal === stop.signal) pauses.push(ms)
        return clock.sleep(ms, signal)
      },
    },
    random: () => 0.5,
    bounds: YELLOWSTONE,
    counts,
  })
  const running = session.run(stop.signal)
  t.after(async () => {
    stop.abort()
    await running
    clock.stop()
  })
  /** until so much time has passed */
  const pass = (ms: number): Promise<void> => clock.sleep(ms, new AbortController().signal)
  return { session, counts, requests, written, pauses, taken, pass, clock, closed: () => closed }
}

test('pauses between attempts double, from the first to the longest', async (t) => {
  const { pauses, pass } = setUp(t, ['refuse'])
  await pass(300_000)
  // three quarters of what they may be, as random is one half
  assert.deepEqual(pauses.slice(0, 8), [375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500])
})

test('a connection that comes too late is closed', async (t) => {
  const { counts, pass, closed } = setUp(t, ['hang'])
  await pass(YELLOWSTONE.connectMs + 100)
  assert.equal(counts.get('connect_timeouts'), 1)
  assert.equal(closed(), 0)
  await pass(60_000)
  assert.ok(closed() > 0, 'it is still open')
})

test('an endpoint of another chain is left, said, and tried again', async (t) => {
  const answers = [false, null, true]
  const asked: NewestBlock[] = []
  const isOnChain = async (newest: NewestBlock): Promise<boolean | null> => {
    asked.push(newest)
    return answers.shift() ?? null
  }
  const script = [{ updates: [blockAt(140)], fail: 'lost' }]
  const { session, counts, taken, pass } = setUp(t, script, true, undefined, undefined, undefined, isOnChain)
  await pass(1)
  assert.deepEqual([session.isForeign, taken], [true, []], 'nothing of it is taken')
  await pass(5_000)
  assert.equal(session.isForeign, false)
  assert.deepEqual(asked[0], { slot: 90, blockhash: 'hash' })
  assert.deepEqual([counts.get('foreign_chains'), taken[0]], [1, 140])
  assert.ok(counts.get('unknown_chains')! >= 1, 'where nobody knows, it is followed')
})

test('pings are answered without touching the filters, and do not keep a silent stream alive', async (t) => {
  const { counts, written, requests, pass } = setUp(t, [
    { updates: [{ ping: {} }, { slot: { slot: '105', status: 1 } }] },
  ])
  await pass(YELLOWSTONE.stallMs - 1_000)
  assert.deepEqual(written[0], {
    accounts: {},
    slots: {},
    transactions: {},
    transactionsStatus: {},
    entry: {},
    blocks: {},
    blocksMeta: {},
    accountsDataSlice: [],
    ping: { id: 1 },
  })
  assert.equal(counts.get('stalls'), undefined)
  await pass(3_000)
  assert.equal(counts.get('stalls'), 1)
  assert.equal(requests[1]?.fromSlot, '68')
})

test('an endpoint that has less than the margin is asked for what it has', async (t) => {
  const { counts, requests, pass } = setUp(t, [
    { first: '90', updates: [] },
    { first: '150', updates: [] },
  ])
  await pass(YELLOWSTONE.stallMs + 5_000)
  assert.deepEqual(
    requests.map(({ fromSlot }) => fromSlot),
    ['90', '150'],
  )
  assert.equal(counts.get('window_too_short'), 1)
})

test('a replay that is refused is not asked for again at once', async (t) => {
  const refused = { updates: [], fail: 'OutOfRange: replay from 68 is not available' }
  const { requests, taken, pass } = setUp(t, [refused, { updates: [blockAt(140)], fail: 'gone' }])
  await pass(4_000)
  assert.deepEqual(
    requests.slice(0, 3).map(({ fromSlot }) => fromSlot),
    ['68', undefined, '68'],
  )
  assert.equal(taken[0], 140)
})

test('a replay that brings nothing twice is given up for one attempt', async (t) => {
  const { requests, pass } = setUp(t, [{ updates: [], fail: 'gone' }])
  await pass(60_000)
  assert.deepEqual(
    requests.slice(0, 4).map(({ fromSlot }) => fromSlot),
    ['68', '68', undefined, '68'],
  )
})

test('a block that cannot be read whole is asked for again; what is so again is taken where nobody fills', async (t) => {
  const script = [{ updates: [DAMAGED, blockAt(102)] }]
  const alone = setUp(t, script)
  await alone.pass(10_000)
  assert.deepEqual(alone.taken, [101, 102])
  assert.equal(alone.requests.length, 2)
  assert.equal(alone.counts.get('damaged_taken'), 1)
  const helped = setUp(t, script, false)
  await helped.pass(10_000)
  assert.deepEqual(helped.taken, [102])
  assert.equal(helped.counts.get('damaged_left'), 1)
})

test('what no slot can be is not taken', async (t) => {
  const { taken, counts, pass } = setUp(t, [
    { updates: [blockAt(2 ** 52), { block: { slot: '7', parentSlot: '9' } }, 5, {}, blockAt(101)] },
  ])
  await pass(1_000)
  assert.deepEqual(taken, [101])
  assert.equal(counts.get('implausible'), 1)
  assert.equal(counts.get('garbage'), 2)
})

const mint = (n: number): Key => String(n).padStart(32, '.') as Key
const asked = ({ blocks }: SubscribeRequest): number => blocks.launchpads!.accountInclude.length

test('launches are asked for on the open stream, some seconds of them at once', async (t) => {
  const mints = createFollowedMints(100)
  mints.add(mint(1))
  const updates = Array.from({ length: 2_000 }, (_, i) => blockAt(200 + i))
  const { requests, written, pass, clock } = setUp(t, [{ updates, everyMs: 400 }], true, mints)
  await pass(100)
  assert.deepEqual(requests.map(asked), [2])
  for (let n = 2; n <= 21; n++) {
    mints.add(mint(n))
    await pass(1_000)
  }
  await pass(YELLOWSTONE.followMs + 1_000)
  assert.equal(written.length >= 4 && written.length <= 6, true, `${written.length} requests in 20 s`)
  assert.equal(asked(written.at(-1)!), 22)
  assert.equal(written.at(-1)!.fromSlot, undefined)
  assert.equal(clock.now() > START_MS + 26_000, true)
})

test('an endpoint that takes fewer accounts is asked for fewer, until it takes them', async (t) => {
  const mints = createFollowedMints(100)
  for (let n = 0; n < 100; n++) mints.add(mint(n))
  const refused = { updates: [], fail: 'status: InvalidArgument, only 10 accounts are allowed' }
  const { requests, counts, pass } = setUp(t, [refused, refused, refused, { updates: [blockAt(140)] }], true, mints)
  await pass(15_000)
  assert.deepEqual(requests.slice(0, 4).map(asked), [101, 26, 7, 2])
  assert.equal(counts.get('refused_filters'), 3)
  assert.equal(requests[3]!.blocks.launchpads!.accountInclude[1], keyToBase58(mint(99)), 'the newest')
})

/** So many accounts of holders are followed, those of one mint. */
async function followedHolders(most: number) {
  const holders = createFollowedHolders(most)
  const list = Array.from({ length: most }, (_, n) => ({ mint: mint(0), owner: mint(n) }))
  await holders.set(list)
  const account = associatedTokenKey(mint(7), mint(0), TOKEN_2022)
  const rows = [{ account: 0, mint: mint(0), owner: mint(7), amount: 1, decimals: 6 }]
  holders.observe(rawTx({ keys: [account], postTokens: rows }))
  await holders.set(list)
  return holders
}

test('holders come after the mints, and are the first to go where an endpoint takes fewer', async (t) => {
  const mints = createFollowedMints(100)
  for (let n = 0; n < 20; n++) mints.add(mint(n))
  const holders = await followedHolders(40)
  const refused = { updates: [], fail: 'status: InvalidArgument, only 10 accounts are allowed' }
  const script = [refused, refused, refused, { updates: [blockAt(140)] }]
  const { session, requests, counts, pass } = setUp(t, script, true, mints, holders)
  await pass(15_000)
  assert.deepEqual(requests.slice(0, 4).map(asked), [61, 31, 21, 6])
  assert.deepEqual([counts.get('refused_filters'), session.asked], [3, { mints: 5, holders: 0, funders: 0 }])
  const [, ...rest] = requests[1]!.blocks.launchpads!.accountInclude
  assert.deepEqual(rest.slice(20), holders.first(10).map(keyToBase58), 'the most important')
})

test('funders go before the holders, exchanges among them last', async (t) => {
  const mints = createFollowedMints(100)
  for (let n = 0; n < 20; n++) mints.add(mint(n))
  const holders = await followedHolders(3)
  const funders = createFollowedFunders()
  const [exchange, ...deployers] = Array.from({ length: 8 }, (_, n) => mint(50 + n))
  funders.set({ exchanges: [exchange!], deployers })
  const refused = { updates: [], fail: 'status: InvalidArgument, only 10 accounts are allowed' }
  const script = [refused, refused, { updates: [blockAt(140)] }]
  const { session, requests, pass } = setUp(t, script, true, mints, holders, funders)
  await pass(15_000)
  assert.deepEqual(requests.slice(0, 3).map(asked), [32, 26, 24])
  assert.equal(requests[1]!.blocks.launchpads!.accountInclude[24], keyToBase58(exchange!))
  assert.deepEqual(session.asked, { mints: 20, holders: 3, funders: 0 })
})

test('a list of holders that has changed is asked for on the open stream', async (t) => {
  const holders = await followedHolders(3)
  const updates = Array.from({ length: 100 }, (_, i) => blockAt(200 + i))
  const { requests, written, pass } = setUp(t, [{ updates, everyMs: 400 }], true, createFollowedMints(0), holders)
  await pass(1_000)
  await holders.set([{ mint: mint(0), owner: mint(2) }])
  await pass(YELLOWSTONE.followMs + 1_000)
  assert.deepEqual([requests.map(asked), written.map(asked)], [[4], [2]])
})
