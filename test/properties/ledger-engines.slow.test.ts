import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Database, openDatabase } from '@ti/service/access/sql/database.ts'
import type { PaymentRow } from '@ti/service/access/sql/schema.ts'
import { FAILED_ON_CHAIN } from '@ti/service/access/x402/facilitator.ts'
import { type Claim, createLedger, type Ledger } from '@ti/service/access/x402/ledger.ts'
import { runs, seed } from '../support/chance.ts'
import { temporaryDatabase } from '../support/database.ts'
import { seededRandom } from '../support/random.ts'

/** The two engines are each other's second implementation: the same calls give the same answers and the same rows. */
const SEED = seed(36)
const OPERATIONS = runs(10_000)
const skip = process.env.TEST_DATABASE_URL ? false : 'needs a PostgreSQL server: TEST_DATABASE_URL'
/** few, so that payments, payers and claims meet again, and fewer than a list of orphans has */
const HASHES = 30
const PAYERS = 7

interface Engine {
  readonly database: Database
  readonly ledger: Ledger
  readonly claims: Claim[]
}

/** The name of a process differs; the number of a claim does not. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (key, inner) =>
    key === 'owner' && typeof inner === 'string' ? inner.replace(/^[^/]*/, '') : inner,
  )

async function engines(t: TestContext, now: () => number): Promise<readonly Engine[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ledger-'))
  const embedded = await openDatabase({ dataDir, url: null })
  t.after(async () => {
    await embedded.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const server = await temporaryDatabase(t)
  assert.equal(server.embedded, false)
  // who holds a payment is asked about differently where no other process can
  return [embedded, { ...server, embedded: true }].map((database) => ({
    database,
    ledger: createLedger({ database, now }),
    claims: [],
  }))
}

/** Rows of one time have no order of their own. */
const byHash = (a: PaymentRow, b: PaymentRow): number => (a.hash < b.hash ? -1 : 1)

type Operation = readonly [name: string, run: (engine: Engine) => Promise<unknown>]

function draw(random: () => number): Operation {
  const below = (n: number): number => Math.floor(random() * n)
  const hash = String(below(HASHES)).padStart(64, '0')
  const payer = `payer ${below(PAYERS)}`
  const [amount, fee, yes, which] = [1 + below(1e12), below(3) * 5_000, random() < 0.5, random()]
  const answer = [null, 'an answer', 'a'.repeat(2_000)][below(3)]!
  const reason = [FAILED_ON_CHAIN, 'expired', 'no_data'][below(3)]!
  const held = <T>(engine: Engine, use: (claim: Claim) => Promise<T>): Promise<T> | null =>
    engine.claims.length === 0 ? null : use(engine.claims[Math.floor(which * engine.claims.length)]!)
  const keep = (engine: Engine, claim: Claim | null): void => {
    if (claim === null) return
    engine.claims.push(claim)
    if (engine.claims.length > 20) engine.claims.shift()
  }
  const found = async (
    engine: Engine,
    use: (row: NonNullable<Awaited<ReturnType<Ledger['find']>>>) => Promise<Claim | null>,
  ) => {
    const row = await engine.ledger.find(hash)
    const claim = row === null ? null : await use(row)
    keep(engine, claim)
    return claim
  }
  const operations: readonly Operation[] = [
    [
      'reserve',
      async (engine) => {
        const facts = { hash, operation: 'token', request: `r ${payer}`, amount, payer, blockhash: 'b' }
        const reserved = await engine.ledger.reserve(facts)
        keep(engine, reserved.claim)
        return reserved
      },
    ],
    ['settling', (engine) => held(engine, (claim) => engine.ledger.settling(claim, 'wire')) ?? Promise.resolve()],
    [
      'sign',
      (engine) =>
        held(engine, (claim) =>
          engine.ledger.sign(claim, `s ${amount}`, yes ? { transaction: 'signed', feeLamports: fee } : undefined),
        ) ?? Promise.resolve(),
    ],
    [
      'settled',
      (engine) => held(engine, (claim) => engine.ledger.settled(claim, yes ? 's' : null, answer)) ?? Promise.resolve(),
    ],
    ['answered', (engine) => held(engine, (claim) => engine.ledger.answered(claim, 'late')) ?? Promise.resolve()],
    ['release', (engine) => held(engine, (claim) => engine.ledger.release(claim, reason, yes)) ?? Promise.resolve()],
    ['take over', (engine) => found(engine, (row) => engine.ledger.takeOver(row))],
    ['renew', (engine) => engine.ledger.renew(engine.claims)],
    ['pause', (engine) => held(engine, (claim) => engine.ledger.pause(claim, amount % 100_000)) ?? Promise.resolve()],
    ['orphans', async (engine) => (await engine.ledger.orphans(yes)).toSorted(byHash)],
    ['find each', (engine) => engine.ledger.findEach([hash, 'nothing'])],
    ['answer', (engine) => engine.ledger.answer(hash)],
    ['open', (engine) => engine.ledger.open()],
    ['since', (engine) => engine.ledger.since(new Date(0))],
    ['payer', (engine) => engine.ledger.payer(payer)],
    ['payers', async (engine) => (await engine.ledger.payers(PAYERS)).map((row) => JSON.stringify(row)).sort()],
    ['prune', (engine) => engine.ledger.prune()],
  ]
  // what moves a payment on is drawn more often than what only reads
  return operations[random() < 0.8 ? below(6) : below(operations.length)]!
}

const TABLES = ['payments', 'payment_events', 'payers', 'payment_answers'] as const

async function books({ database: { sql } }: Engine): Promise<unknown> {
  const rows = TABLES.map(async (table) => {
    const all = (await sql.selectFrom(table).selectAll().execute()) as readonly object[]
    // an insert that does nothing uses a number up on one engine and not on the other
    return all.map((row) => JSON.stringify(plain({ ...row, ...('id' in row && { id: 0 }) }))).sort()
  })
  return Promise.all(rows)
}

test(`${OPERATIONS} random operations give the same answers and the same books on SQLite and on PostgreSQL`, {
  skip,
}, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  let ms = Date.UTC(2026, 0, 1)
  const both = await engines(t, () => ms)
  const counts = new Map<string, number>()
  for (let n = 0; n < OPERATIONS; n++) {
    ms += Math.floor(random() * (random() < 0.01 ? 100 * 86_400_000 : 5_000))
    const [name, run] = draw(random)
    const [one, other] = await Promise.all(both.map(async (engine) => plain(await run(engine))))
    assert.deepEqual(one, other, `operation ${n}: ${name}`)
    if (one !== null) counts.set(name, (counts.get(name) ?? 0) + 1)
    if (n % 500 === 499 || n === OPERATIONS - 1) {
      const [here, there] = await Promise.all(both.map(books))
      assert.deepEqual(here, there, `books after operation ${n}: ${name}`)
    }
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(counts)))
  for (const name of ['settling', 'settled', 'answered', 'release', 'take over'])
    assert.ok((counts.get(name) ?? 0) > 0, `${name} never did anything`)
})
