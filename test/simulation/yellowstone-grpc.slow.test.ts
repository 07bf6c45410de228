import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { wallClock } from '@ti/service/base/clock.ts'
import { createThreadedEntryStream } from '@ti/service/ingest/thread.ts'
import { readHead } from '@ti/service/log/codec.ts'
import { openNode } from '@ti/service/service/node.ts'
import { createFollowed } from '@ti/service/source/followed.ts'
import { createFollowedHolders } from '@ti/service/source/followed-holders.ts'
import { createFollowedMints } from '@ti/service/source/followed-mints.ts'
import type { Source } from '@ti/service/source/source.ts'
import { sizeOf } from '@ti/service/source/yellowstone/size.ts'
import { createTransport, loadClient } from '@ti/service/source/yellowstone/transport.ts'
import { createYellowstone, YELLOWSTONE, type YellowstoneBounds } from '@ti/service/source/yellowstone/yellowstone.ts'
import { withVersions } from '../fakes/transaction-wire.ts'
import { startFakeServer, startProxy } from '../fakes/yellowstone.ts'
import { chainOf, createFakeFiller, type FakeChain, LAUNCHPADS, simulateChain } from '../fakes/yellowstone-chain.ts'
import { createFakeNode, type Faults } from '../fakes/yellowstone-node.ts'
import { seeds } from '../support/chance.ts'
import { seededRandom } from '../support/random.ts'
import { drawFaults } from './yellowstone-faults.ts'
import { sourceOf, stateHash, tell } from './yellowstone-run.ts'

/** The official client has builds for some platforms only. */
const client = await loadClient().catch(() => null)
const skip = client === null ? 'the Yellowstone client has no build for this platform' : false

const SCHEDULES = 24
const SEEDS = seeds(SCHEDULES, 5_000)
/** Everything a hundred times as fast as an operator has it. */
const FAST: YellowstoneBounds = {
  ...YELLOWSTONE,
  connectMs: 5_000,
  stallMs: 200,
  backoffMs: 5,
  backoffMsMax: 50,
  graceMs: 20,
  rewindMs: 400,
  giveUpMs: 60_000,
  retryMs: 10,
}
const SLOT_MS = 2

let chain: FakeChain
let clean: string

before(async () => {
  chain = chainOf(withVersions((await simulateChain({ slots: 150, seed: 11, tps: 6 })).blocks, 11))
  clean = await stateHash((await tell(sourceOf(chain.blocks), chain)).entries)
})

/** Goes on behind the last block, so that outages end. */
function headOf({ first }: FakeChain): () => number {
  const start = Date.now()
  return () => first + 5 + Math.floor((Date.now() - start) / SLOT_MS)
}

async function serve(t: TestContext, random: () => number, faults: Partial<Faults>, head = headOf(chain)) {
  const node = createFakeNode({ chain, clock: wallClock, head, random, faults, pollMs: SLOT_MS, pingMs: 100 })
  const server = await startFakeServer(node)
  t.after(server.close)
  return { node, server }
}

function describe(source: Source): string {
  const { counts, ...rest } = source.status!()
  return JSON.stringify({ ...rest, ...Object.fromEntries(counts) })
}

/** What hangs says how it stands. */
async function inTime<T>(work: Promise<T>, source: Source): Promise<T> {
  const timer = new AbortController()
  const late = sleep(60_000, null, { signal: timer.signal }).then(
    () => Promise.reject(new Error(`stuck: ${describe(source)}`)),
    () => work,
  )
  return Promise.race([work, late]).finally(() => timer.abort())
}

for (const seed of SEEDS) {
  test(`over gRPC, schedule ${seed} ends in the state of the clean run`, { skip, timeout: 120_000 }, async (t) => {
    const random = seededRandom(seed)
    const head = headOf(chain)
    const endpoints = []
    const schedule = drawFaults(random, chain)
    for (const faults of schedule) {
      const { server } = await serve(t, random, faults, head)
      const proxy = await startProxy(server.url, () => (random() < 0.5 ? Number.POSITIVE_INFINITY : random() * 300_000))
      t.after(proxy.close)
      endpoints.push(createTransport(client!, proxy.url, undefined))
    }
    const source = createYellowstone({
      name: 'yellowstone:fake',
      endpoints,
      filler: createFakeFiller(chain, { clock: wallClock, head, random, latencyMs: 2, flaky: 0.1 }),
      accounts: LAUNCHPADS,
      followed: createFollowed([], createFollowedMints(0), createFollowedHolders(0)),
      clock: wallClock,
      random,
      bounds: FAST,
    })
    const told = await inTime(tell(source, chain), source)
    t.diagnostic(describe(source))
    assert.equal(await stateHash(told.entries), clean, `${JSON.stringify(schedule)} ${describe(source)}`)
  })
}

test('a reader that pauses stops the reading', { skip, timeout: 60_000 }, async (t) => {
  const { node, server } = await serve(t, seededRandom(1), {}, () => chain.last)
  const heldBytes = chain.blocks.reduce((sum, block) => sum + sizeOf(block), 0) / 4
  const source = createYellowstone({
    name: 'yellowstone:fake',
    endpoints: [createTransport(client!, server.url, undefined)],
    filler: null,
    accounts: LAUNCHPADS,
    followed: createFollowed([], createFollowedMints(0), createFollowedHolders(0)),
    clock: wallClock,
    random: Math.random,
    bounds: { ...FAST, heldBytes, stallMs: 60_000 },
  })
  const stop = new AbortController()
  t.after(() => stop.abort())
  const cursor = { slot: chain.blocks[0]!.parent, time: chain.blocks[0]!.time, facts: 0 }
  const items = source.items(cursor, stop.signal)[Symbol.asyncIterator]()
  assert.equal((await items.next()).done, false)
  // blocks pile up until the bound, and nothing is read any more
  let before = -1
  for (let tries = 0; before !== source.status!().heldBytes || before < heldBytes / 2; tries++) {
    assert.ok(tries < 200, `${source.status!().heldBytes} bytes are held`)
    before = source.status!().heldBytes
    await sleep(50)
  }
  assert.ok(before <= heldBytes, `${before} bytes are held`)
  // 16 messages may be in the client's stream
  const read = node.sent.updates
  let told = 1
  for (; ; told++) {
    const { value } = await items.next()
    if (value.kind === 'raw' && value.block.slot === chain.last) break
  }
  assert.equal(told + 1, chain.blocks.length)
  assert.ok(read < node.sent.updates, `all ${read} updates were sent while the reader paused`)
  t.diagnostic(`${read} of ${node.sent.updates} updates were sent before the reader went on`)
  stop.abort()
  await items.return?.()
})

test('the token goes along, pings are answered, the programs are asked for', { skip, timeout: 60_000 }, async (t) => {
  const { node, server } = await serve(t, seededRandom(1), {}, () => chain.last)
  const source = createYellowstone({
    name: 'yellowstone:fake',
    endpoints: [createTransport(client!, server.url, 'a-token')],
    filler: null,
    accounts: LAUNCHPADS,
    followed: createFollowed([], createFollowedMints(0), createFollowedHolders(0)),
    clock: wallClock,
    random: Math.random,
    bounds: FAST,
  })
  const stop = new AbortController()
  const { slot, time } = chain.blocks[40]!
  const reading = (async () => {
    for await (const _ of source.items({ slot, time, facts: 0 }, stop.signal));
  })()
  while (node.sent.pongs === 0) await sleep(10)
  stop.abort()
  await reading
  assert.deepEqual(server.tokens.slice(0, 1), ['a-token'])
  assert.deepEqual(node.subscriptions[0], { accounts: [...LAUNCHPADS], from: slot - FAST.marginSlots })
})

test('the decoding thread follows an endpoint and is stopped in the middle of it', {
  skip,
  timeout: 120_000,
}, async (t) => {
  const { server } = await serve(t, seededRandom(1), {}, () => chain.last)
  const dir = mkdtempSync(join(tmpdir(), 'yellowstone-'))
  const node = await openNode(dir)
  t.after(async () => {
    await node.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const stream = createThreadedEntryStream(`yellowstone:${server.url}`, dir)
  const { slot, time } = chain.blocks[60]!
  const entries: Buffer[] = []
  for await (const batch of stream.batches({ slot, time, facts: 0 }, new AbortController().signal)) {
    entries.push(...batch)
    if (entries.length >= 20) break
  }
  assert.deepEqual(
    entries.slice(0, 20).map((bytes, i) => readHead(i, bytes).slot),
    chain.blocks.slice(61, 81).map((block) => block.slot),
  )
})

test('the other official client reads the same server', { timeout: 60_000 }, async (t) => {
  const laserstream = await import('helius-laserstream').catch(() => null)
  if (laserstream === null) return t.skip('helius-laserstream has no build for this platform')
  const { server } = await serve(t, seededRandom(1), {}, () => chain.last)
  const slots: number[] = []
  const enough = new EventTarget()
  const request = {
    blocks: { all: { accountInclude: [...LAUNCHPADS], includeTransactions: true } },
    commitment: laserstream.CommitmentLevel.CONFIRMED,
    fromSlot: chain.first,
  }
  const handle = await laserstream.subscribe(
    { endpoint: server.url, apiKey: 'k', maxReconnectAttempts: 1 } as never,
    request as never,
    (update: { block?: { slot: string; transactions: unknown[] } }) => {
      if (update.block === undefined || update.block === null) return
      slots.push(Number(update.block.slot))
      if (slots.length === 20) enough.dispatchEvent(new Event('done'))
    },
    (error: Error) => {
      if (slots.length < 20) throw error
    },
  )
  if (slots.length < 20) await once(enough, 'done')
  handle.cancel()
  assert.deepEqual(
    slots.slice(0, 20),
    chain.blocks.slice(0, 20).map(({ slot }) => slot),
  )
})
