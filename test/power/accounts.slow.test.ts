import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Acknowledged, checkAcknowledged } from '../simulation/accounts-acknowledged.ts'
import { runs, seed } from '../support/chance.ts'
import { scriptArgs } from '../support/script.ts'
import { afterPowerCut, generator, writtenTo } from './cut.ts'
import { buildRecorder, type FailingDisk, readJournal, recording } from './journal.ts'

/** Power cuts and failing disks under payments, keys, deposits and alerts on the embedded database. */
const SEED = seed(36)
const CUTS = runs(200)
const ROUNDS = 60
const FAILURES = runs(20)

const WORKER = fileURLToPath(new URL('../simulation/accounts-worker.ts', import.meta.url))
const ACKNOWLEDGED = 'acknowledged'

interface Room {
  readonly path: string
  readonly library: string
}

function makeRoom(t: TestContext): Room | null {
  const path = mkdtempSync(join(tmpdir(), 'power-accounts-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  const built = buildRecorder(path)
  if (!('reason' in built)) return { path, ...built }
  t.skip(built.reason)
  return null
}

function run({ path, library }: Room, name: string, fails?: FailingDisk) {
  const [dir, journal] = [join(path, name), join(path, `${name}-journal`)]
  mkdirSync(join(dir, 'data'), { recursive: true })
  const args = [...scriptArgs(WORKER), join(dir, 'data'), String(SEED), String(ROUNDS)]
  const env = { ...process.env, ...recording(library, dir, journal, fails), ACKNOWLEDGED: join(dir, ACKNOWLEDGED) }
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 120_000 })
  return { dir, journal, status, stderr }
}

test(`${CUTS} power cuts: everything acknowledged is there, nothing twice`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const room = makeRoom(t)
  if (room === null) return
  const { journal, status, stderr } = run(room, 'cut')
  assert.equal(status, 0, stderr)
  const operations = readJournal(journal)
  const random = generator(SEED)
  let payments = 0
  let begun = 0
  for (let cut = 0; cut < CUTS; cut++) {
    const count = random(operations.length + 1)
    const into = join(room.path, `cut-${cut}`)
    mkdirSync(into)
    afterPowerCut(operations, count, cut % 4 === 0 ? 'dropped' : { seed: SEED * 1_000 + cut }, into)
    const heard = new Acknowledged()
    heard.hear(writtenTo(operations, count, ACKNOWLEDGED))
    payments += heard.payments.size
    if (heard.accounts.size > 0) begun++
    const dataDir = join(into, 'data')
    mkdirSync(dataDir, { recursive: true })
    await checkAcknowledged(dataDir, heard).catch((error: Error) => {
      throw new Error(`cut ${cut} behind ${count} of ${operations.length}: ${error.message}`, { cause: error })
    })
    rmSync(into, { recursive: true })
  }
  t.diagnostic(`${operations.length} operations; ${payments} payments were looked for, ${begun} cuts with accounts`)
  assert.ok(payments > CUTS && begun > CUTS / 2)
})

test('without the syncs behind its commits the same cut shows that acknowledged payments are lost', async (t) => {
  const room = makeRoom(t)
  if (room === null) return
  const { journal, status, stderr } = run(room, 'unsynced')
  assert.equal(status, 0, stderr)
  const all = readJournal(journal)
  const from = all.findIndex(({ op, path }) => op === 'write' && path === ACKNOWLEDGED)
  const operations = all.filter(({ op }, i) => op !== 'sync' || i < from)
  const into = join(room.path, 'cut-unsynced')
  mkdirSync(into)
  afterPowerCut(operations, operations.length, 'dropped', into)
  const heard = new Acknowledged()
  heard.hear(writtenTo(operations, operations.length, ACKNOWLEDGED))
  await assert.rejects(checkAcknowledged(join(into, 'data'), heard), /is gone/)
})

test(`a full or failing disk at ${FAILURES} changes: what was acknowledged before is there, and nothing hangs`, async (t) => {
  const room = makeRoom(t)
  if (room === null) return
  const random = generator(SEED)
  let acknowledged = 0
  for (let n = 0; n < FAILURES; n++) {
    const errno: number = n % 2 === 0 ? constants.errno.ENOSPC : constants.errno.EIO
    const { dir, status, stderr } = run(room, `failing-${n}`, { at: 20 + random(600), errno })
    assert.notEqual(status, null, `hangs: ${stderr}`)
    const said = join(dir, ACKNOWLEDGED)
    const heard = new Acknowledged()
    if (existsSync(said)) heard.hear(readFileSync(said, 'utf8'))
    acknowledged += heard.payments.size
    await checkAcknowledged(join(dir, 'data'), heard)
    rmSync(dir, { recursive: true })
  }
  t.diagnostic(`${acknowledged} payments were acknowledged before the disk failed`)
  assert.ok(acknowledged > 0)
})
