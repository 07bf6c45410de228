import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { EXIT, OperatorError } from '@ti/service/base/errors.ts'
import { openDirectoryCheckpoints } from '@ti/service/checkpoints/directory.ts'
import { fetchCheckpoint, keepCheckpoint } from '@ti/service/checkpoints/keep.ts'
import { type Checkpoint, restoreCheckpoint } from '@ti/service/store/checkpoint.ts'
import { readCheckpointFile, writeCheckpointFile } from '@ti/service/store/checkpoint-file.ts'
import { openStore } from '@ti/service/store/open.ts'
import { markState, OTHER_FINGERPRINT } from '../support/other-fold.ts'
import { eventually } from '../support/wait.ts'
import { command, operatorOf, replay, startService } from './service.ts'

const dir = mkdtempSync(join(tmpdir(), 'checkpoint-'))
const capture = join(dir, 'market.capture')
const file = join(dir, 'some.checkpoint')
after(() => rmSync(dir, { recursive: true, force: true }))
before(() => command('capture', 'simulate', capture, '--trades', '8000', '--seed', '5'))

const run = async (dataDir: string, ...args: string[]) => {
  const { code, stdout, stderr } = await startService({ DATA_DIR: dataDir }, ['checkpoint', ...args]).exit
  return { code, stdout, stderr }
}

test('a checkpoint is made while the service runs; what is restored from it ends in the same state', async () => {
  const data = join(dir, 'data')
  const service = startService({ DATA_DIR: data, SOURCE: `capture:${capture}?speed=20`, PAYMENTS: 'off' })
  const url = await service.url
  let slot = -1
  await eventually('the service is at work', async () => {
    slot = ((await (await fetch(`${operatorOf(url)}/readyz`)).json()) as { slot: number }).slot
    return slot >= 0
  })
  const made = await run(data, 'make', file)
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stdout, /log entry \d+, slot \d+, \d+ MB/)
  service.child.kill('SIGTERM')
  assert.equal((await service.exit).code, 0)
  const twice = await run(data, 'make', file)
  assert.deepEqual([twice.code, /already exists/.test(twice.stderr)], [EXIT.failed, true])

  const restored = join(dir, 'restored')
  const back = await run(restored, 'restore', file)
  assert.equal(back.code, 0, back.stderr)
  assert.equal((await run(restored, 'restore', file)).code, EXIT.failed, 'what is there is left alone')
  const alone = await replay(capture, join(dir, 'alone'))
  for (const one of [data, restored]) assert.equal((await replay(capture, one)).state_hash, alone.state_hash)
})

/** small, so that there are many */
const PART_BYTES = 1 << 18
const made = { partBytes: PART_BYTES, nowMs: 1 }
const restoreFrom = (path: string, into: string): Promise<void> =>
  readCheckpointFile(path, (source) => restoreCheckpoint(source, into))

async function hashOf(dataDir: string): Promise<string> {
  const store = openStore(dataDir)
  try {
    return store.stateHash()
  } finally {
    await store.close()
  }
}

test('what is damaged, cut off, longer than it says, or of another build is refused, and leaves nothing behind', async () => {
  const parts = join(dir, 'parts.checkpoint')
  await writeCheckpointFile(join(dir, 'data'), parts, made)
  const sound = join(dir, 'sound')
  await restoreFrom(parts, sound)
  assert.equal(await hashOf(sound), await hashOf(join(dir, 'data')))

  const whole = readFileSync(parts)
  const end = whole.indexOf('\n')
  const header = JSON.parse(whole.toString('utf8', 0, end)) as Checkpoint
  const [state, ...log] = header.files
  assert.ok(state!.name === 'state/state.db' && state!.parts.length > 4, `${state!.parts.length} parts`)
  assert.ok(log.length > 0 && log.every(({ name }) => /^log\/\d{16}\.log$/.test(name)))
  const { bytes } = header
  const body = whole.subarray(end + 1)
  const length = body.readUInt32BE()
  const withHeader = (change: object, behind = body): Buffer =>
    Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, ...change })}\n`), behind])
  /** with other bytes as the first part */
  const withPart = (compressed: Buffer): Buffer => {
    const size = Buffer.alloc(4)
    size.writeUInt32BE(compressed.length)
    return withHeader({}, Buffer.concat([size, compressed, body.subarray(4 + length)]))
  }
  const first = gunzipSync(body.subarray(4, 4 + length))
  const flipped = Buffer.from(first)
  flipped.writeUInt8(flipped.readUInt8(first.length >> 1) ^ 1, first.length >> 1)
  const damages: Record<string, [Buffer, RegExp]> = {
    empty: [Buffer.alloc(0), /does not start/],
    'no line': [Buffer.alloc(5_000, 'x'), /does not start/],
    'other words': [Buffer.from('{"checkpoint":3}\n'), /does not start/],
    'cut off': [whole.subarray(0, whole.length >> 1), /truncated/],
    'cut off by a part': [whole.subarray(0, end + 5 + length), /truncated/],
    'longer than it says': [Buffer.concat([whole, Buffer.from('more')]), /more data/],
    'not compressed': [withPart(Buffer.from('nothing')), /header check/],
    'one bit': [withPart(gzipSync(flipped)), /not what its header says/],
    'a bomb': [withPart(gzipSync(Buffer.alloc(PART_BYTES + 1))), /larger than/],
    'too short': [withPart(gzipSync(first.subarray(1))), /not what its header says/],
    'one part less': [
      withHeader({ files: [{ ...state, parts: state!.parts.slice(1) }, ...log] }, body.subarray(4 + length)),
      /does not start/,
    ],
    'another size in all': [withHeader({ bytes: bytes + 1 }), /does not start/],
    'another size': [
      withHeader({ bytes: bytes + 1, files: [{ ...state, bytes: state!.bytes + 1 }, ...log] }),
      /not what its header says|does not start/,
    ],
    'a file twice': [withHeader({ bytes: bytes * 2, files: [...header.files, ...header.files] }), /does not start/],
    'a file elsewhere': [withHeader({ files: [{ ...state, name: '../state.db' }, ...log] }), /does not start/],
    'another format': [withHeader({ checkpoint: 2 }), /its format is 2, this program reads 3.*`checkpoint make`/],
    'another build': [
      withHeader({ fingerprint: OTHER_FINGERPRINT }),
      /another build.*0123456789abcdef.*`checkpoint make`/,
    ],
  }
  for (const [name, [bytes, why]] of Object.entries(damages)) {
    const damaged = join(dir, 'damaged.checkpoint')
    writeFileSync(damaged, bytes)
    const into = join(dir, name)
    mkdirSync(into)
    await assert.rejects(
      restoreFrom(damaged, into),
      (error) => error instanceof OperatorError && why.test(error.message),
      name,
    )
    assert.deepEqual(readdirSync(into), [], name)
  }
})

test('a checkpointStore keeps the newest two, makes none before it is due, and passes over one that is damaged', async () => {
  const checkpointStore = openDirectoryCheckpoints(join(dir, 'checkpoints'))
  const parts = { partBytes: PART_BYTES, retention: { checkpoints: 2, othersMs: 1_000, incompleteMs: 1_000 } }
  const keep = (nowMs: number) =>
    keepCheckpoint(checkpointStore, { dataDir: join(dir, 'data'), nowMs, everyMs: 100, ...parts })
  const times = async () => (await checkpointStore.list()).map(({ header }) => header.madeMs)
  writeFileSync(join(dir, 'checkpoints', '7-01234567.checkpoint.partial'), 'half')
  writeFileSync(join(dir, 'checkpoints', 'notes.txt'), 'of the operator')
  assert.equal((await keep(5_000))?.madeMs, 5_000)
  assert.equal(await keep(5_050), null)
  for (const nowMs of [5_100, 5_200]) await keep(nowMs)
  assert.deepEqual(await times(), [5_200, 5_100])
  const future = Date.now() + 60_000
  await keep(future)
  assert.deepEqual(await times(), [future, 5_200])
  assert.deepEqual(
    readdirSync(join(dir, 'checkpoints')).filter((name) => !name.endsWith('.checkpoint')),
    ['notes.txt'],
    'what was left half done is gone, what is not ours stays',
  )

  const [newest] = await checkpointStore.list()
  const path = join(dir, 'checkpoints', newest!.id)
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 40) ^ 1, bytes.length - 40)
  writeFileSync(path, bytes)
  const bad: string[] = []
  const fetch = (into: string, seq: number) => {
    const onBad = (error: Error): void => void bad.push(error.message)
    return fetchCheckpoint(checkpointStore, { dataDir: into, seq, onBad })
  }
  const into = join(dir, 'fetched')
  assert.equal((await fetch(into, -1))?.madeMs, 5_200)
  assert.equal(bad.length, 1)
  assert.equal(await hashOf(into), await hashOf(join(dir, 'data')))
  assert.equal(await fetch(into, newest!.header.seq), null, 'what is there is as new')
  assert.equal((await fetch(into, newest!.header.seq - 1))?.madeMs, 5_200, 'what is there gives way to what is newer')
  assert.equal(await hashOf(into), await hashOf(join(dir, 'data')))

  // of another build: never used, and kept for a while
  const [header = '', ...body] = readFileSync(path, 'latin1').split('\n')
  const theirs = JSON.stringify({ ...JSON.parse(header), fingerprint: OTHER_FINGERPRINT, seq: 900_000 })
  const at = join(dir, 'checkpoints', '900000-89abcdef.checkpoint')
  writeFileSync(at, [theirs, ...body].join('\n'), 'latin1')
  assert.deepEqual(await times(), [future, future, 5_200])
  assert.equal((await fetch(join(dir, 'fetched-again'), -1))?.madeMs, 5_200)
  await keep(future + 1_000)
  assert.ok(existsSync(at), 'a node of that build may start from it')
  await keep(future + 1_101)
  assert.equal(existsSync(at), false)
})

test('the log of a data directory is folded anew, also in two goes', async () => {
  const [old, anew] = [join(dir, 'data'), join(dir, 'anew')]
  const short = join(dir, 'short.capture')
  await command('capture', 'simulate', short, '--trades', '2000', '--seed', '5')
  await replay(short, anew)
  const { code, stdout, stderr } = await run(anew, 'refold', old)
  assert.equal(code, 0, stderr)
  assert.match(stdout, new RegExp(await hashOf(old)))
  assert.equal(await hashOf(anew), await hashOf(old))
  markState(anew, { fingerprint: OTHER_FINGERPRINT })
  assert.equal((await run(anew, 'make', join(dir, 'of-before.checkpoint'))).code, EXIT.badFile)
  const back = await run(join(dir, 'half'), 'refold', anew)
  assert.equal(back.code, 0, back.stderr)
  assert.equal(await hashOf(join(dir, 'half')), await hashOf(old))
})
