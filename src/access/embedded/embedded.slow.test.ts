import assert from 'node:assert/strict'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql as statement } from 'kysely'
import { temporaryDatabase } from '../../../test/support/database.ts'
import { EXIT, OperatorError } from '../../base/errors.ts'
import { type Database, openDatabase } from '../sql/database.ts'
import { createLedger } from '../x402/ledger.ts'
import { checkCopy, listCopies, makeCopy } from './copies.ts'
import { Damage } from './damage.ts'
import { filesBelow } from './manifest.ts'
import { type Places, placesIn } from './paths.ts'
import { restoreCopy } from './restore.ts'

const embedded = { skip: process.env.TEST_DATABASE_URL ? 'the database of this run is not embedded' : false }

interface Opened {
  readonly database: Database
  readonly dataDir: string
  readonly places: Places
}

async function opened(t: TestContext): Promise<Opened> {
  const database = await temporaryDatabase(t)
  const { dataDir } = database.options
  return { database, dataDir, places: placesIn(dataDir) }
}

const reopen = (dataDir: string): Promise<Database> => openDatabase({ dataDir, url: null })

async function pay(database: Database, n: number): Promise<void> {
  const facts = { operation: 'o', request: 'r', amount: 1, payer: 'p', blockhash: 'b' }
  const { claim } = await createLedger({ database, now: Date.now }).reserve({
    hash: String(n).padStart(64, '0'),
    ...facts,
  })
  assert.notEqual(claim, null)
}

async function paymentsIn(database: Database): Promise<number> {
  const { rows } = await statement<{ n: number }>`select count(*)::int as n from payments`.execute(database.sql)
  return rows[0]!.n
}

/** what a process leaves that is killed now */
function leftByKill({ dataDir }: Opened, name: string): string {
  const left = `${dataDir}-${name}`
  cpSync(dataDir, left, { recursive: true })
  return left
}

async function refused(dataDir: string, why: RegExp): Promise<void> {
  const before = contentOf(dataDir)
  await assert.rejects(reopen(dataDir), (error) => {
    assert.ok(error instanceof OperatorError, String(error))
    assert.equal(error.exitCode, EXIT.badFile)
    assert.match(error.message, why)
    assert.match(error.message, /Nothing was changed/)
    return true
  })
  assert.deepEqual(contentOf(dataDir), before, 'something was changed')
}

const contentOf = (dataDir: string): Map<string, string> =>
  new Map([...filesBelow(dataDir)].map((path) => [path, readFileSync(join(dataDir, path)).toString('base64')]))

async function fileOf({ database, dataDir }: Opened, table: string): Promise<string> {
  const { rows } = await statement<{ path: string }>`select pg_relation_filepath(${table}) as path`.execute(
    database.sql,
  )
  return join(dataDir, 'accounts', rows[0]!.path)
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at]! ^= 1
  writeFileSync(path, bytes)
}

test(
  'damage to a file that nobody reads is found by the next copy, and the last good one stays',
  embedded,
  async (t) => {
    const { database, places } = await opened(t)
    await pay(database, 1)
    const good = await makeCopy(database.files!, 1_000)
    assert.equal(good.payments, 1)
    // a page that PostgreSQL has in memory and writes again would be healed by that; this one is of a database not in use
    const { files } = database.files!.seal.state.manifest
    const [path] = [...files].find(([name, { bytes }]) => name.startsWith('base/1/') && bytes > 8_192)!
    flip(join(places.database, path), 5_000)
    await assert.rejects(makeCopy(database.files!, 2_000), Damage)
    assert.deepEqual(
      listCopies(places.copies).map(({ name }) => name),
      [good.name],
    )
  },
)

test(
  'what PostgreSQL complains of ends all work, is told once, and is refused at the next start',
  embedded,
  async (t) => {
    const open = await opened(t)
    const { database, dataDir } = open
    for (let n = 0; n < 100; n++) await pay(database, n)
    await makeCopy(database.files!, Date.now())
    await database.close()
    const again = await reopen(dataDir)
    t.after(() => again.close().catch(() => {}))
    // no page of it is in memory yet
    flip(await fileOf({ ...open, database: again }, 'payments'), 5_000)
    const reported = new Promise<OperatorError>((done) => {
      again.files!.onDamage = done
    })
    await assert.rejects(paymentsIn(again), /invalid page/)
    assert.equal((await reported).exitCode, EXIT.badFile)
    assert.match((await reported).message, /accounts restore --copy accounts-/)
    await assert.rejects(again.sql.selectFrom('accounts').selectAll().execute(), /damaged/)
    await again.close()
    await refused(dataDir, /page 0 of accounts\/base\/\d+\/\d+ is not what was written there/)
  },
)

test('acknowledged payments whose WAL is lost are missed', embedded, async (t) => {
  const open = await opened(t)
  await pay(open.database, 1)
  const older = leftByKill(open, 'older')
  await pay(open.database, 2)
  const killed = leftByKill(open, 'killed')
  t.after(() => [older, killed].forEach((path) => void rmSync(path, { recursive: true, force: true })))
  const lost = leftByKill({ ...open, dataDir: killed }, 'lost')
  t.after(() => rmSync(lost, { recursive: true, force: true }))
  const wal = join('accounts', 'pg_wal')
  const [segment = ''] = readdirSync(join(older, wal)).filter((name) => /^[0-9A-F]{24}$/.test(name))
  cpSync(join(older, wal, segment), join(lost, wal, segment))
  await refused(lost, /pg_wal is not what was written there: acknowledged changes are missing/)
  // the same files with their WAL have both
  const whole = await reopen(killed)
  assert.equal(await paymentsIn(whole), 2)
  await whole.close()
})

test(
  'an older database, a missing one and a missing seal are refused; an older one can be accepted',
  embedded,
  async (t) => {
    const open = await opened(t)
    const { database, dataDir, places } = open
    await pay(database, 1)
    await makeCopy(database.files!, Date.now())
    const older = leftByKill(open, 'older')
    t.after(() => rmSync(older, { recursive: true, force: true }))
    await pay(database, 2)
    await database.close()
    const aside = `${places.database}-aside`
    renameSync(places.database, aside)
    await refused(dataDir, /the directory accounts is missing/)
    cpSync(join(older, 'accounts'), places.database, { recursive: true })
    await refused(dataDir, /is not what was written there/)
    rmSync(places.seal, { recursive: true })
    await refused(dataDir, /accounts-seal is missing/)
    const accepted = await openDatabase({ dataDir, url: null, accept: true })
    assert.equal(await paymentsIn(accepted), 1)
    await accepted.close()
  },
)

test(
  'a copy made in the middle of work is restored with everything acknowledged before it began',
  embedded,
  async (t) => {
    const { database, dataDir, places } = await opened(t)
    let acknowledged = 0
    let working = true
    const work = (async () => {
      for (let n = 0; working; n++) {
        await pay(database, n)
        acknowledged = n + 1
        // the embedded database answers without ever letting the event loop go on
        await turn()
      }
    })()
    const least: number[] = []
    for (let made = 0; made < 3; made++) {
      least.push(acknowledged)
      await makeCopy(database.files!, 1_000 * (made + 1))
    }
    working = false
    await work
    await database.close()
    assert.equal(listCopies(places.copies).length, 2, 'two are kept')
    const restored = await restoreCopy(dataDir, null, 1_000)
    const again = await reopen(dataDir)
    const has = await paymentsIn(again)
    t.diagnostic(`${least.at(-1)} before the copy, ${restored.payments} counted, ${has} in it, ${acknowledged} in all`)
    assert.ok(has >= restored.payments && restored.payments >= least.at(-1)! && has <= acknowledged)
    assert.ok(restored.payments > 0)
    await pay(again, 999_999)
    await again.close()
    assert.ok(existsSync(join(restored.kept, 'accounts', 'PG_VERSION')), 'what was there is kept')
    for (const at of [2_000, 3_000]) await restoreCopy(dataDir, null, at)
    assert.equal(readdirSync(dataDir).filter((name) => name.startsWith('accounts-damaged-')).length, 2, 'two are kept')
  },
)

test('a damaged copy is passed over, and one that is asked for by name is not taken', embedded, async (t) => {
  const { database, dataDir, places } = await opened(t)
  const first = await makeCopy(database.files!, 1_000)
  const second = await makeCopy(database.files!, 2_000)
  await database.close()
  flip(join(places.copies, second.name), 100_000)
  await assert.rejects(checkCopy(places.copies, second.name), Damage)
  await assert.rejects(restoreCopy(dataDir, second.name, 1_000), /nothing was restored/)
  await assert.rejects(restoreCopy(dataDir, 'accounts-none.copy', 1_000), /has no copy accounts-none.copy/)
  assert.equal((await restoreCopy(dataDir, null, 1_000)).name, first.name)
})

test(
  'a database without a seal gets one once it is accepted; one whose making was interrupted is made anew',
  embedded,
  async (t) => {
    const { database, dataDir, places } = await opened(t)
    await pay(database, 1)
    await database.close()
    rmSync(places.seal, { recursive: true })
    rmSync(places.begun)
    await refused(dataDir, /accounts-seal is missing[\s\S]*accounts accept/)
    const adopted = await openDatabase({ dataDir, url: null, accept: true })
    assert.equal(await paymentsIn(adopted), 1)
    await adopted.close()
    assert.ok(existsSync(join(places.seal, 'manifest')))

    rmSync(places.database, { recursive: true })
    mkdirSync(places.database)
    writeFileSync(join(places.database, 'PG_VERSION'), '18\n')
    writeFileSync(places.making, '')
    await refused(dataDir, /making belongs to another database/)
    rmSync(places.begun)
    const made = await reopen(dataDir)
    assert.equal(await paymentsIn(made), 0)
    await made.close()
  },
)

test(
  'an entry of the journal that was cut by a kill is none, one in the middle that is wrong is damage',
  embedded,
  async (t) => {
    const open = await opened(t)
    for (let n = 0; n < 50; n++) await pay(open.database, n)
    const killed = leftByKill(open, 'killed')
    t.after(() => rmSync(killed, { recursive: true, force: true }))
    const [journal = ''] = readdirSync(placesIn(killed).seal).filter((name) => name.startsWith('journal-'))
    const path = join(placesIn(killed).seal, journal)
    assert.notEqual(readFileSync(path, 'utf8'), '', 'fifty payments need more pages than none')
    const torn = leftByKill({ ...open, dataDir: killed }, 'torn')
    t.after(() => rmSync(torn, { recursive: true, force: true }))
    appendFileSync(join(placesIn(torn).seal, journal), '1234abcd 7 base/5/')
    const again = await reopen(torn)
    assert.equal(await paymentsIn(again), 50)
    await again.close()
    flip(path, 3)
    await refused(killed, /a journal of accounts-seal is damaged/)
  },
)
