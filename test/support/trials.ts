import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { createTrials, type SqlTrials, TRIALS, type TrialBounds, type TrialSeat } from '@ti/service/access/trials.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { sql } from 'kysely'
import { emptyDatabase, type TestDatabase } from './database.ts'

export const HOUR_MS = 3_600_000
export const MINUTE_MS = 60_000
export const START_MS = Date.UTC(2026, 0, 1, 10)

/** No writing but those the test asks for. */
const BOUNDS: TrialBounds = { ...TRIALS, writeMs: 2 ** 30 }

/** Nodes over one database, with one clock that stands still. */
export async function setUpTrials(t: TestContext) {
  const database = await emptyDatabase(t)
  let ms = START_MS
  const logged: string[] = []
  const logger = createLogger('info', { write: (line: string) => void logged.push(line) })
  const node = (change: Partial<TrialBounds> = {}): SqlTrials => {
    const trials = createTrials(database, { now: () => ms, logger, bounds: { ...BOUNDS, ...change } })
    t.after(() => trials.close())
    return trials
  }
  const pass = (by: number) => {
    ms += by
  }
  return { database, node, now: () => ms, pass, logged }
}

/** What the table says of an account: hours since the start → ms. */
export async function table({ sql: db }: TestDatabase, account: string): Promise<Record<number, number>> {
  const rows = await db.selectFrom('trials').selectAll().where('account', '=', account).orderBy('started_at').execute()
  const hours: Record<number, number> = {}
  for (const { started_at, used_ms } of rows) {
    const hour = Math.floor((started_at.getTime() - START_MS) / HOUR_MS)
    hours[hour] = (hours[hour] ?? 0) + used_ms
  }
  return hours
}

export async function enter(trials: SqlTrials, account: string): Promise<TrialSeat> {
  const decision = await trials.open(account)
  assert.equal(decision.ok, true, 'the trial is used up')
  return (decision as { seat: TrialSeat }).seat
}

/** Nobody's statement touches the table until the returned function is called. */
export async function hold({ sql: db, embedded }: TestDatabase): Promise<() => Promise<void>> {
  let letGo = (): void => {}
  const held = new Promise<void>((done) => {
    letGo = done
  })
  let began = (): void => {}
  const locked = new Promise<void>((done) => {
    began = done
  })
  const transaction = db.transaction().execute(async (inside) => {
    // the embedded database has one writer, which is alone
    if (!embedded) await sql`lock table trials in access exclusive mode`.execute(inside)
    began()
    await held
  })
  await locked
  return async () => {
    letGo()
    await transaction
  }
}

/** What must not wait for anything: an error where it takes ten seconds. */
export async function atOnce<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('it waits')), 10_000)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
