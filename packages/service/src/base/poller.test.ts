import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { createPoller } from './poller.ts'

/** Runs that end when the test says so, timers that fire when the test says so, and the errors that were noted. */
function setUp(everyMs: number | null = null) {
  const ends: ((error?: Error) => void)[] = []
  const timers = new Set<{ ms: number; run: () => void }>()
  const errors: unknown[] = []
  let atOnce = 0
  let mostAtOnce = 0
  const poller = createPoller({
    what: 'samples',
    async run() {
      atOnce++
      mostAtOnce = Math.max(mostAtOnce, atOnce)
      try {
        await new Promise<void>((done, fail) => ends.push((error) => (error ? fail(error) : done())))
      } finally {
        atOnce--
      }
    },
    everyMs,
    onError: (error) => errors.push(error),
    after(ms, run) {
      const timer = { ms, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  })
  async function fire(): Promise<void> {
    for (const timer of [...timers]) {
      timers.delete(timer)
      timer.run()
    }
    await settled()
  }
  async function end(error?: Error): Promise<void> {
    ends.at(-1)!(error)
    await settled()
  }
  return { poller, ends, timers, errors, fire, end, mostAtOnce: () => mostAtOnce }
}

test('the next pause begins when a run has ended, and a failed run is noted and repeated', async () => {
  const { ends, timers, errors, fire, end } = setUp(100)
  assert.equal(timers.size, 1)
  await fire()
  assert.deepEqual([ends.length, timers.size], [1, 0])
  await end(new Error('EMFILE: too many open files'))
  assert.deepEqual([ends.length, timers.size, errors.map(String)], [1, 1, ['Error: EMFILE: too many open files']])
  await fire()
  assert.equal(ends.length, 2)
})

test('a run that throws at once is noted, and repeated', async () => {
  const errors: unknown[] = []
  let fire = (): void => {}
  createPoller({
    what: 'samples',
    run() {
      throw new Error('no memory')
    },
    everyMs: 100,
    onError: (error) => errors.push(error),
    after(_ms, run) {
      fire = run
      return () => {}
    },
  })
  for (let n = 1; n <= 2; n++) {
    fire()
    await settled()
    assert.equal(errors.length, n)
  }
})

test('wakes during a run cause one more run, which begins after them', async () => {
  const { poller, ends, end, mostAtOnce } = setUp()
  poller.wake()
  poller.wake()
  const asked = poller.run()
  assert.equal(ends.length, 1)
  await end()
  assert.equal(ends.length, 2)
  await end()
  await asked
  assert.deepEqual([ends.length, poller.isRunning, mostAtOnce()], [2, false, 1])
})

test('a wake is not lost where the run fails that it came during', async () => {
  const { poller, ends, errors, end } = setUp()
  poller.wake()
  const asked = poller.run()
  await end(new Error('the database is away'))
  assert.deepEqual([ends.length, errors.length], [2, 1])
  await end()
  await asked
})

test('a call between the end of a run and the one that follows it joins that one', async () => {
  let atOnce = 0
  let runs = 0
  let joined: Promise<void> | null = null
  const poller = createPoller({
    what: 'samples',
    async run() {
      runs++
      assert.equal(++atOnce, 1)
      await settled()
      atOnce--
    },
    everyMs: 100,
    // the pause is scheduled at the very end of a run
    after() {
      if (runs === 1) joined ??= poller.run()
      return () => {}
    },
  })
  void poller.run()
  const second = poller.run()
  await second
  assert.equal(joined, second)
  assert.equal(runs, 2)
})

test('run rejects as its own run does, and is not noted', async () => {
  const { poller, errors, end } = setUp()
  const asked = assert.rejects(poller.run(), /away/)
  await end(new Error('the database is away'))
  await asked
  assert.deepEqual(errors, [])
})

test('stop waits for the run and for the one that was asked for during it; wakes do nothing afterwards', async () => {
  const { poller, ends, timers, end } = setUp(100)
  poller.wake()
  poller.wake()
  let isStopped = false
  const stopping = poller.stop().then(() => {
    isStopped = true
  })
  await end(new Error('closed'))
  assert.deepEqual([ends.length, isStopped], [2, false])
  await end()
  await stopping
  poller.wake()
  assert.deepEqual([ends.length, timers.size], [2, 0])
})

test('a run that was asked for restarts the pause', async () => {
  const { poller, timers, end } = setUp(100)
  const asked = poller.run()
  assert.equal(timers.size, 0)
  await end()
  await asked
  assert.deepEqual(
    [...timers].map(({ ms }) => ms),
    [100],
  )
})
