import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { open } from 'lmdb'
import { OperatorError } from '../../src/base/errors.ts'
import { LIMITS } from '../../src/config/limits.ts'
import { FORMULAS_VERSION } from '../../src/engine/constants.ts'
import { encodeEntry } from '../../src/log/codec.ts'
import { openNode, type Preparation } from '../../src/service/node.ts'
import { putFault } from '../soak/fault.ts'
import { feedMarket } from '../soak/feed.ts'
import { createMarket } from '../soak/market.ts'
import { seed } from '../support/chance.ts'

/** A directory of the last release, whose library cannot commit to it any more, becomes one of this release. */
const SEED = seed(17)
const ENTRIES = 400
/** the conversion, and the fold behind it, in several pieces */
const PIECES = { refoldEntries: 100, commitRepair: { events: 400 } }
Object.assign(LIMITS, PIECES)

const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'last-release-'))
process.on('exit', () => rmSync(base, { recursive: true, force: true }))
const market = createMarket(SEED, 'live')
const old = join(base, 'old')
let plainHash = ''
let oldDigest = ''

const digestOf = (dir: string): string =>
  createHash('sha256')
    .update(readFileSync(join(dir, 'data.mdb')))
    .digest('hex')

before(async () => {
  await writeLastRelease(old)
  const counts = await putFault(old)
  oldDigest = digestOf(old)
  const twin = await openNode(join(base, 'twin'))
  await feedMarket(twin, market, { end: ENTRIES, commitEvents: 1_000 })
  plainHash = twin.store.stateHash()
  await twin.close()
  assert.equal(counts.length, 2)
})

/** What a store of format 3 held of its log, and what it said of itself. */
async function writeLastRelease(dir: string): Promise<void> {
  mkdirSync(dir)
  const root = open({ path: dir, noSubdir: false, overlappingSync: false, encoding: 'binary', maxDbs: 20 })
  const meta = root.openDB('meta', { encoding: 'json', keyEncoding: 'ordered-binary' })
  const log = root.openDB<Buffer, number>('log', { encoding: 'binary', keyEncoding: 'uint32' })
  root.transactionSync(() => {
    meta.putSync('versions', { format: 3, formulas: FORMULAS_VERSION })
    for (let seq = 0; seq < ENTRIES; seq++) log.putSync(seq, Buffer.from(encodeEntry(market.entry(seq))))
  })
  await root.close()
}

function copyOfOld(name: string): string {
  const dir = join(base, name)
  cpSync(old, dir, { recursive: true })
  return dir
}

/** Opens it to the end; what was told on the way. */
async function openWhole(dir: string): Promise<Preparation[]> {
  const told: Preparation[] = []
  const node = await openNode(dir, { onPreparation: (one) => told.push(one) })
  assert.equal(node.store.log.newest(), ENTRIES - 1)
  for (const seq of [0, 1, 199, ENTRIES - 1]) {
    assert.deepEqual(node.store.log.bytes(seq, 1)[0], Buffer.from(encodeEntry(market.entry(seq))))
  }
  assert.equal(node.store.stateHash(), plainHash)
  await node.close()
  assert.equal(digestOf(dir), oldDigest, 'the old file was changed')
  return told
}

test('its library fails to commit to it, this program converts it, and the old file stays as it was', async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const written = copyOfOld('written')
  const fault = join(import.meta.dirname, '../soak/fault.ts')
  const child = spawnSync(process.execPath, ['--import', 'tsx', fault, '--commit', written], { encoding: 'utf8' })
  assert.notEqual(child.status, 0, 'the fault is not there: a commit succeeded')
  t.diagnostic(
    `a commit through lmdb: ${child.signal ?? `code ${child.status}`} ${/MDB_\w+|zero size key/.exec(child.stderr)?.[0] ?? ''}`,
  )

  const dir = copyOfOld('converted')
  const told = await openWhole(dir)
  for (const what of ['converting the log of the last release', 'folding the log'] as const) {
    const steps = told.filter((one) => one.what === what)
    assert.ok(steps.length >= 3, `${what}: ${steps.length} steps were told`)
    assert.ok(steps.every(({ done, of }, i) => of === ENTRIES && done > (steps[i - 1]?.done ?? 0)))
    assert.equal(steps.at(-1)!.done, ENTRIES)
  }
  const again = await openWhole(dir)
  assert.deepEqual(again, [], 'the second start converts or folds again')
})

test('an interruption at any step goes on at the next opening', async () => {
  const dir = copyOfOld('interrupted')
  let interruptions = 0
  const seen = new Map<string, number>()
  for (;;) {
    const stop = new AbortController()
    let steps = 0
    const onPreparation = ({ what, done }: Preparation): void => {
      assert.ok(done > (seen.get(what) ?? 0), `${what} begins anew: ${done} after ${seen.get(what)}`)
      if (what.startsWith('converting')) seen.set(what, done)
      if (++steps === 1) stop.abort()
    }
    try {
      const node = await openNode(dir, { onPreparation, signal: stop.signal })
      await node.close()
      break
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      assert.match(error.message, /interrupted: the next start continues/)
      interruptions++
    }
  }
  assert.ok(interruptions >= 4, `${interruptions} interruptions`)
  await openWhole(dir)
})

/** Ends itself at its n-th step. */
const killed = `
  const { LIMITS } = await import(${JSON.stringify(new URL('../../src/config/limits.ts', import.meta.url).href)})
  const { openNode } = await import(${JSON.stringify(new URL('../../src/service/node.ts', import.meta.url).href)})
  Object.assign(LIMITS, ${JSON.stringify(PIECES)})
  let left = Number(process.argv[2])
  await openNode(process.argv[1], { onPreparation: () => { if (--left === 0) process.kill(process.pid, 'SIGKILL') } })
  process.exit(0)`

test('a SIGKILL in the middle of the conversion, or of the fold behind it, loses nothing', async () => {
  const dir = copyOfOld('killed')
  for (const step of [2, 3, 2]) {
    const args = ['--import', 'tsx', '--input-type=module', '-e', killed, dir, String(step)]
    const { signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(signal, 'SIGKILL', stderr)
  }
  await openWhole(dir)
})
