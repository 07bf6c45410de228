import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCounts } from '@ti/core/base/counts.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { buildHistory, type Step } from '../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import { encodeEntry } from '../log/codec.ts'
import type { EntryStream } from './entries.ts'
import { createPipeline, type PipelineOptions } from './pipeline.ts'

const steps: Step[] = Array.from({ length: 40 }, (_, i) => ({
  gap: 1 + (i % 3),
  token: i % 3,
  wallet: i % 5,
  action: i % 4 === 3 ? 'sell' : 'buy',
  size: 10 + i,
}))
const history = buildHistory(steps)
const bytesOf = (entry: LogEntry): Buffer => Buffer.from(encodeEntry(entry))

const stream = (batches: () => AsyncIterable<readonly Buffer[]>): EntryStream => ({ counts: createCounts(), batches })

async function* inOne(entries: readonly LogEntry[]): AsyncIterable<readonly Buffer[]> {
  yield entries.map(bytesOf)
}

function setUp(entries: EntryStream, changes: Partial<PipelineOptions> = {}, memory = createMemoryStore()) {
  const engine = createEngine({ reader: memory, walletsCached: 10 })
  const written: Buffer[] = []
  const store = {
    transaction: <T>(work: () => T): T => work(),
    append(seq: number, bytes: Buffer) {
      written[seq] = Buffer.from(bytes)
    },
    write: memory.write,
    writeTrades: memory.writeTrades,
  }
  const bounds = { commitEvents: 1_000, commitDelayMs: 50, liveLagSeconds: 10 }
  const pipeline = createPipeline({ entries, engine, store, now: Date.now, bounds, ...changes })
  return { pipeline, memory, engine, written }
}

const forever = new AbortController().signal

test('the log holds the source’s entries byte for byte, the state is their fold', async () => {
  const { pipeline, memory, written } = setUp(stream(() => inOne(history)))
  await pipeline.run(forever)
  assert.deepEqual(written, history.map(bytesOf))
  const plain = createMemoryStore()
  const engine = createEngine({ reader: plain, walletsCached: 10 })
  history.forEach((entry, seq) => void engine.apply(seq, entry))
  plain.write(engine.changes())
  assert.equal(memory.dump(), plain.dump())
  assert.equal(pipeline.progress.ended, true)
})

test('history commits together, a block close to the clock commits alone', async () => {
  const old = setUp(stream(() => inOne(history)))
  await old.pipeline.run(forever)
  assert.equal(old.pipeline.progress.commits, 1)
  const blocks = history.filter((entry) => entry.kind === 'block')
  const lastTime = blocks.at(-1)!.time
  const live = setUp(
    stream(() => inOne(blocks)),
    { now: () => lastTime * 1000 },
  )
  await live.pipeline.run(forever)
  assert.equal(live.pipeline.progress.commits, blocks.filter(({ time }) => lastTime - time <= 10).length)
})

test('commits are bounded in events', async () => {
  const bounds = { commitEvents: 7, commitDelayMs: 60_000, liveLagSeconds: 10 }
  const { pipeline } = setUp(
    stream(() => inOne(history)),
    { bounds },
  )
  await pipeline.run(forever)
  assert.ok(pipeline.progress.commits >= Math.floor(pipeline.progress.events / 8), JSON.stringify(pipeline.progress))
})

test('blocks that the source gives again are passed over', async () => {
  async function* twice() {
    yield history.map(bytesOf)
    yield history.filter((entry) => entry.kind === 'block').map(bytesOf)
  }
  const { pipeline, memory } = setUp(stream(twice))
  await pipeline.run(forever)
  const once = setUp(stream(() => inOne(history)))
  await once.pipeline.run(forever)
  assert.equal(memory.dump(), once.memory.dump())
  assert.equal(pipeline.progress.repeated, history.filter((entry) => entry.kind === 'block').length)
})

test('slots that were given up stay so: over a restart, told again, or there after all', async () => {
  const blocks = history.filter((entry) => entry.kind === 'block')
  const slot = blocks[20]!.slot
  const fact: LogEntry = { kind: 'facts', time: 1, byOperator: false, facts: [{ kind: 'sol_price', usd: 150 }] }
  const upToGap: LogEntry[] = [...blocks.slice(0, 18), { kind: 'gap', from: blocks[18]!.slot, to: slot }]
  const later: LogEntry[] = [fact, ...blocks.slice(21)]

  const first = setUp(stream(() => inOne(upToGap)))
  await first.pipeline.run(forever)
  const { globals } = first.engine
  const missing = slot - blocks[18]!.slot + 1
  assert.deepEqual([globals.slot, globals.missingSlots, globals.time], [slot, missing, blocks[17]!.time])

  let asked: unknown
  const again = setUp(
    {
      counts: createCounts(),
      batches(cursor) {
        asked = cursor
        return inOne([upToGap.at(-1)!, ...blocks.slice(18, 21), ...later])
      },
    },
    {},
    first.memory,
  )
  await again.pipeline.run(forever)
  assert.deepEqual(asked, { slot, time: blocks[17]!.time, facts: 0, chain: '' })
  assert.equal(again.pipeline.progress.repeated, 4)
  assert.equal(again.engine.globals.missingSlots, missing)

  const once = setUp(stream(() => inOne([...upToGap, ...later])))
  await once.pipeline.run(forever)
  assert.equal(again.memory.dump(), once.memory.dump())
})

test('only blocks are a sign of life: what is told beside them is none', async () => {
  const fact: LogEntry = { kind: 'facts', time: 1, byOperator: true, facts: [{ kind: 'sol_price', usd: 150 }] }
  let clock = 1_000
  async function* block() {
    clock = 2_000
    yield [bytesOf(history.find((entry) => entry.kind === 'block')!)]
  }
  async function* facts() {
    clock = 3_000
    yield [bytesOf(fact)]
  }
  for (const [batches, reported] of [
    [block, 2_000],
    [facts, 1_000],
  ] as const) {
    clock = 1_000
    const { pipeline } = setUp(stream(batches), { now: () => clock })
    await pipeline.run(forever)
    assert.deepEqual([pipeline.progress.blockMs, pipeline.progress.commits], [reported, 1])
  }
})

test('what was taken before a stop is committed, what the source pauses over is committed meanwhile', async () => {
  const stop = new AbortController()
  async function* slow() {
    yield history.slice(0, 5).map(bytesOf)
    await new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()))
  }
  const bounds = { commitEvents: 1_000, commitDelayMs: 1, liveLagSeconds: 10 }
  let committed = (): void => {}
  const commit = new Promise<void>((resolve) => {
    committed = resolve
  })
  const { pipeline, engine } = setUp(stream(slow), { bounds, onCommit: () => committed() })
  const running = pipeline.run(stop.signal)
  await commit
  assert.equal(engine.globals.seq, 4)
  stop.abort()
  await running
  assert.equal(pipeline.progress.ended, false)
})

test('a failed commit ends the run: memory is ahead of the store and must not be served', async () => {
  const nothing = (): void => {}
  const transaction = (): never => assert.fail('disk full')
  const broken = { transaction, append: nothing, write: nothing, writeTrades: nothing }
  const { pipeline } = setUp(
    stream(() => inOne(history)),
    { store: broken },
  )
  await assert.rejects(pipeline.run(forever), /disk full/)
  assert.equal(pipeline.progress.commits, 0)
})

test('from the moment a commit fails nothing counts as readable, however long the source takes to end', async () => {
  const seen: boolean[] = []
  const { pipeline } = setUp(
    stream(async function* () {
      try {
        yield history.map(bytesOf)
      } finally {
        // reads could happen in the next task or the turn after it
        seen.push(pipeline.progress.failed)
        await new Promise((done) => setImmediate(done))
        seen.push(pipeline.progress.failed)
      }
    }),
    {
      bounds: { commitEvents: 1, commitDelayMs: 50, liveLagSeconds: 10 },
      store: {
        transaction() {
          assert.equal(pipeline.progress.failed, false)
          // before the end of the fold is handled
          queueMicrotask(() => seen.push(pipeline.progress.failed))
          throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
        },
        append() {},
        write() {},
        writeTrades() {},
      },
    },
  )
  await assert.rejects(pipeline.run(forever), /ENOSPC/)
  assert.deepEqual(seen, [true, true, true])
  assert.equal(pipeline.progress.commits, 0)
})
