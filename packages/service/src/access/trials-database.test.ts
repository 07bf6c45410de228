import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { atOnce, enter, HOUR_MS, hold, MINUTE_MS, setUpTrials, table } from '../../../../test/support/trials.ts'
import { TRIALS } from './trials.ts'

test('it writes by itself while sockets are open, and at once when the last one closes', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const reaches = async (ms: number) => {
    for (const end = Date.now() + 20_000; Date.now() < end; await pause(5)) {
      if ((await table(database, 'a'))[0] === ms) return true
    }
    return false
  }
  const own = node({ writeMs: 10 })
  await enter(own, 'a')
  pass(1_000)
  assert.equal(await reaches(1_000), true)
  await own.close()
  const slow = node()
  const seat = await enter(slow, 'a')
  pass(500)
  seat.release()
  assert.equal(await reaches(1_500), true)
})

test('opening right after the last socket closed sees its time, whatever the database is doing', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const trials = node()
  const seat = await enter(trials, 'a')
  pass(20 * MINUTE_MS)
  const letGo = await hold(database)
  seat.release()
  const again = trials.open('a')
  await letGo()
  assert.deepEqual(await again, { ok: false, retryAfterS: 45 * 60 })
  assert.deepEqual(await table(database, 'a'), { 0: 20 * MINUTE_MS })
})

test('an open beside an open socket does not wait for the database', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const trials = node()
  const first = await enter(trials, 'a')
  pass(500)
  assert.equal(first.hasTime(), true)
  const letGo = await hold(database)
  const second = await atOnce(enter(trials, 'a')).catch((error) => letGo().then(() => assert.fail(error)))
  pass(500)
  first.release()
  const writing = trials.write()
  pass(1_000)
  assert.equal(second.hasTime(), true)
  second.release()
  await letGo()
  await writing
  await trials.close()
  assert.deepEqual(await table(database, 'a'), { 0: 2_000 })
})

test('two opens at the same moment share one trial, also when the first closes before the second is let in', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const trials = node()
  const letGo = await hold(database)
  const seats = [enter(trials, 'a'), enter(trials, 'a'), enter(trials, 'a')] as const
  pass(9_000)
  await letGo()
  ;(await seats[0]).release()
  await Promise.all(seats)
  pass(1_000)
  ;(await seats[1]).release()
  const late = enter(trials, 'a')
  pass(1_000)
  ;(await seats[2]).release()
  const last = await late
  pass(1_000)
  last.release()
  await trials.close()
  assert.deepEqual(await table(database, 'a'), { 0: 3_000 }, 'waiting is not counted')
})

test('closing while an open waits refuses it and loses nothing', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const trials = node()
  await enter(trials, 'a')
  pass(2_000)
  const letGo = await hold(database)
  const waiting = trials.open('b')
  const closing = trials.close()
  pass(2_000)
  await letGo()
  assert.deepEqual(await waiting, { ok: false, retryAfterS: TRIALS.retryAfterS })
  await closing
  assert.deepEqual(await table(database, 'a'), { 0: 2_000 })
  assert.deepEqual(await table(database, 'b'), {})
})

test('time that passes while the database writes is not taken for written', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const trials = node({ rows: 1 })
  const seat = await enter(trials, 'a')
  pass(10 * MINUTE_MS)
  const letGo = await hold(database)
  const writing = trials.write()
  pass(MINUTE_MS)
  assert.equal(seat.hasTime(), true)
  await letGo()
  await writing
  await trials.close()
  assert.deepEqual(await table(database, 'a'), { 0: 11 * MINUTE_MS })
})

test('nodes that write the same accounts at the same moment do not block each other', async (t) => {
  const { database, node, pass, logged } = await setUpTrials(t)
  const accounts = Array.from({ length: 300 }, (_, i) => `account ${i}`)
  const [one, two] = [node(), node()]
  await Promise.all(accounts.map((account) => enter(one, account)))
  await Promise.all(accounts.toReversed().map((account) => enter(two, account)))
  for (let i = 0; i < 10; i++) {
    pass(1_000)
    await Promise.all([one.write(), two.write()])
  }
  assert.deepEqual(logged, [])
  for (const account of accounts.slice(-2)) assert.deepEqual(await table(database, account), { 0: 20_000 })
})

test('while the database fails this node counts alone, says so once, and writes it all later', async (t) => {
  const { database, node, pass, logged } = await setUpTrials(t)
  const { schema } = database.sql
  const trials = node()
  const known = await enter(trials, 'a')
  const there = await enter(trials, 'b')
  pass(10 * MINUTE_MS)
  there.release()
  await trials.write()
  await schema.alterTable('trials').renameTo('elsewhere').execute()
  const fresh = await enter(trials, 'c')
  const blind = await enter(trials, 'b')
  assert.equal(blind.hasTime(), true)
  pass(9 * MINUTE_MS)
  assert.equal(known.hasTime(), true)
  known.release()
  await trials.write()
  assert.equal((await enter(trials, 'a')).hasTime(), true, 'a minute is left')
  pass(MINUTE_MS)
  assert.equal((await trials.open('a')).ok, false, 'counted without the database')
  assert.equal(fresh.hasTime(), true)
  assert.equal(blind.hasTime(), true, 'it cannot know of the ten minutes before')
  await trials.write()
  const said = (what: string) => logged.filter((line) => line.includes(what)).length
  assert.equal(said('the database fails'), 1)

  await schema.alterTable('elsewhere').renameTo('trials').execute()
  const letGo = await hold(database)
  const asked = atOnce(enter(trials, 'd')).finally(letGo)
  assert.equal((await asked).hasTime(), true, 'nobody waits for a database that failed')
  await trials.write()
  assert.equal(said('answers again'), 1)
  assert.deepEqual(await table(database, 'a'), { 0: 20 * MINUTE_MS })
  assert.deepEqual(await table(database, 'b'), { 0: 20 * MINUTE_MS })
  assert.deepEqual(await table(database, 'c'), { 0: 10 * MINUTE_MS })
  assert.equal(blind.hasTime(), false, 'now it knows')
  assert.equal(fresh.hasTime(), true)
  assert.equal(said('the database fails'), 1)
})

test('trials are deleted a day after, and time that waited as long is not written', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const trials = node()
  const seat = await enter(trials, 'old')
  pass(1_000)
  seat.release()
  await trials.write()
  pass(TRIALS.keptMs - 1_000)
  ;(await enter(trials, 'a')).release()
  await trials.write()
  assert.deepEqual(await table(database, 'old'), { 0: 1_000 }, 'a day old')
  await database.sql.schema.alterTable('trials').renameTo('elsewhere').execute()
  const waits = await enter(trials, 'b')
  pass(1_000)
  waits.release()
  await trials.write()
  pass(TRIALS.keptMs + HOUR_MS)
  await trials.write()
  await database.sql.schema.alterTable('elsewhere').renameTo('trials').execute()
  await trials.write()
  ;(await enter(trials, 'a')).release()
  await trials.write()
  ;(await enter(trials, 'a')).release()
  await trials.write()
  assert.deepEqual([await table(database, 'old'), await table(database, 'b')], [{}, {}])
})
