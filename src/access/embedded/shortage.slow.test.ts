import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql as statement } from 'kysely'
import { runs, seed } from '../../../test/support/chance.ts'
import { temporaryDatabase } from '../../../test/support/database.ts'
import { seededRandom } from '../../../test/support/random.ts'
import { processTroubles } from '../../base/troubles.ts'
import { type Database, openDatabase } from '../sql/database.ts'
import { DatabaseAway } from '../sql/pool.ts'
import { createLedger } from '../x402/ledger.ts'
import { makeCopy } from './copies.ts'

const embedded = { skip: process.env.TEST_DATABASE_URL ? 'the database of this run is not embedded' : false }
const SEED = seed(19)
const ROUNDS = runs(6)
/** writes of an opening that end early, one after the other */
const OPENINGS = 4
/** milliseconds until a condition counts as never met: only there to end a test that has failed */
const PATIENCE_MS = 120_000

const real = { writeSync: fs.writeSync, openSync: fs.openSync, writeFileSync: fs.writeFileSync }

function failing(code: string, syscall: string): never {
  throw Object.assign(new Error(`${code}: made for this test, ${syscall}`), { code, syscall })
}

/**
 * From the next call on, or the one after `after` others, the system takes nothing; `short`: the first write ends early;
 * `once`: and whatever follows has room again. Answers whether any call was hit.
 */
function take(what: 'ENOSPC' | 'EFBIG' | 'EMFILE', { after = 0, short = false, once = false } = {}): () => boolean {
  let calls = 0
  let shortened = !short
  const isOver = (): boolean => calls++ >= after
  if (what === 'EMFILE') {
    fs.openSync = (...given) => (isOver() ? failing(what, 'open') : real.openSync(...given))
  } else {
    fs.writeSync = ((...given: [number, Uint8Array, number?, number?, number?]) => {
      const [file, bytes, offset = 0, length = bytes.byteLength - offset, position] = given
      if (!isOver() || (once && shortened)) return real.writeSync(...given)
      if (shortened || length < 2) failing(what, 'write')
      shortened = true
      return real.writeSync(file, bytes, offset, length >> 1, position)
    }) as typeof fs.writeSync
    if (!once) fs.writeFileSync = (...given) => (isOver() ? failing(what, 'write') : real.writeFileSync(...given))
  }
  syncBuiltinESMExports()
  return () => calls > after
}

function giveBack(): void {
  Object.assign(fs, real)
  syncBuiltinESMExports()
}

interface Scene {
  readonly database: Database
  readonly dataDir: string
  /** payments of which the ledger has said that they are in it */
  readonly acknowledged: Set<string>
  pay(): Promise<void>
}

async function open(t: TestContext): Promise<Scene> {
  const database = await temporaryDatabase(t)
  t.after(giveBack)
  const ledger = createLedger({ database, now: Date.now })
  const acknowledged = new Set<string>()
  let next = 0
  return {
    database,
    dataDir: database.options.dataDir,
    acknowledged,
    async pay() {
      const hash = String(next++).padStart(64, '0')
      const facts = { operation: 'o', request: 'r', amount: 1, payer: `p${next}`, blockhash: 'b' }
      const { claim } = await ledger.reserve({ hash, ...facts })
      if (claim !== null) acknowledged.add(hash)
    },
  }
}

const hashes = async ({ sql }: Database): Promise<Set<string>> => {
  const { rows } = await statement<{ hash: string }>`select hash from payments`.execute(sql)
  return new Set(rows.map(({ hash }) => hash))
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await condition()); await pause(20))
    assert.ok(performance.now() < end, `waited in vain until ${what}`)
}

const answers = (database: Database) => async (): Promise<boolean> =>
  statement`select 1`.execute(database.sql).then(
    () => true,
    (error: unknown) => {
      assert.ok(error instanceof DatabaseAway, String(error))
      return false
    },
  )

async function hasAll({ database, acknowledged }: Pick<Scene, 'database' | 'acknowledged'>): Promise<void> {
  const there = await hashes(database)
  const lost = [...acknowledged].filter((hash) => !there.has(hash))
  assert.deepEqual(lost, [], 'acknowledged and lost')
}

/** Before: the first statement behind the one that failed never came back, and nothing else in the process did either. */
test(
  'a WAL that takes nothing: statements fail at once, and it is open again once there is room',
  embedded,
  async (t) => {
    const scene = await open(t)
    const { database } = scene
    let back = 0
    database.files!.onBack = () => back++
    database.files!.onDamage = (error) => assert.fail(error.message)
    for (let i = 0; i < 20; i++) await scene.pay()
    await statement`create table filling (n int)`.execute(database.sql)
    take('ENOSPC')
    const held = database.sql.transaction().execute(async (inside) => {
      for (let i = 0; i < 1_000; i++) {
        await statement`insert into filling select ${i} from generate_series(1, 1000)`
          .execute(inside)
          .catch((error: unknown) => {
            assert.ok(error instanceof DatabaseAway, String(error))
            throw error
          })
      }
    })
    await assert.rejects(held, /accounts are not available: disk full/)
    for (let i = 0; i < 50 && database.files!.isOpen(); i++) await scene.pay().catch(() => {})
    assert.equal(database.files!.isOpen(), false)
    await assert.rejects(scene.pay(), /accounts are not available: disk full/)
    await until('it is said', async () => processTroubles.recent().some(({ what }) => what === 'accounts'))
    assert.equal(database.files!.isOpen(), false, 'not before there is room')
    giveBack()
    const since = performance.now()
    await until('it answers', answers(database))
    t.diagnostic(`open again ${Math.round(performance.now() - since)} ms after there was room`)
    assert.equal(back, 1)
    await hasAll(scene)
    await scene.pay()
    await makeCopy(database.files!, Date.now())
    await database.close()
    const again = await openDatabase({ dataDir: scene.dataDir, url: null })
    await hasAll({ ...scene, database: again })
    await again.close()
  },
)

test('closing while it is away ends, and the next opening has everything acknowledged', embedded, async (t) => {
  const scene = await open(t)
  for (let i = 0; i < 20; i++) await scene.pay()
  take('EFBIG')
  for (let i = 0; i < 50 && scene.database.files!.isOpen(); i++) await scene.pay().catch(() => {})
  assert.equal(scene.database.files!.isOpen(), false)
  await scene.database.close()
  await assert.rejects(openDatabase({ dataDir: scene.dataDir, url: null }), /disk full/)
  giveBack()
  const again = await openDatabase({ dataDir: scene.dataDir, url: null })
  await hasAll({ ...scene, database: again })
  await again.close()
})

/** Before: PostgreSQL gave up at its start, no error of the system was seen, and the files were taken for damaged. */
test(
  'a write of an opening that ends early is a full disk, and the next opening has everything',
  embedded,
  async (t) => {
    const scene = await open(t)
    for (let i = 0; i < 5; i++) await scene.pay()
    await scene.database.close()
    let failed = 0
    for (let after = 0; after < OPENINGS; after++) {
      const wasHit = take('ENOSPC', { after, short: true, once: true })
      const opened = await openDatabase({ dataDir: scene.dataDir, url: null }).catch((error: unknown) => error as Error)
      giveBack()
      assert.ok(wasHit(), `an opening has ${after} writes only`)
      if (!(opened instanceof Error)) await opened.close()
      else {
        failed++
        assert.match(opened.message, /disk full/)
      }
    }
    t.diagnostic(`${failed} of ${OPENINGS} openings failed`)
    assert.ok(failed > 0)
    const again = await openDatabase({ dataDir: scene.dataDir, url: null })
    await hasAll({ ...scene, database: again })
    await again.close()
  },
)

/** More of them, at random. */
test(
  'shortages at random moments of its work: nothing acknowledged is lost and no file is taken for damaged',
  embedded,
  async (t) => {
    const scene = await open(t)
    const { database } = scene
    const random = seededRandom(SEED)
    database.files!.onDamage = (error) => assert.fail(error.message)
    const backMs: number[] = []
    let ends = 0
    for (let round = 0; round < ROUNDS; round++) {
      const what = (['ENOSPC', 'ENOSPC', 'EFBIG', 'EMFILE'] as const)[Math.floor(random() * 4)]!
      take(what, { after: Math.floor(random() * 60), short: random() < 0.5 })
      const checkpoints = random() < 0.3
      for (let i = 0; i < 20; i++) {
        await scene.pay().catch((error: unknown) => {
          assert.ok(error instanceof DatabaseAway, `${what} of round ${round}, seed ${SEED}: ${error}`)
        })
        if (checkpoints && i % 5 === 4) await database.files!.checkpoint().catch(() => {})
      }
      if (!database.files!.isOpen()) ends++
      giveBack()
      const since = performance.now()
      await until('it answers', answers(database))
      await scene.pay()
      backMs.push(performance.now() - since)
      await hasAll(scene)
    }
    t.diagnostic(
      `seed ${SEED}: ${ROUNDS} shortages, ended ${ends} times, at most ${Math.round(Math.max(...backMs))} ms to be back`,
    )
    t.diagnostic(`${scene.acknowledged.size} payments acknowledged, all there`)
    await database.close()
    const again = await openDatabase({ dataDir: scene.dataDir, url: null })
    await hasAll({ ...scene, database: again })
    await again.close()
  },
)
