import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { base58Encode, sigToBase58 } from '@ti/core/base/base58.ts'
import { LAUNCHPAD_PROGRAMS } from '@ti/core/model/programs.ts'
import { createRpcSource, type RpcSourceOptions } from '@ti/service/source/rpc/source.ts'
import type { GapItem, Source, SourceItem } from '@ti/service/source/source.ts'
import { type FakeNode, startFakeNode } from '../../fakes/rpc.ts'
import { playWithFaults } from '../../fakes/rpc-faults.ts'
import { cut, levelled, simulatedBlocks, sourceOf, stateHash } from '../../fakes/rpc-scene.ts'
import { createNodeTime, type NodeTime } from '../../fakes/rpc-time.ts'
import { withVersions } from '../../fakes/transaction-wire.ts'
import { seeds } from '../../support/chance.ts'
import { seededRandom } from '../../support/random.ts'

const SEEDS = seeds(24)

const blocks = withVersions(await simulatedBlocks({ seed: 11, tps: 25, slots: 120 }), 11)
const from = blocks[0]!.slot
const last = blocks.at(-1)!.slot
const clean = await stateHash(sourceOf(blocks))
const cleanLevelled = await stateHash(levelled(sourceOf(blocks)))

const rpcSource = (node: FakeNode, time: NodeTime, options: Partial<RpcSourceOptions> = {}): Source =>
  createRpcSource({
    url: node.url,
    wsUrl: node.wsUrl,
    requestsPerSecond: 1_000,
    random: () => 0.5,
    ...time,
    ...options,
  })

async function collect(source: Source, signal = new AbortController().signal): Promise<SourceItem[]> {
  const items: SourceItem[] = []
  for await (const item of cut(source, { from, last }).items({ slot: -1, time: 0, facts: 0 }, signal)) items.push(item)
  return items
}

const asSource = (items: readonly SourceItem[]): Source => ({
  name: 'items',
  async *items() {
    yield* items
  },
})

/** The same items, each noted in `items`. */
const tapped = (source: Source, items: SourceItem[]): Source => ({
  name: source.name,
  async *items(cursor, signal) {
    for await (const item of source.items(cursor, signal)) {
      items.push(item)
      yield item
    }
  },
})

const line = (item: SourceItem | undefined): string =>
  item?.kind === 'raw'
    ? `${item.block.slot} at ${item.block.time}: ${item.block.transactions.map((tx) => base58Encode(tx.signature).slice(0, 6))}`
    : JSON.stringify(item)

/** The first item that is not as it should be. */
function difference(items: readonly SourceItem[], expected: readonly SourceItem[]): string {
  const at = expected.findIndex((item, i) => line(item) !== line(items[i]))
  return at < 0 ? `${items.length} items` : `expected ${line(expected[at])}, was ${line(items[at])}`
}

const slotsOf = (items: readonly SourceItem[]) => items.flatMap((it) => (it.kind === 'raw' ? [it.block.slot] : []))
const gapsOf = (items: readonly SourceItem[]) => items.filter((it): it is GapItem => it.kind === 'gap')

async function withNode<T>(use: (node: FakeNode, time: NodeTime) => Promise<T>): Promise<T> {
  const node = await startFakeNode(blocks)
  const time = createNodeTime(node)
  try {
    return await use(node, time)
  } finally {
    await time.stop()
    await node.close()
  }
}

/** Milliseconds between two blocks of a stream, and of the node's time after which a condition counts as never met. */
const BLOCK_MS = 60
const NEVER_MS = 600_000

const sleep = ({ clock }: NodeTime, ms: number): Promise<void> => clock.sleep(ms, new AbortController().signal)

async function waitFor(what: string, time: NodeTime, met: () => boolean): Promise<void> {
  for (const end = time.clock.now() + NEVER_MS; !met(); await sleep(time, 20))
    assert.ok(time.clock.now() < end, `waited in vain for ${what}`)
}

const count = (source: Source, name: string): number => source.status!().counts.get(name) ?? 0

describe('three ways to follow a node', () => {
  test('polling takes every block, asks for few more than there are, and names no key', () =>
    withNode(async (node, time) => {
      node.advance(last)
      const source = rpcSource(node, time, { wsUrl: null })
      const items = await collect(source)
      assert.deepEqual(
        slotsOf(items),
        blocks.map((block) => block.slot),
      )
      assert.equal(await stateHash(asSource(items)), clean)
      assert.ok(node.asked.length < blocks.length + 8, `${node.asked.length} requests`)
      assert.equal(source.name, `rpc:${node.url.host}`)
      assert.equal(source.status!().connected, 0, 'it has ended')
      assert.equal(source.status!().newestSlot, last)
    }))

  test('blockSubscribe: what was before is fetched, the rest is streamed', () =>
    withNode(async (node, time) => {
      node.advance(blocks[40]!.slot)
      const source = rpcSource(node, time)
      const reading = collect(source)
      await waitFor('the stream', time, () => node.streams === 1)
      for (const block of blocks.slice(41)) {
        node.advance(block.slot)
        await sleep(time, BLOCK_MS)
      }
      const items = await reading
      assert.equal(await stateHash(asSource(items)), clean)
      assert.ok(node.asked.filter((method) => method === 'getBlock').length < 70, 'most blocks were streamed')
    }))

  test('blockSubscribe refused: logs, each success fetched, nothing read twice', () =>
    withNode(async (node, time) => {
      node.knobs.offers.delete('blockSubscribe')
      node.advance(blocks[10]!.slot)
      const source = rpcSource(node, time)
      const reading = collect(levelled(source))
      await waitFor('the streams', time, () => node.streams === LAUNCHPAD_PROGRAMS.length)
      for (const block of blocks.slice(11)) {
        node.advance(block.slot)
        await sleep(time, BLOCK_MS)
      }
      const items = await reading
      assert.equal(count(source, 'refused:blocks'), 1)
      assert.equal(await stateHash(asSource(items)), cleanLevelled)
      assert.ok(node.asked.includes('getTransaction'), 'transactions were fetched')
      const signatures = items.flatMap((it) =>
        it.kind === 'raw' ? it.block.transactions.map((tx) => tx.signature) : [],
      )
      assert.equal(new Set(signatures).size, signatures.length)
    }))

  test('both refused: polling', () =>
    withNode(async (node, time) => {
      node.knobs.offers.clear()
      node.advance(last)
      const source = rpcSource(node, time)
      assert.equal(await stateHash(asSource(await collect(source))), clean)
      assert.equal(count(source, 'polled_slot'), last - from + 1)
    }))
})

describe('logs', () => {
  const withLogs = (node: FakeNode, time: NodeTime) => rpcSource(node, time, { modes: ['logs'] })
  const stream = async (node: FakeNode, time: NodeTime, upTo = blocks.length) => {
    await waitFor('the streams', time, () => node.streams === LAUNCHPAD_PROGRAMS.length)
    for (const block of blocks.slice(11, upTo)) {
      node.advance(block.slot)
      await sleep(time, BLOCK_MS)
    }
  }

  test('a notification without its transaction: the whole block is fetched instead', () =>
    withNode(async (node, time) => {
      node.advance(blocks[10]!.slot)
      const source = withLogs(node, time)
      const reading = collect(levelled(source))
      node.knobs.http = (method, _params, n) =>
        method === 'getTransaction' && n % 9 < 7 ? { kind: 'result', result: null } : undefined
      await stream(node, time)
      assert.equal(await stateHash(asSource(await reading)), cleanLevelled)
      assert.ok(count(source, 'transaction_missing') > 0, 'some were missing')
      assert.equal(count(source, 'log_only'), 0)
    }))

  test('neither transaction nor block: the log is what is left', () =>
    withNode(async (node, time) => {
      node.advance(blocks[10]!.slot)
      const source = withLogs(node, time)
      const reading = collect(source)
      await waitFor('the streams', time, () => node.streams === LAUNCHPAD_PROGRAMS.length)
      const target = blocks.slice(40).find((block) => block.transactions.some((tx) => !tx.failed))!
      node.knobs.lost.set(target.slot, -32009)
      node.knobs.http = (method, params) =>
        method === 'getTransaction' && wanted.has(String(params[0])) ? { kind: 'result', result: null } : undefined
      const wanted = new Set(target.transactions.map((tx) => sigToBase58(tx.signature)))
      await stream(node, time)
      const items = await reading
      const item = items.find((it) => it.kind === 'raw' && it.block.slot === target.slot)
      assert.ok(item?.kind === 'raw', 'the slot is there')
      assert.ok(item.block.transactions.length > 0, 'with its transactions')
      assert.ok(
        item.block.transactions.every((tx) => tx.keys.length === 0 && tx.logs !== null && !tx.failed),
        'as logs',
      )
      assert.equal(item.block.time >= target.time - 2, true, 'its time is that of the block before')
      assert.equal(count(source, 'log_only'), item.block.transactions.length)
      assert.deepEqual(gapsOf(items), [])
    }))
})

describe('what cannot be had', () => {
  for (const [name, code] of [
    ['skipped, says the node', -32007],
    ['lost in the long-term storage', -32009],
    ['cleaned up', -32001],
  ] as const)
    for (const wsUrl of [false, true])
      test(`${name}, ${wsUrl ? 'streamed' : 'polled'}: the gap is named exactly, nothing comes twice`, () =>
        withNode(async (node, time) => {
          const lost = [blocks[30]!, blocks[31]!, blocks[70]!]
          for (const block of lost) node.knobs.lost.set(block.slot, code)
          node.advance(wsUrl ? from : last)
          const source = rpcSource(node, time, wsUrl ? {} : { wsUrl: null })
          const reading = collect(source)
          if (wsUrl) {
            await waitFor('the stream', time, () => node.streams === 1)
            for (const block of blocks.slice(1)) {
              node.advance(block.slot)
              await sleep(time, BLOCK_MS)
            }
          }
          const items = await reading
          const expected = blocks.filter((block) => !lost.includes(block)).map((block) => block.slot)
          assert.deepEqual(slotsOf(items), expected)
          const missing = gapsOf(items).flatMap(({ from, to }) =>
            blocks.filter(({ slot }) => slot >= from && slot <= to),
          )
          assert.deepEqual(missing, lost)
          let reached = from - 1
          for (const item of items) {
            if (item.kind === 'facts') continue
            const first = item.kind === 'raw' ? item.block.slot : item.kind === 'gap' ? item.from : item.slot
            assert.ok(first > reached, 'strictly increasing')
            reached = item.kind === 'gap' ? item.to : first
          }
          assert.ok(source.status!().missing >= 3, 'the status says so')
        }))

  test('a node that is silent is waited for, however long, when nothing newer is there', () =>
    withNode(async (node, time) => {
      node.advance(blocks[50]!.slot)
      const source = rpcSource(node, time, { wsUrl: null })
      const reading = collect(source)
      await waitFor('some blocks', time, () => node.asked.length > 10)
      node.knobs.http = () => ({ kind: 'status', status: 502 })
      await sleep(time, 600_000)
      node.advance(last)
      node.knobs.http = () => undefined
      const items = await reading
      assert.deepEqual(gapsOf(items), [])
      assert.equal(await stateHash(asSource(items)), clean)
    }))

  test('after an outage longer than is worth fetching, or than the node remembers, the rest is a gap', () =>
    withNode(async (node, time) => {
      node.knobs.firstAvailable = from
      node.advance(last)
      const source = rpcSource(node, time, { wsUrl: null })
      const items: SourceItem[] = []
      const cursor = { slot: from - 100_000, time: 5, facts: 0 }
      for await (const item of source.items(cursor, new AbortController().signal)) {
        items.push(item)
        if (item.kind === 'raw' && item.block.slot === last) break
      }
      assert.deepEqual(items[0], { kind: 'gap', from: from - 99_999, to: blocks[0]!.parent })
      assert.equal(slotsOf(items).length, blocks.length)
      assert.ok(node.asked.length < blocks.length + 20, `${node.asked.length} requests`)
    }))
})

describe('a node that is too old for version 1', () => {
  const isOld = (block: (typeof blocks)[number]): boolean => block.transactions.some(({ version }) => version === 1)

  test('the chain has all three versions', () => {
    const seen = new Set(blocks.flatMap(({ transactions }) => transactions.map(({ version }) => version)))
    assert.deepEqual([...seen].sort(), [0, 1, 'legacy'])
    assert.ok(blocks.filter(isOld).length > blocks.length / 2, 'version 1 is in most blocks')
  })

  for (const mode of ['poll', 'blocks', 'logs'] as const)
    for (const strict of [false, true])
      test(`${mode}, ${strict ? 'strict' : 'lenient'}: it is named, waited for, and nothing is lost once it is replaced`, () =>
        withNode(async (node, time) => {
          node.knobs.newest = 0
          node.knobs.strict = strict
          node.advance(blocks[10]!.slot)
          const source = rpcSource(node, time, mode === 'poll' ? { wsUrl: null } : { modes: [mode] })
          const level = mode === 'logs' ? levelled : (one: Source) => one
          const reading = collect(level(source))
          await waitFor('the refusal', time, () => count(source, 'node_without_v1') > 3)
          assert.match(source.status!().problem!, /version 1 \(error -32015\).*too old/)
          // longer than anything else would be waited for
          const waited = count(source, 'node_without_v1')
          for (const block of blocks.slice(11, 60)) node.advance(block.slot)
          await waitFor('more refusals', time, () => count(source, 'node_without_v1') > waited + 60)
          assert.equal(source.status!().missing, 0)
          node.knobs.newest = 1
          if (mode === 'blocks') await waitFor('the problem to end', time, () => source.status!().problem === null)
          for (const block of blocks.slice(60)) {
            node.advance(block.slot)
            await sleep(time, BLOCK_MS)
          }
          const items = await reading
          assert.deepEqual(gapsOf(items), [])
          assert.equal(await stateHash(asSource(items)), mode === 'logs' ? cleanLevelled : clean)
          assert.equal(source.status!().problem, null)
        }))

  test('a stream that stops at a version it does not give is left for requests', () =>
    withNode(async (node, time) => {
      node.advance(blocks[10]!.slot)
      const source = rpcSource(node, time, { modes: ['blocks'] })
      const reading = collect(source)
      await waitFor('the stream', time, () => node.streams === 1)
      // the stream alone is served by an old node
      node.knobs.newest = 0
      node.knobs.http = () => {
        node.knobs.newest = 1
        return undefined
      }
      for (const block of blocks.slice(11)) {
        node.advance(block.slot)
        await sleep(time, BLOCK_MS)
      }
      const items = await reading
      assert.equal(count(source, 'stream_refused_version'), 1)
      assert.deepEqual(gapsOf(items), [])
      assert.equal(await stateHash(asSource(items)), clean)
    }))
})

for (const mode of ['blocks', 'logs'] as const)
  test(`a slow reader holds the stream of ${mode} back within its bound, and misses nothing`, () =>
    withNode(async (node, time) => {
      node.advance(blocks[5]!.slot)
      const heldBytesMax = mode === 'blocks' ? 600_000 : 60_000
      const source = rpcSource(node, time, { modes: [mode], heldBytesMax })
      const level = mode === 'logs' ? levelled(source) : source
      const reading = level
        .items({ slot: from - 1, time: 0, facts: 0 }, new AbortController().signal)
        [Symbol.asyncIterator]()
      try {
        const items: SourceItem[] = [(await reading.next()).value]
        await waitFor('the stream', time, () => node.streams > 0)
        let most = 0
        for (const block of blocks.slice(6)) {
          node.advance(block.slot)
          await sleep(time, BLOCK_MS)
          most = Math.max(most, source.status!().heldBytes)
        }
        await waitFor('the stream to be held back', time, () => count(source, 'held_back') > 0)
        // one message passes the bound
        assert.ok(most < heldBytesMax + 200_000, `${most} bytes`)
        while (slotsOf(items).at(-1) !== last) items.push((await reading.next()).value)
        assert.equal(await stateHash(asSource(items)), mode === 'logs' ? cleanLevelled : clean)
      } finally {
        await reading.return!()
      }
    }))

test('an abort ends it at any moment', () =>
  withNode(async (node, time) => {
    node.advance(blocks[20]!.slot)
    for (let n = 0; n < 12; n++) {
      const stop = new AbortController()
      const reading = collect(rpcSource(node, time, n % 2 === 0 ? {} : { modes: ['logs'] }), stop.signal)
      await sleep(time, n * 100)
      stop.abort()
      await reading
    }
    await waitFor('the streams to end', time, () => node.streams === 0)
  }))

describe('seeded faults', () => {
  for (const seed of SEEDS) {
    const mode = (['blocks', 'logs', 'poll'] as const)[seed % 3]!
    test(`seed ${seed}, ${mode}: the state is that of the clean run, also over a restart`, () =>
      withNode(async (node, time) => {
        const level = mode === 'logs' ? levelled : (source: Source) => source
        const modes = mode === 'poll' ? [] : [mode]
        const random = seededRandom(seed + 1_000)
        const middle = blocks[20 + Math.floor(random() * 80)]!.slot
        const items: SourceItem[] = []
        const sources: Source[] = []
        const part = (end: number) => {
          const source = rpcSource(node, time, { modes })
          sources.push(source)
          return tapped(level(cut(source, { from, last: end })), items)
        }
        node.advance(from)
        const playing = playWithFaults(node, blocks, seed, () => sleep(time, BLOCK_MS))
        const hash = await stateHash(part(middle), part(last))
        await playing
        assert.deepEqual(gapsOf(items), [])
        const told = sources.map((source) => JSON.stringify([...source.status!().counts])).join(' ')
        assert.equal(
          hash,
          mode === 'logs' ? cleanLevelled : clean,
          `${difference(items, await collect(level(sourceOf(blocks))))} ${told}`,
        )
      }))
  }
})
