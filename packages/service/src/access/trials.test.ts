import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enter, HOUR_MS, hold, MINUTE_MS, setUpTrials, table } from '../../../../test/support/trials.ts'
import { TRIALS, type TrialDecision, type TrialSeat } from './trials.ts'

test('twenty minutes, to the millisecond, across reconnects; what was used counts until its five minutes are an hour ago', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const trials = node()
  for (let i = 0; i < 3; i++) {
    const seat = await enter(trials, 'a')
    pass(5 * MINUTE_MS)
    assert.equal(seat.hasTime(), true)
    seat.release()
    seat.release()
    pass(7 * MINUTE_MS)
  }
  const seat = await enter(trials, 'a')
  pass(5 * MINUTE_MS - 1)
  assert.equal(seat.hasTime(), true, 'a millisecond is left')
  assert.equal((await enter(trials, 'b')).hasTime(), true, 'another account has its own')
  pass(1)
  assert.equal(seat.hasTime(), false)
  seat.release()
  assert.deepEqual(await trials.open('a'), { ok: false, retryAfterS: 24 * 60 })
  pass(24 * MINUTE_MS - 1)
  assert.deepEqual(await trials.open('a'), { ok: false, retryAfterS: 1 })
  assert.deepEqual(await table(database, 'a'), { 0: 20 * MINUTE_MS })
  pass(1)
  const next = await enter(trials, 'a')
  pass(5 * MINUTE_MS - 1)
  assert.equal(next.hasTime(), true, 'the first five minutes are free again')
  pass(1)
  assert.equal(next.hasTime(), false)
})

test('two sockets at once count once', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const trials = node()
  const first = await enter(trials, 'a')
  pass(3_000)
  const second = await enter(trials, 'a')
  pass(3_000)
  first.release()
  first.release()
  pass(3_000)
  assert.equal(second.hasTime(), true)
  second.release()
  pass(1_000_000)
  await trials.write()
  assert.deepEqual(await table(database, 'a'), { 0: 9_000 })
})

test('no more than twenty minutes within any hour, also over the turn of a clock hour', async (t) => {
  const { node, pass } = await setUpTrials(t)
  const trials = node()
  // before: 28 minutes in one piece, 8 before the turn and 20 after it
  pass(52 * MINUTE_MS)
  const open: number[] = []
  let seat: TrialSeat | null = null
  for (let minute = 0; minute < 300; minute++) {
    const asked: TrialDecision | null = seat === null ? await trials.open('a') : null
    if (asked?.ok) seat = asked.seat
    if (seat?.hasTime()) open.push(minute)
    else {
      seat?.release()
      seat = null
    }
    pass(MINUTE_MS)
  }
  for (const from of open) assert.ok(open.filter((minute) => minute >= from && minute < from + 60).length <= 20)
  assert.ok(open.length >= 80, `${open.length} of 300 minutes`)
})

test('two nodes add up, and each sees the other when it writes', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const [one, two] = [node(), node()]
  const first = await enter(one, 'a')
  pass(8 * MINUTE_MS)
  first.release()
  await one.write()
  const second = await enter(two, 'a')
  pass(4 * MINUTE_MS)
  const third = await enter(one, 'a')
  pass(4 * MINUTE_MS)
  assert.equal(second.hasTime() && third.hasTime(), true)
  await one.write()
  await two.write()
  assert.equal(second.hasTime(), false, '8 + 8 here + 4 there')
  assert.equal(third.hasTime(), true, 'not heard of the other yet')
  pass(1)
  await one.write()
  assert.equal(third.hasTime(), false)
  assert.deepEqual(await table(database, 'a'), { 0: 20 * MINUTE_MS + 1 })
})

test('a restart remembers all, a crash forgets what was not written', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const stopped = node()
  const seat = await enter(stopped, 'a')
  pass(15 * MINUTE_MS)
  await stopped.close()
  pass(10 * MINUTE_MS)
  assert.equal(seat.hasTime(), true, 'nothing is counted any more')
  seat.release()
  assert.deepEqual(await stopped.open('a'), { ok: false, retryAfterS: TRIALS.retryAfterS })
  await stopped.close()
  assert.deepEqual(await table(database, 'a'), { 0: 15 * MINUTE_MS })

  const crashed = node()
  await enter(crashed, 'a')
  for (let i = 0; i < 2; i++) {
    pass(TRIALS.writeMs)
    await crashed.write()
  }
  pass(TRIALS.writeMs - 1)
  const next = node()
  const after = await enter(next, 'a')
  assert.deepEqual(await table(database, 'a'), { 0: 15 * MINUTE_MS + 2 * TRIALS.writeMs })
  pass(5 * MINUTE_MS - 2 * TRIALS.writeMs - 1)
  assert.equal(after.hasTime(), true)
  pass(1)
  assert.equal(after.hasTime(), false)
})

test('as many accounts as allowed are counted; one that is written and closed makes room', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const trials = node({ accounts: 3, rows: 2 })
  const seats = await Promise.all(['a', 'b', 'c'].map((account) => enter(trials, account)))
  assert.deepEqual(await trials.open('d'), { ok: false, retryAfterS: TRIALS.retryAfterS })
  assert.equal((await enter(trials, 'c')).hasTime(), true, 'another socket of one that is counted')
  pass(1_000)
  const letGo = await hold(database)
  seats[0]!.release()
  assert.deepEqual(await trials.open('d'), { ok: false, retryAfterS: TRIALS.retryAfterS }, 'not written yet')
  await letGo()
  await trials.write()
  assert.equal((await enter(trials, 'd')).hasTime(), true)
  assert.deepEqual(await trials.open('a'), { ok: false, retryAfterS: TRIALS.retryAfterS })
  await trials.close()
  for (const account of ['a', 'b', 'c']) assert.deepEqual(await table(database, account), { 0: 1_000 }, account)
})

test('refused accounts take no room', async (t) => {
  const { node, pass } = await setUpTrials(t)
  const trials = node({ accounts: 2 })
  for (const account of ['a', 'b']) {
    const seat = await enter(trials, account)
    pass(20 * MINUTE_MS)
    seat.release()
    await trials.write()
  }
  for (const account of ['a', 'b']) assert.equal((await trials.open(account)).ok, false, account)
  assert.equal((await enter(trials, 'c')).hasTime(), true)
})

test('a clock that is set back takes nothing away and goes on from there', async (t) => {
  const { database, node, pass } = await setUpTrials(t)
  const trials = node()
  const seat = await enter(trials, 'a')
  pass(5_000)
  assert.equal(seat.hasTime(), true)
  pass(-3_000)
  assert.equal(seat.hasTime(), true)
  pass(1_000)
  await trials.write()
  assert.deepEqual(await table(database, 'a'), { 0: 6_000 })
  pass(-2 * HOUR_MS)
  assert.equal(seat.hasTime(), true)
  pass(20 * MINUTE_MS)
  assert.equal(seat.hasTime(), false)
  await trials.close()
  assert.deepEqual(await table(database, 'a'), { [-2]: 20 * MINUTE_MS, 0: 6_000 })
})
