import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { seed } from '../../../../test/support/chance.ts'
import { drained } from '../../../../test/support/drained.ts'
import { emptyDir } from '../../../../test/support/store-scene.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { createEntryStream } from '../ingest/entries.ts'
import { DamagedLog } from '../log/segments/damaged.ts'
import { missingSegments, readLater } from '../log/segments/missing-segments.ts'
import { SEGMENTS } from '../log/segments/segment-file.ts'
import { openSegmentLog } from '../log/segments/segment-log.ts'
import { verifyingSegments } from '../log/segments/verify.ts'
import { COMMIT_REPLAY, openNode } from '../service/node.ts'
import { writeCheckpointFile } from '../store/checkpoint-file.ts'
import { logDir, openStore, stateDir } from '../store/open.ts'
import type { CheckpointStore } from './checkpoint-store.ts'
import { openDirectoryCheckpoints } from './directory.ts'
import { fetchMissingSegments } from './fetch-segments.ts'
import { fetchCheckpoint, type KeepOptions, keepCheckpoint } from './keep.ts'

const SEED = seed()
/** Small, so that there are many segments and parts. */
const SEGMENT_BYTES = 16_000
const PART_BYTES = 5_000

let dir = ''
let data = ''
let checkpointStore: CheckpointStore
after(() => rmSync(dir, { recursive: true, force: true }))
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'segments-'))
  data = join(dir, 'data')
  const node = await openNode(data)
  const market = createSimulator({ seed: 11, speed: 0, trades: 1_500 })
  const entries = createEntryStream(market)
  await node.feed(entries, { commit: COMMIT_REPLAY }).run(new AbortController().signal)
  const all = node.store.log.bytes(0, Number.MAX_SAFE_INTEGER)
  const { id } = node.store.log
  const begin = { id, seq: 0, chain: node.store.log.chain(-1)! }
  await node.close()
  // the same log in small segments
  rmSync(logDir(data), { recursive: true })
  const log = openSegmentLog(logDir(data), { bounds: { ...SEGMENTS, bytes: SEGMENT_BYTES }, begin })
  for (const [seq, bytes] of all.entries()) {
    log.append(seq, bytes)
    log.sync()
  }
  log.close()
  checkpointStore = openDirectoryCheckpoints(join(dir, 'checkpoints'))
  assert.ok((await keepCheckpoint(checkpointStore, keeping(data))) !== null)
})

const keeping = (dataDir: string): KeepOptions => ({ dataDir, nowMs: 1, everyMs: 0, partBytes: PART_BYTES })

const onBad = (error: Error): never => assert.fail(error)

/** A node that started with the state only. */
async function young(t: TestContext): Promise<string> {
  const dataDir = join(emptyDir(t), 'young')
  mkdirSync(dataDir)
  const began = await fetchCheckpoint(checkpointStore, {
    dataDir,
    seq: -1,
    logLater: true,
    onBad,
  })
  assert.ok(began !== null)
  return dataDir
}

const segmentsIn = (dataDir: string): string[] => readdirSync(logDir(dataDir)).filter((name) => name.endsWith('.log'))

async function hashOf(dataDir: string): Promise<string> {
  const store = openStore(dataDir)
  try {
    return store.stateHash()
  } finally {
    await store.close()
  }
}

/** Checks that the files have the same bytes, and that the state folded from them alone is the same. */
async function assertWhole(t: TestContext, dataDir: string): Promise<void> {
  assert.equal(readLater(logDir(dataDir)), null)
  assert.deepEqual(segmentsIn(dataDir), segmentsIn(data))
  for (const name of segmentsIn(data)) {
    assert.ok(readFileSync(join(logDir(dataDir), name)).equals(readFileSync(join(logDir(data), name))), name)
  }
  const again = join(emptyDir(t), 'again')
  cpSync(dataDir, again, { recursive: true })
  rmSync(stateDir(again), { recursive: true })
  await (await openNode(again)).close()
  assert.equal(await hashOf(again), await hashOf(data))
}

test('a node begins with the state and the newest segment, and what it lacks is known', async (t) => {
  const dataDir = await young(t)
  assert.ok(segmentsIn(data).length > 10, `${segmentsIn(data).length} segments`)
  assert.deepEqual(segmentsIn(dataDir), segmentsIn(data).slice(-1))
  assert.equal(missingSegments(logDir(dataDir)).length, segmentsIn(data).length - 1)
  assert.equal(await hashOf(dataDir), await hashOf(data))
  const verified = drained(verifyingSegments(logDir(dataDir)))
  assert.deepEqual([verified.whole, verified.segments.length], [true, 1])
  // it continues, and makes no checkpoint of an incomplete log
  await (await openNode(dataDir)).close()
  assert.equal(await keepCheckpoint(checkpointStore, keeping(dataDir)), null)
  await assert.rejects(
    writeCheckpointFile(dataDir, join(dataDir, 'some.checkpoint'), { nowMs: 1, partBytes: PART_BYTES }),
    /still lacks \d+ of its older segments.*checkpoint later/,
  )
  // an incomplete log cannot be folded
  rmSync(stateDir(dataDir), { recursive: true })
  await assert.rejects(openNode(dataDir), /cannot be folded.*the next start uses the newest/)
  await fetchCheckpoint(checkpointStore, { dataDir, seq: -1, logLater: true, onBad })
  assert.equal(await hashOf(dataDir), await hashOf(data))
})

test('what it lacks comes newest first, beside the node that is in use, and is the same log in the end', async (t) => {
  const dataDir = await young(t)
  const node = await openNode(dataDir)
  const seen: string[] = []
  const progress = (): void => void seen.push(segmentsIn(dataDir)[0]!)
  const came = await fetchMissingSegments(checkpointStore, { dataDir, progress, onBad })
  await node.close()
  assert.deepEqual(seen, segmentsIn(data).slice(0, -1).reverse())
  assert.equal(came, seen.length)
  assert.equal(await fetchMissingSegments(checkpointStore, { dataDir, onBad }), 0)
  await assertWhole(t, dataDir)
  assert.ok((await keepCheckpoint(openDirectoryCheckpoints(join(dataDir, 'own')), keeping(dataDir))) !== null)
})

/** Fails at the `at`th requested part, or returns wrong bytes. */
function faulty(at: number, fault: 'ends' | 'bytes'): CheckpointStore {
  let asked = 0
  return {
    ...checkpointStore,
    read: (id, read) =>
      checkpointStore.read(id, (source) =>
        read({
          ...source,
          async part(part) {
            if (++asked !== at) return source.part(part)
            if (fault === 'ends') throw new Error('the connection ended')
            const bytes = Buffer.from(await source.part(part))
            bytes[bytes.length >> 1]! ^= 1
            return bytes
          },
        }),
      ),
  }
}

test('whatever ends it, only whole segments have come, and the next try goes on', async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const dataDir = await young(t)
  let random = SEED
  for (let round = 0; round < 12 && readLater(logDir(dataDir)) !== null; round++) {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 1
    const bad: string[] = []
    const cut = faulty(1 + (random % 12), round % 2 === 0 ? 'ends' : 'bytes')
    await fetchMissingSegments(cut, { dataDir, onBad: ({ message }) => void bad.push(message) }).catch((error: Error) =>
      assert.ok(error instanceof OperatorError, error.message),
    )
    assert.ok(
      bad.every((why) => /connection ended|not what its header says|part \d+: /.test(why)),
      bad.join(),
    )
    assert.equal(drained(verifyingSegments(logDir(dataDir))).whole, true)
    assert.equal(existsSync(join(dataDir, 'log-fetching')), false)
    await (await openNode(dataDir)).close()
  }
  await fetchMissingSegments(checkpointStore, { dataDir, onBad })
  await assertWhole(t, dataDir)
})

test('killed at any moment, it goes on where it was', async (t) => {
  const dataDir = await young(t)
  const child = join(import.meta.dirname, '../../../../test/simulation/later-killed.ts')
  const before = missingSegments(logDir(dataDir)).length
  for (const [at, where] of [
    [1, 'part'],
    [1, 'segment'],
    [3, 'part'],
    [2, 'segment'],
    [8, 'part'],
  ] as const) {
    const task = JSON.stringify({ dataDir, from: join(dir, 'checkpoints'), at, where })
    const { signal } = spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), child, task])
    assert.equal(signal, 'SIGKILL')
    await (await openNode(dataDir)).close()
  }
  const missing = missingSegments(logDir(dataDir)).length
  assert.ok(missing > 0 && missing <= before - 3, `${before} were missing, ${missing} are`)
  await fetchMissingSegments(checkpointStore, { dataDir, onBad })
  await assertWhole(t, dataDir)
})

test('a checkpoint that went away is replaced by one with the same segments, and by nothing else', async (t) => {
  const dataDir = await young(t)
  const before = await checkpointStore.list()
  const newer = await keepCheckpoint(checkpointStore, { ...keeping(data), nowMs: 2 })
  assert.ok(newer !== null)
  for (const { id } of before) await checkpointStore.remove(id)
  await fetchMissingSegments(checkpointStore, { dataDir, onBad })
  await assertWhole(t, dataDir)

  const lonely = await young(t)
  const other = openDirectoryCheckpoints(join(lonely, 'other'))
  await assert.rejects(
    fetchMissingSegments(other, { dataDir: lonely, onBad }),
    (error) => error instanceof OperatorError && error.exitCode === EXIT.badFile && /no longer has/.test(error.message),
  )
  await (await openNode(lonely)).close()
})

test('a log without its beginning is damaged where nothing says that it is on its way', async (t) => {
  const dataDir = await young(t)
  rmSync(join(logDir(dataDir), 'later.json'))
  await assert.rejects(openNode(dataDir), (error) => error instanceof DamagedLog && /is missing/.test(error.message))
})
