import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { perTopic, TOPICS } from '@ti/core/contract/streams.ts'
import { startNats, withNats } from '../nats.ts'
import { makeKeys } from '../simulation/keys.ts'
import { command, replay } from '../simulation/service.ts'
import { followAll, type Told, undisturbed } from '../simulation/streams-reader.ts'
import { runs, seed } from '../support/chance.ts'
import { seededRandom } from '../support/random.ts'
import { FAULTS } from './harm.ts'
import { assertAlike, createNode, untilAllAt } from './running.ts'

/** Several nodes over three real servers: each a process, harmed at moments and in ways of a seed. */
const SEED = seed()
const COUNT = runs(32)
const TRADES = 12_000

const dir = mkdtempSync(join(tmpdir(), 'nodes-'))
const capture = join(dir, 'market.capture')
after(() => rmSync(dir, { recursive: true, force: true }))
before(() => command('capture', 'simulate', capture, '--trades', String(TRADES), '--seed', '11'))

const NAME = `five nodes over three servers, ${COUNT} faults: one state, that of a node alone, and each seq once for readers`
test(NAME, { ...withNats, timeout: 600_000 }, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const alone = await replay(capture, join(dir, 'alone'))
  const expected = await undisturbed(capture, join(dir, 'alone'))
  const [frames, events] = [expected['frames:live'].size, expected['tokens:live'].size]
  const nats = await startNats(t, 3)
  // so slow that most faults find it at work
  const source = `capture:${capture}?speed=1.2`
  const bringing = [0, 1].map((i) => createNode({ dir, name: `in${i}`, role: 'ingest', nats, source }))
  const serving = [0, 1, 2].map((i) => createNode({ dir, name: `out${i}`, role: 'serve', nats, source }))
  const nodes = [...bringing, ...serving]
  t.after(() => Promise.all(nodes.map((node) => node.kill())))
  // accounts of all nodes are the same, as they are over one database
  const [key] = await makeKeys(serving[0]!.dataDir, 1)
  for (const { dataDir } of serving.slice(1)) {
    mkdirSync(dataDir, { recursive: true })
    cpSync(join(serving[0]!.dataDir, 'accounts.sqlite'), join(dataDir, 'accounts.sqlite'))
  }
  await Promise.all(nodes.map((node) => node.start()))

  const over = new AbortController()
  t.after(() => over.abort())
  const told: Told = perTopic(() => new Map())
  const readers = Promise.all(
    Array.from({ length: 6 }, () =>
      followAll({
        base: () => serving[Math.floor(random() * serving.length)]!.url(),
        key: key!,
        told,
        until: perTopic((topic) => expected[topic].size),
        cutAfter: () => 1 + Math.floor(random() ** 3 * 4_000),
        signal: over.signal,
      }),
    ),
  )
  readers.catch(() => {})
  const kinds = Object.keys(FAULTS)
  for (let i = 0; i < COUNT; i++) {
    await sleep(random() * 800)
    // each kind comes as often as the others, in an order of the seed
    const kind = kinds.splice(Math.floor(random() * kinds.length), 1)[0]!
    if (kinds.length === 0) kinds.push(...Object.keys(FAULTS))
    const whom = await FAULTS[kind]!({ random, nats, nodes })
    t.diagnostic(`${kind}: ${whom}, slot ${await serving[0]!.slot()}`)
  }
  await untilAllAt(nodes, alone.slot)
  const reports = await readers
  const connections = reports.reduce((sum, report) => sum + report.connections, 0)
  t.diagnostic(`${frames} frames, ${events} token events, ${connections} connections`)
  for (const { started } of reports) assert.equal(started, 0, 'a join that did not take up where the reader was')
  for (const topic of TOPICS) {
    assert.equal(told[topic].size, expected[topic].size)
    for (const [seq, payload] of expected[topic]) assert.equal(told[topic].get(seq), payload, `${topic} ${seq}`)
  }
  await assertAlike(nodes, alone.state_hash)
})
