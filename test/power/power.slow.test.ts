import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openSegmentLog } from '@ti/service/log/segments/segment-log.ts'
import { seed } from '../support/chance.ts'
import { afterPowerCut, filesIn, generator, writtenTo } from './cut.ts'
import { buildRecorder, type Operation, readJournal, recording } from './journal.ts'

const SEED = seed(17)
const CUTS = 200
const ENTRIES = 400
const BOUNDS = {
  bytes: 16_384,
  batchBytes: 1 << 20,
  readBytes: 4_096,
  markBytes: 1_024,
  open: 2,
}

const href = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)

/** Batches of 1 to 4 entries of up to 3 kB; the number of synced ones is written to `acknowledged`. */
const writer = `
  import { appendFileSync } from 'node:fs'
  const { openSegmentLog } = await import(${href('../../packages/service/src/log/segments/segment-log.ts')})
  const dir = process.argv[1]
  const log = openSegmentLog(dir + '/log', { bounds: ${JSON.stringify(BOUNDS)} })
  while (log.next() < ${ENTRIES}) {
    for (let left = 1 + (log.next() % 4); left > 0; left--) {
      const seq = log.next()
      log.append(seq, Buffer.alloc((seq * 997) % 3000, seq % 251))
    }
    log.sync()
    appendFileSync(dir + '/acknowledged', log.newest() + '\\n')
  }
  log.close()`

/** Node's ways to change files: at once and later, appended, renamed, truncated, copied, vectors. */
const filesWriter = `
  import * as fs from 'node:fs'
  const dir = process.argv[1]
  fs.mkdirSync(dir + '/below/deep', { recursive: true })
  fs.writeFileSync(dir + '/below/a', Buffer.alloc(70_000, 1))
  fs.appendFileSync(dir + '/below/a', 'more')
  await fs.promises.writeFile(dir + '/b', 'text')
  fs.renameSync(dir + '/b', dir + '/below/deep/c')
  fs.copyFileSync(dir + '/below/a', dir + '/copy')
  const file = fs.openSync(dir + '/d', 'w+')
  fs.writevSync(file, [Buffer.from('one'), Buffer.from('two')])
  fs.writevSync(file, [Buffer.from('three'), Buffer.from('four')], 100)
  fs.writeSync(file, 'five', 20)
  fs.ftruncateSync(file, 105)
  fs.closeSync(file)
  fs.truncateSync(dir + '/below/a', 60_000)
  fs.writeFileSync(dir + '/gone', 'x')
  fs.unlinkSync(dir + '/gone')
  fs.writeFileSync(dir + '/over', 'x')
  fs.renameSync(dir + '/copy', dir + '/over')
  const stream = fs.createWriteStream(dir + '/stream')
  for (let i = 0; i < 50; i++) stream.write('line ' + i)
  await new Promise((resolve) => stream.end(resolve))`

/** Runs `script` to its end on an empty directory and returns what it did to it. */
function record(t: TestContext, script: string): { dir: string; room: string; operations: Operation[] } | null {
  const room = mkdtempSync(join(tmpdir(), 'power-'))
  t.after(() => rmSync(room, { recursive: true, force: true }))
  const built = buildRecorder(room)
  if ('reason' in built) {
    t.skip(built.reason)
    return null
  }
  const [dir, journal] = [join(room, 'data'), join(room, 'journal')]
  mkdirSync(dir)
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, dir], {
    stdio: 'inherit',
    env: { ...process.env, ...recording(built.library, dir, journal) },
  })
  assert.equal(status, 0)
  return { dir, room, operations: readJournal(journal) }
}

function assertComplete(recorded: { dir: string; room: string; operations: Operation[] }): void {
  const into = join(recorded.room, 'all')
  mkdirSync(into)
  afterPowerCut(recorded.operations, recorded.operations.length, 'kept', into)
  const [rebuilt, real] = [filesIn(into), filesIn(recorded.dir)]
  assert.deepEqual([...rebuilt.keys()].sort(), [...real.keys()].sort())
  for (const [path, bytes] of real) assert.ok(bytes.equals(rebuilt.get(path)!), `${path} is rebuilt wrongly`)
}

test("the journal has everything that node's file functions do", (t) => {
  const recorded = record(t, filesWriter)
  if (recorded === null) return
  assertComplete(recorded)
  assert.equal(filesIn(recorded.dir).size, 5)
})

test(`${CUTS} power cuts: the log holds everything it acknowledged, and nothing that was not appended`, (t) => {
  t.diagnostic(`seed ${SEED}`)
  const recorded = record(t, writer)
  if (recorded === null) return
  assertComplete(recorded)
  const { operations, room } = recorded
  const random = generator(SEED)
  let dropped = 0
  let beyond = 0
  for (let cut = 0; cut < CUTS; cut++) {
    const count = random(operations.length + 1)
    const into = join(room, `cut${cut}`)
    mkdirSync(into)
    afterPowerCut(operations, count, cut % 4 === 0 ? 'dropped' : { seed: SEED * 1_000 + cut }, into)
    const said = writtenTo(operations, count, 'acknowledged').trim().split('\n').at(-1)!
    const acknowledged = said === '' ? -1 : Number(said)
    const log = openSegmentLog(join(into, 'log'), { bounds: BOUNDS })
    const newest = log.newest()
    assert.ok(newest >= acknowledged, `cut ${cut} at ${count}: ${acknowledged} was acknowledged, ${newest} is there`)
    if (newest > acknowledged) beyond++
    if (log.droppedBytes > 0) dropped++
    for (const [seq, bytes] of log.bytes(0, ENTRIES * 2).entries())
      assert.deepEqual(bytes, Buffer.alloc((seq * 997) % 3000, seq % 251))
    log.append(log.next(), Buffer.from('goes on'))
    log.sync()
    log.close()
    rmSync(into, { recursive: true })
  }
  t.diagnostic(
    `${operations.length} operations; ${dropped} cuts left a torn tail, ${beyond} a batch not yet acknowledged`,
  )
  assert.ok(dropped > 0 && beyond > 0, 'no cut fell into a write')
})

test('without the syncs behind its entries the same cuts show that acknowledged entries are lost', (t) => {
  const recorded = record(t, writer)
  if (recorded === null) return
  const synced = new Set<string>()
  // the first sync of a segment is the one of its header
  const operations = recorded.operations.filter(({ op, path }) => {
    if (op !== 'sync' || !synced.has(path)) return synced.add(op === 'sync' ? path : '')
    return false
  })
  const count = operations.findIndex(({ path }) => path === 'acknowledged') + 4
  assert.notEqual(writtenTo(operations, count, 'acknowledged'), '')
  const into = join(recorded.room, 'unsynced')
  mkdirSync(into)
  afterPowerCut(operations, count, 'dropped', into)
  const log = openSegmentLog(join(into, 'log'), { bounds: BOUNDS })
  assert.equal(log.newest(), -1)
  log.close()
})

/** Appends until the disk fails, says what was synced and that everything is refused since, and ends in peace. */
const failingWriter = `
  const { writeSync } = await import('node:fs')
  const { openSegmentLog } = await import(${href('../../packages/service/src/log/segments/segment-log.ts')})
  const { OperatorError } = await import(${href('../../packages/service/src/base/errors.ts')})
  const refused = (call) => {
    try {
      call()
    } catch (error) {
      if (error instanceof OperatorError && /cannot be (written|opened): .*: (ENOSPC|EIO)/.test(error.message)) return true
      throw error
    }
    return false
  }
  let log
  let newest = -1
  if (!refused(() => { log = openSegmentLog(process.argv[1] + '/log', { bounds: ${JSON.stringify(BOUNDS)} }) })) {
    for (;;) {
      const seq = log.next()
      log.append(seq, Buffer.alloc(9000, seq))
      if (refused(() => log.sync())) break
      newest = log.newest()
    }
    for (const call of [() => log.sync(), () => log.newest(), () => log.bytes(0, 1), () => log.append(newest + 1, Buffer.alloc(1))])
      if (!refused(call)) throw new Error('a failed log goes on: ' + call)
    log.close()
  }
  writeSync(1, String(newest))`

test('a full or failing disk at any change: nothing is acknowledged after it, and everything before it is kept', (t) => {
  const room = mkdtempSync(join(tmpdir(), 'power-'))
  t.after(() => rmSync(room, { recursive: true, force: true }))
  const built = buildRecorder(room)
  if ('reason' in built) return t.skip(built.reason)
  const script = ['--import', 'tsx', '--input-type=module', '-e', failingWriter]
  let most = -1
  for (let at = 1; at <= 20; at++) {
    const [dir, journal] = [join(room, `data${at}`), join(room, `journal${at}`)]
    mkdirSync(dir)
    const errno: number = at % 2 === 0 ? constants.errno.ENOSPC : constants.errno.EIO
    const child: { status: number | null; stdout: string } = spawnSync(process.execPath, [...script, dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      env: { ...process.env, ...recording(built.library, dir, journal, { at, errno }) },
    })
    assert.equal(child.status, 0, `the disk failed at change ${at}`)
    const acknowledged = Number(child.stdout)
    const log = openSegmentLog(join(dir, 'log'), { bounds: BOUNDS })
    // the batch whose sync failed may be there whole, and is then synced by this opening
    assert.ok(log.newest() === acknowledged || log.newest() === acknowledged + 1, `${log.newest()} of ${acknowledged}`)
    for (const [seq, bytes] of log.bytes(0, 1_000).entries()) assert.deepEqual(bytes, Buffer.alloc(9000, seq))
    log.append(log.next(), Buffer.from('goes on'))
    log.sync()
    log.close()
    most = Math.max(most, acknowledged)
  }
  assert.ok(most >= 3, `at most ${most} entries were written before the disk failed: no segment was rotated`)
})
