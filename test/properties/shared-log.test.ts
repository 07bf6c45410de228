import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCounts } from '@ti/core/base/counts.ts'
import type { EntryStream } from '@ti/service/ingest/entries.ts'
import { createSharedEntryStream } from '@ti/service/ingest/shared.ts'
import { encodeEntry, readHead } from '@ti/service/log/codec.ts'
import { JETSTREAM } from '@ti/service/log/jetstream/connect.ts'
import { createFakeStream } from '../fakes/log-stream.ts'
import { seeds } from '../support/chance.ts'
import { seededRandom } from '../support/random.ts'

/** Several writers with one source, each with facts of its own, over a network that loses, delays and doubles. */
const SEEDS = seeds(60)
const NOTHING = { oldest: () => -1, bytes: () => [] }
const START = { seq: -1, slot: -1, time: 0, facts: 0, chain: '' }

const block = (slot: number): Buffer =>
  Buffer.from(encodeEntry({ kind: 'block', slot, parent: slot - 1, time: 1e9 + slot, events: [] }))
const NAME = Buffer.from(encodeEntry({ kind: 'chain', name: 'chain' }))
/** `name` makes each of them another entry, and long ones need parts */
const facts = (name: string, byOperator: boolean, length = 0): Buffer => {
  const fact = { kind: 'kol', wallet: 'k'.repeat(32), name: name.padEnd(length, '.') } as never
  return Buffer.from(encodeEntry({ kind: 'facts', time: 1e9, byOperator, facts: [fact] }))
}

/** Blocks with skipped slots, the source's own facts between them, a gap now and then. */
function sourceOf(random: () => number, entries: number): Buffer[] {
  const all: Buffer[] = []
  for (let slot = 10; all.length < entries; slot += 1 + Math.floor(random() * 3)) {
    if (random() < 0.1) {
      all.push(Buffer.from(encodeEntry({ kind: 'gap', from: slot, to: slot + 2 })))
      slot += 2
    } else all.push(block(slot))
    for (let left = Math.floor(random() * 3); left > 0; left--) {
      all.push(facts(`source ${all.length}`, false, random() < 0.2 ? 2_000 : 0))
    }
  }
  return all
}

/** The source from a cursor on, as a capture gives it, in batches of any size, with told facts and blocks it has given already in between. */
const playing = (source: readonly Buffer[], told: readonly Buffer[], random: () => number): EntryStream => ({
  counts: createCounts(),
  async *batches(cursor) {
    if (!cursor.chain) yield [NAME]
    const waiting = [...told]
    let [slot, since] = [-1, 0]
    let batch: Buffer[] = []
    const given: Buffer[] = []
    for (const bytes of source) {
      const head = readHead(0, bytes)
      if (head.kind === 'facts') since++
      else [slot, since] = [head.slot, 0]
      const isKnown = slot < cursor.slot || (slot === cursor.slot && since <= cursor.facts)
      if (!isKnown) batch.push(bytes)
      // a source that says something again
      const earlier = given[Math.floor(random() * given.length)]
      if (random() < 0.1 && earlier !== undefined) batch.push(earlier)
      if (head.kind !== 'facts') given.push(bytes)
      if (random() < 0.3 && waiting.length > 0) batch.push(waiting.shift()!)
      if (batch.length === 0 || random() < 0.6) continue
      yield batch
      batch = []
      await new Promise(setImmediate)
    }
    yield [...batch, ...waiting]
  },
})

/** waits of a network that answers in microseconds */
const bounds = { ...JETSTREAM, retryMs: 2, reconnectMs: 5, settleMs: 1_000 }
const name = (bytes: Buffer): string => bytes.toString('base64')

for (const seed of SEEDS)
  test(`seed ${seed}: what writers race to bring is in the log once, in order, the same for all`, {
    timeout: 60_000,
  }, async () => {
    const random = seededRandom(seed)
    const some = (most: number): number => (random() < 0.5 ? 0 : random() * most)
    const stream = createFakeStream(random, { lost: some(0.1), unheard: some(0.2), late: some(0.1) }, 700)
    const source = sourceOf(random, 60)
    const writers = 1 + Math.floor(random() * 3)
    const told = Array.from({ length: writers }, (_, writer) =>
      Array.from({ length: 6 }, (_, i) => facts(`told ${writer} ${i}`, true, random() < 0.3 ? 1_500 : 0)),
    )
    const expected = new Set([NAME, ...source, ...told.flat()].map(name))

    const read = async (entries: EntryStream): Promise<string[]> => {
      const stop = new AbortController()
      const all: string[] = []
      for await (const batch of entries.batches({ slot: -1, time: 0, facts: 0 }, stop.signal)) {
        all.push(...batch.map(name))
        if (new Set(all).size >= expected.size) stop.abort()
      }
      return all
    }
    const node = (brought: EntryStream | null) =>
      read(
        createSharedEntryStream({
          stream: stream.open(),
          position: () => START,
          own: NOTHING,
          source: brought,
          bounds,
        }),
      )
    const nodes = await Promise.all([...told.map((own) => node(playing(source, own, random))), node(null)])

    const [first] = nodes
    assert.equal(first!.length, expected.size, 'nothing twice')
    assert.equal(first![0], name(NAME), 'the name of the chain comes first')
    assert.ok(stream.messages.every(({ chain }) => chain === 'chain'))
    for (const other of nodes) assert.deepEqual(other, first)
    const inOrder = first!.filter((entry) => source.some((bytes) => name(bytes) === entry))
    assert.deepEqual(inOrder, source.map(name), 'the source in its order')
    // what each message says of its number holds: by it a node finds its way back in
    const numbers = stream.messages.filter(({ part, parts }) => part + 1 === parts).map(({ seq }) => seq)
    assert.ok(
      numbers.every((seq, i) => i === 0 || seq >= numbers[i - 1]!),
      'numbers never go back',
    )
    assert.equal(numbers.at(-1), expected.size - 1)
  })

/** The log of a node in memory, and its position, as the fold keeps them. */
function ownLog() {
  const all: Buffer[] = []
  let at = START
  return {
    all,
    position: () => at,
    add(bytes: Buffer) {
      const head = readHead(0, bytes)
      const seq = all.push(bytes) - 1
      if (head.chain !== undefined) at = { ...at, seq, chain: head.chain }
      else if (head.kind === 'facts') at = { ...at, seq, facts: at.facts + (head.ofSource ? 1 : 0) }
      else at = { ...at, seq, slot: head.slot, facts: 0 }
    },
    own: {
      oldest: () => (all.length === 0 ? -1 : 0),
      bytes: (from: number, limit: number) => all.slice(from, from + limit),
    },
  }
}

for (const seed of seeds(20))
  test(`seed ${seed}: a log that is lost while writers race is the same again, with all that any node had of it`, {
    timeout: 60_000,
  }, async () => {
    const random = seededRandom(seed)
    const stream = createFakeStream(random, { lost: 0.05, unheard: 0.1, late: 0.05 }, 700)
    const source = sourceOf(random, 60)
    const told = [0, 1].map((writer) => Array.from({ length: 6 }, (_, i) => facts(`told ${writer} ${i}`, true)))
    const expected = new Set([NAME, ...source, ...told.flat()].map(name))
    const stop = new AbortController()
    const logs = [0, 1, 2].map(ownLog)
    const hasAll = ({ all }: ReturnType<typeof ownLog>): boolean => new Set(all.map(name)).size >= expected.size
    const losses = [5 + random() * 30, 40 + random() * 30]

    const node = async ({ add, position, own }: ReturnType<typeof ownLog>, brought: EntryStream | null) => {
      const shared = createSharedEntryStream({ stream: stream.open(), position, own, source: brought, bounds })
      for await (const batch of shared.batches({ slot: -1, time: 0, facts: 0 }, stop.signal)) {
        for (const bytes of batch) add(bytes)
        if (logs[0]!.all.length > (losses[0] ?? Number.POSITIVE_INFINITY)) {
          losses.shift()
          stream.lose()
        }
        const [first, ...others] = logs
        if (logs.every(hasAll) && others.every(({ all }) => all.length === first!.all.length)) stop.abort()
      }
    }
    await Promise.all(logs.map((log, i) => node(log, i < told.length ? playing(source, told[i]!, random) : null)))

    assert.equal(losses.length, 0)
    const [first, ...others] = logs.map(({ all }) => all.map(name))
    for (const other of others) assert.deepEqual(other, first)
    const ofSource = first!.filter((entry) => source.some((bytes) => name(bytes) === entry))
    assert.deepEqual(ofSource, source.map(name), 'the source in its order, each entry once')
  })
